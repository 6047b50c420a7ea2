//! Stored notifications and pending events.

use serde_json::{Value, json};
use tests::Person;

use super::Past;

async fn unread(user: &Person) -> i64 {
    user.get("/notification/unread").await.ok().data()["unreadCount"].as_i64().unwrap()
}

/// Returns the target, the event count and the read state of each notification of a type.
async fn of_kind(user: &Person, kind: &str) -> Vec<(Value, i64, bool)> {
    let listed = user.get("/notification").await.ok();
    let rows = listed.rows().iter().filter(|row| row["type"] == kind);
    rows.map(|row| (row["targetId"].clone(), row["count"].as_i64().unwrap(), row["isRead"] == true)).collect()
}

#[tokio::test]
async fn stored_notifications_can_be_listed_and_read() {
    let past = Past::stored().await;
    let (ann, bob) = (past.user("ann"), past.user("bob"));
    assert_eq!((unread(&ann).await, unread(&bob).await), (7, 1));
    let liked = past.known("liked").clone();
    assert_eq!(of_kind(&ann, "LIKE").await, [(liked.clone(), 2, false)]);
    assert_eq!(of_kind(&ann, "POST").await, [(liked, 1, false)]);
    let newest = ann.get("/notification").await.ok().rows()[0].clone();
    assert_eq!((&newest["publicId"], &newest["isRead"]), (past.known("readNotification"), &json!(true)));
    let all = ann.patch("/notification/read-all", Value::Null).await.ok();
    assert_eq!((all.data(), unread(&ann).await), (&json!({ "updated": 7 }), 0));
}

#[tokio::test]
async fn stored_pending_events_are_added_to_notifications_once() {
    let past = Past::settled().await;
    let [ann, bob, cleo, dan] = ["ann", "bob", "cleo", "dan"].map(|name| past.user(name));
    dan.replies(&past.post("deepReply"), "Further down").await;
    likes_again(&past, &cleo).await;
    past.ticks().await;
    let liked = past.known("liked").clone();
    assert_eq!(of_kind(&ann, "POST").await, [(liked.clone(), 2, false)]);
    assert_eq!(of_kind(&ann, "COMMENT").await, [(liked.clone(), 2, false)]);
    // Dan's like is added, and bob's removed like is subtracted.
    assert_eq!(of_kind(&ann, "LIKE").await, [(liked, 2, false)]);
    assert_eq!(of_kind(&bob, "POST").await[0], (past.known("edited").clone(), 1, false));
    // Gil and Dan unfollowed.
    assert_eq!(of_kind(&bob, "FOLLOW").await, [(json!(bob.public_id), 3, false)]);
    assert_eq!(of_kind(&bob, "NEW_MESSAGE").await[0].1, 4);
    assert_eq!(of_kind(&cleo, "FRIEND_REQUEST").await, [(json!(cleo.public_id), 1, false)]);
    let listed = ann.get("/notification").await.ok();
    let reply = listed.rows().iter().find(|row| row["type"] == "POST");
    assert_eq!(reply.unwrap()["message"], "cleo and bob replied to your post");
    let (_, cost) = past.world.cost_of(past.ticks()).await;
    assert_eq!((cost.events, cost.wru), (0, 0.0), "no event is pending");
}

/// Removes a like, then likes the post again. This must not notify again.
async fn likes_again(past: &Past, user: &Person) {
    user.unlikes(&past.post("liked")).await;
    past.world.settle().await;
    user.likes(&past.post("liked")).await;
    past.world.settle().await;
}

#[tokio::test]
async fn stored_notifications_without_a_push_are_pushed() {
    let past = Past::stored().await;
    let (_, cost) = past.world.cost_of(past.ticks()).await;
    assert!(cost.events >= 2, "an event with the total, and one for the notification: {cost:?}");
}
