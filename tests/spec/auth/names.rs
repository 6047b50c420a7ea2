//! Rules for names, usernames and passwords, and how long a released username stays reserved.

use domain::people::users;
use platform::table::Write;
use serde_json::{Value, json};
use tests::World;

use super::{form_with, login};

const DAY: u64 = 24 * 60 * 60;
const INVISIBLE: &str = "name: must not begin with a combining mark, or contain control, direction or invisible characters, or unusual spaces";
/// Invisible characters: a line break, zero-width space and joiner, right-to-left override and isolate, filler,
/// and soft hyphen.
const HIDDEN: [&str; 7] = ["\n", "\u{200B}", "\u{200D}", "\u{202E}", "\u{2067}", "\u{3164}", "\u{AD}"];

#[tokio::test]
async fn names_cannot_have_invisible_characters() {
    let (world, [ann]) = World::with(["ann"]).await;
    for hidden in HIDDEN {
        let name = json!(format!("ad{hidden}min"));
        let answers = [
            world.anyone.post("/auth/register", form_with("bob", "name", name.clone())).await,
            ann.post("/auth/profile", json!({ "name": name })).await,
            ann.post("/circles", json!({ "name": name })).await,
        ];
        for answer in answers {
            assert_eq!(answer.refused(400, "VALIDATION_FAILED"), INVISIBLE, "{hidden:?}");
        }
    }
    for name in ["Ánn Nguyễn", "مريم", "Zoë ❤️"] {
        ann.post("/auth/profile", json!({ "name": name })).await.ok();
    }
}

#[tokio::test]
async fn a_stored_name_with_invisible_characters_is_still_shown() {
    let (world, [ann]) = World::with(["ann"]).await;
    let family = "Ann \u{1F469}\u{200D}\u{1F467}";
    let named = Write::update(users::key(ann.id.parse().unwrap())).set("name", family);
    world.app().table.write(named).await.unwrap();
    assert_eq!(ann.get("/auth/me").await.ok().data()["name"], family);
}

#[tokio::test]
async fn a_released_username_stays_reserved_for_30_days() {
    let (world, [ann, bob]) = World::builder().without_ticks().start_with(["ann", "bob"]).await;
    ann.post("/auth/profile", json!({ "username": "anna" })).await.ok();
    world.anyone.post("/auth/login", login("ann", tests::PASSWORD)).await.refused(401, "UNAUTHORIZED");
    for name in ["anna", "ann@example.com"] {
        world.anyone.post("/auth/login", login(name, tests::PASSWORD)).await.ok();
    }
    world.advance(30 * DAY - 1).await;
    let is_free = async || {
        let body = json!({ "username": "Ann" });
        world.anyone.post("/auth/validate/username", body).await.ok().data()["available"].clone()
    };
    assert_eq!(is_free().await, false);
    let bob = bob.signs_in().await;
    let taken = bob.post("/auth/profile", json!({ "username": "ann" })).await;
    assert_eq!(taken.refused(400, "VALIDATION_FAILED"), "username: is already taken");
    world.advance(1).await;
    assert_eq!(is_free().await, true);
    bob.post("/auth/profile", json!({ "username": "ann" })).await.ok();
    assert_eq!(bob.get("/user/ann").await.ok().data()["publicId"], bob.public_id);
}

#[tokio::test]
async fn a_user_can_take_back_their_released_username() {
    let (_world, [ann]) = World::with(["ann"]).await;
    for name in ["anna", "Ann"] {
        ann.post("/auth/profile", json!({ "username": name })).await.ok();
    }
    for name in ["ann", "anna"] {
        assert_eq!(ann.get(&format!("/user/{name}")).await.ok().data()["username"], "Ann");
        ann.post(&format!("/user/{name}/block"), Value::Null).await.refused(400, "VALIDATION_FAILED");
    }
}

#[tokio::test]
async fn a_common_password_is_refused() {
    let world = World::new().await;
    for common in ["password", "PassWord1", "qwertyuiop", "12345678", "Iloveyou"] {
        let answer = world.anyone.post("/auth/register", form_with("ann", "password", common)).await;
        assert_eq!(answer.refused(400, "VALIDATION_FAILED"), "password: is too common", "{common}");
        let reset = json!({ "token": "x", "password": common });
        world.anyone.post("/auth/reset-password", reset).await.refused(400, "VALIDATION_FAILED");
    }
    world.person("ann").await;
}
