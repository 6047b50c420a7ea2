//! Decisions of administrators in the story, and karma from quests.

use serde_json::{Value, json};
use tests::{Person, Post};

use super::Past;
use crate::circles::critic::text;

/// End time of a ban, before the last hour of the story.
const BAN_ENDS: &str = "2026-01-02T06:59:30.000Z";

pub(super) async fn run(past: &mut Past) {
    posts_are_reported(past).await;
    accounts_are_closed(past).await;
    karma_is_earned(past).await;
}

async fn posts_are_reported(past: &mut Past) {
    let (bob, fay, root) = (past.user("bob"), past.user("fay"), past.user("root"));
    for (key, confidence, kind) in [
        ("hidden", "0.99", "post"),
        ("doubtful", "0.5", "post"),
        ("dismissed", "0.4", "circle"),
        ("removed", "0.6", "post"),
        ("ofPerson", "0.9", "user"),
    ] {
        let post = past.wrote(key, fay.writes(&text(confidence, key)).await).await;
        let report = reports(&bob, &post, kind).await;
        past.saves(&format!("{key}Report"), report);
    }
    past.world.settle().await;
    let appeal = format!("/me/moderation/{}/appeal", past.id("hidden"));
    fay.post(&appeal, json!({ "text": "I quoted it." })).await.ok();
    root.post(&format!("/admin/cases/{}/assign", past.id("doubtful")), json!({})).await.ok();
    for (key, action) in [("dismissed", "dismiss"), ("removed", "delete")] {
        let path = format!("/admin/reports/{}", past.id(&format!("{key}Report")));
        root.patch(&path, json!({ "action": action, "adminNote": "I looked." })).await.ok();
    }
}

/// Reports a post, and returns the ID of the report.
pub(in crate::release) async fn reports(user: &Person, post: &Post, kind: &str) -> String {
    let report = user.post(&post.path("/report"), json!({ "reason": "It is bad.", "type": kind })).await.ok();
    report.data()["id"].as_str().unwrap().to_owned()
}

/// Registers a device with the example keys of RFC 8291, section 5.
async fn a_browser_is_registered(past: &Past) {
    let keys = json!({
        "p256dh": "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
        "auth": "BTBZMqHH6r4Tts7J_aSIgg",
    });
    let device = json!({ "platform": "web", "endpoint": "https://push.example.com/ivy", "keys": keys });
    past.user("ivy").post("/me/devices", device).await.ok();
}

async fn accounts_are_closed(past: &mut Past) {
    let root = past.user("root");
    a_browser_is_registered(past).await;
    for (name, what, body) in [
        ("hal", "ban", json!({ "reason": "For a while.", "bannedUntil": BAN_ENDS })),
        ("ivy", "ban", json!({ "reason": "For good." })),
        ("jon", "lock", Value::Null),
        ("max", "roles", json!({ "roles": ["ADMIN"] })),
    ] {
        root.patch(&format!("/admin/users/{}/{what}", past.user(name).id), body).await.ok();
    }
    let max = past.user("max").signs_in().await;
    past.saves_person(&max);
}

/// Ann claims the reward of a quest. Bob completes the quest without a claim, and dan only reads his list of quests.
async fn karma_is_earned(past: &mut Past) {
    past.user("ann").post("/quests/WRITE/claim", Value::Null).await.ok();
    past.user("dan").get("/quests/daily").await.ok();
}
