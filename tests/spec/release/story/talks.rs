//! Messages and notifications.

use serde_json::{Value, json};
use tests::{Fault, Person};

use super::Past;

pub(super) async fn run(past: &mut Past) {
    let [ann, bob, cleo] = ["ann", "bob", "cleo"].map(|name| past.user(name));
    let pair = opens(&ann, "private", &["bob"]).await;
    let crowd = opens(&ann, "crowd", &["bob", "cleo"]).await;
    let mut sent = Vec::new();
    for content in ["one", "two", "three"] {
        past.world.advance(1).await;
        sent.push(says(&ann, &pair, content).await);
    }
    bob.patch(&format!("/message-group/{pair}/read"), json!({ "lastSeenMessageId": sent[1] })).await.ok();
    past.world.advance(1).await;
    let picture = json!({ "conversationId": crowd, "content": "https://example.com/a.png", "type": "image" });
    let picture = cleo.post("/chat/message", picture).await.ok().data()["publicId"].clone();
    bob.patch(&format!("/chat/{}/seen", picture.as_str().unwrap()), Value::Null).await.ok();
    past.saves("pair", pair);
    past.saves("crowd", crowd);
    past.saves("messages", sent);
    a_crowd_is_named_and_left(past).await;
}

async fn a_crowd_is_named_and_left(past: &mut Past) {
    let [hal, jon] = ["hal", "jon"].map(|name| past.user(name));
    let walkers = opens(&hal, "crowd", &["ivy", "jon"]).await;
    hal.patch(&format!("/message-group/{walkers}"), json!({ "name": "Walkers" })).await.ok();
    jon.post(&format!("/message-group/{walkers}/leave"), Value::Null).await.ok();
    past.saves("walkers", walkers);
}

/// Ann reads one notification, and bob reads all. Then a tick flushes a new event, but fails before the push.
pub(super) async fn notifications_are_read(past: &mut Past) {
    past.ticks().await;
    let (ann, bob) = (past.user("ann"), past.user("bob"));
    let newest = ann.get("/notification").await.ok().column("publicId")[0].clone();
    ann.patch(&format!("/notification/{}/read", newest.as_str().unwrap()), Value::Null).await.ok();
    bob.patch("/notification/read-all", Value::Null).await.ok();
    past.saves("readNotification", newest);
    past.world.advance(1).await;
    past.user("eve").replies(&past.post("edited"), "Well said").await;
    past.world.settle().await;
    past.world.faults.plan("UpdateItem", Fault::Conflict, 1, u32::MAX);
    past.sends("notification-tick", &json!({})).await;
    let settled = past.world.stack.settle(None).await.unwrap();
    past.world.faults.calm();
    assert_eq!(settled.dead, 1, "the tick must flush the event without a push");
}

async fn opens(user: &Person, kind: &str, members: &[&str]) -> String {
    let group = user.post("/message-group", json!({ "type": kind, "members": members })).await.ok();
    group.data()["publicId"].as_str().unwrap().to_owned()
}

/// Sends a message to a group, and returns its ID.
pub(in crate::release) async fn says(user: &Person, group: &str, content: &str) -> String {
    let path = format!("/message-group/{group}/messages");
    let message = user.post(&path, json!({ "content": content })).await.ok();
    message.data()["publicId"].as_str().unwrap().to_owned()
}
