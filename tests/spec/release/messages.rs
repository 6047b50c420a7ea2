//! Stored groups, messages and read marks.

use serde_json::{Value, json};
use tests::Person;

use super::{Past, story::talks::says};

/// Returns the ID and unread count of each of the user's groups, newest first.
async fn groups(user: &Person) -> Vec<(Value, i64)> {
    let listed = user.get("/message-group").await.ok();
    let group = |row: &Value| (row["publicId"].clone(), row["unreadCount"].as_i64().unwrap());
    listed.rows().iter().map(group).collect()
}

#[tokio::test]
async fn stored_messages_can_be_read_and_answered() {
    let past = Past::stored().await;
    stored_groups_are_listed_with_unread_counts(&past).await;
    a_stored_message_shows_its_read_status(&past).await;
    all_stored_messages_can_be_read(&past).await;
    stored_private_groups_stay_unique_and_reopen(&past).await;
}

async fn stored_groups_are_listed_with_unread_counts(past: &Past) {
    let (ann, bob, cleo) = (past.user("ann"), past.user("bob"), past.user("cleo"));
    let [pair, crowd, closed] = ["pair", "crowd", "closedGroup"].map(|name| past.known(name).clone());
    assert_eq!(groups(&bob).await, [(pair.clone(), 2), (crowd.clone(), 0)]);
    let listed = bob.get("/message-group").await.ok();
    assert_eq!(listed.column("lastMessagePreview"), ["four", "https://example.com/a.png"]);
    assert_eq!(listed.column("lastMessageAt"), ["2026-01-02T07:00:23.000Z", "2026-01-02T06:54:50.000Z"]);
    assert_eq!(groups(&ann).await, [(pair.clone(), 0), (crowd.clone(), 1), (closed, 0)]);
    let chat = ann.get(&format!("/chat/{}/messages?take=100", past.id("pair"))).await.ok();
    assert_eq!(chat.column("seenAt").last().unwrap(), "2026-01-02T06:54:49.000Z");
    says(&cleo, past.id("crowd"), "Newest").await;
    assert_eq!(groups(&bob).await, [(crowd, 1), (pair.clone(), 2)]);
    bob.patch(&format!("/message-group/{}/read", past.id("pair")), Value::Null).await.ok();
    assert_eq!(bob.get("/notification/message").await.ok().column("publicId"), past.ids(["crowd"]));
}

async fn all_stored_messages_can_be_read(past: &Past) {
    let (ann, bob) = (past.user("ann"), past.user("bob"));
    let path = format!("/message-group/{}/messages", past.id("pair"));
    let first = bob.get(&format!("{path}?take=2")).await.ok();
    assert_eq!(first.column("content"), ["four", "three"]);
    let rest = bob.get(&format!("{path}?after={}", first.after().unwrap())).await.ok();
    assert_eq!(rest.column("content"), ["two", "one"]);
    assert_eq!(json!(rest.column("publicId")), json!([past.known("messages")[1], past.known("messages")[0]]));
    says(&ann, past.id("pair"), "five").await;
    assert_eq!(bob.get(&path).await.ok().column("content")[0], "five");
}

async fn a_stored_message_shows_its_read_status(past: &Past) {
    let (ann, cleo) = (past.user("ann"), past.user("cleo"));
    let path = format!("/chat/{}/messages", past.id("crowd"));
    let picture = async || cleo.get(&path).await.ok().rows().last().unwrap().clone();
    let sent = picture().await;
    assert_eq!(json!([sent["type"], sent["status"]]), json!(["IMAGE", "DELIVERED"]));
    ann.patch(&format!("/chat/{}/seen", sent["publicId"].as_str().unwrap()), Value::Null).await.ok();
    assert_eq!(picture().await["status"], "SEEN");
}

async fn stored_private_groups_stay_unique_and_reopen(past: &Past) {
    let (ann, bob, lou) = (past.user("ann"), past.user("bob"), past.user("lou"));
    let again = bob.post("/message-group", json!({ "type": "private", "members": ["ann"] })).await.ok();
    assert_eq!((again.status, &again.data()["publicId"]), (200, past.known("pair")));
    let path = format!("/message-group/{}/messages", past.id("closedGroup"));
    lou.post(&path, json!({ "content": "Hi" })).await.refused(403, "FORBIDDEN");
    ann.post("/user/lou/block", json!({ "isBlocked": false })).await.ok();
    says(&lou, past.id("closedGroup"), "Hi").await;
    assert_eq!(groups(&ann).await[0], (past.known("closedGroup").clone(), 1));
}
