//! The first day of the story: registrations, new circles, and the death of some circles.

use domain::people::users::Role;
use serde_json::{Value, json};

use super::Past;
use crate::{
    admin::administrator,
    auth::mailed_token,
    circles::{cpr, creates_circle, critic::text, hours, joins, posts, sacrifice},
};

const NAMES: [&str; 12] =
    ["ann", "bob", "cleo", "dan", "eve", "fay", "gil", "hal", "ivy", "jon", "lou", "max"];
const MINUTE: u64 = 60;

/// Runs the story from midnight to 06:54 of the next day. Then all users sign in again.
pub(super) async fn run(past: &mut Past) {
    users_register(past).await;
    quests_are_defined(past).await;
    circles_begin(past).await;
    hours(&past.world, 6).await;
    dies(past, "oldLights").await;
    a_cpr_begins(past).await;
    hours(&past.world, 13).await;
    dies(past, "lateBirds").await;
    hours(&past.world, 9).await;
    past.world.advance_and_settle(54 * MINUTE).await;
    all_sign_in(past).await;
}

async fn users_register(past: &mut Past) {
    let root = administrator(&past.world, "root", Role::SuperAdmin).await;
    past.saves_person(&root);
    for name in NAMES {
        // Only these two users confirm their email addresses with the emailed link.
        let person = match name {
            "ann" | "eve" => past.world.registers(name).await,
            name => past.world.person(name).await,
        };
        past.saves_person(&person);
        past.world.advance(1).await;
    }
    past.world.settle().await;
    let body = json!({ "token": mailed_token(&past.world, "ann") });
    past.world.anyone.post("/auth/verify-email", body).await.ok();
    let body = json!({ "name": "Ánn Lee", "bio": "I write.", "avatar": "https://example.com/ann.png" });
    past.user("ann").post("/auth/profile", body).await.ok();
}

async fn quests_are_defined(past: &mut Past) {
    let root = past.user("root");
    for (code, action, karma) in
        [("WRITE", "POST_CREATED", 3), ("LIKE", "LIKE_CREATED", 1), ("RETIRED", "POST_CREATED", 1)]
    {
        let body = json!({ "code": code, "action": action, "requirement": 1, "karmaReward": karma });
        root.post("/admin/daily-quests", body).await.ok();
    }
    root.patch("/admin/daily-quests/RETIRED/disable", Value::Null).await.ok();
    let bob = past.user("bob");
    let post = bob.writes("Good morning").await;
    past.wrote("firstPost", post).await;
    bob.post("/quests/WRITE/claim", Value::Null).await.ok();
}

async fn circles_begin(past: &mut Past) {
    for (owner, key, name) in [
        ("gil", "firstLights", "First lights"),
        ("gil", "oldLights", "Old lights"),
        ("hal", "lateBirds", "Late birds"),
        ("dan", "lostCause", "Lost cause"),
        ("ann", "readers", "Night readers"),
    ] {
        let circle = creates_circle(&past.user(owner), name).await;
        past.saves_circle(key, circle);
    }
    old_lights_thrives(past).await;
    past.circle("firstLights").gains(&past.world, -495, 0).await;
}

/// Raises a circle to level 4, and adds a post and a member who gives karma.
async fn old_lights_thrives(past: &mut Past) {
    let (bob, gil, circle) = (past.user("bob"), past.user("gil"), past.circle("oldLights"));
    joins(&bob, &circle, &gil).await;
    circle.gains(&past.world, 450, 1000).await;
    circle.gains(&past.world, -100, 0).await;
    let post = posts::writes_in(&gil, &circle, &text(9, "the best")).await.ok();
    past.saves("oldLightsPost", posts::id(&post));
    past.world.advance(1).await;
    sacrifice::gives(&bob, &circle, 1).await.ok();
    past.world.settle().await;
}

/// Reduces the HP of a circle to 5, and advances the clock by an hour, in which the circle dies.
async fn dies(past: &mut Past, name: &str) {
    past.circle(name).reaches(&past.world, 5, 0).await;
    hours(&past.world, 1).await;
}

/// Starts a CPR that expires in the story's last minute.
async fn a_cpr_begins(past: &mut Past) {
    let (dan, circle) = (past.user("dan").signs_in().await, past.circle("lostCause"));
    circle.gains(&past.world, 0, 200).await;
    circle.reaches(&past.world, 40, 0).await;
    cpr::begins(&dan, &circle, 5).await.ok();
    circle.gains(&past.world, 600, 0).await;
}

async fn all_sign_in(past: &mut Past) {
    for name in NAMES.into_iter().chain(["root"]) {
        let person = past.user(name).signs_in().await;
        past.saves_person(&person);
    }
}
