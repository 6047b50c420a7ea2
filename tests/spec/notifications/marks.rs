//! Unread counts and read marks of notifications.

use serde_json::{Value, json};
use tests::World;

use super::{notifications, path, ticks, unread};
use crate::messages::{private_group, says};

#[tokio::test]
async fn a_notification_stays_read_until_a_new_event() {
    let (world, [ann, bob]) = World::with(["ann", "bob"]).await;
    let posts = [ann.writes("one").await, ann.writes("two").await, ann.writes("three").await];
    for post in &posts {
        bob.replies(post, "hi").await;
    }
    ticks(&world).await;
    assert_eq!(unread(&ann).await, 3);
    let first = notifications(&ann).await[0].clone();
    for _ in 0..2 {
        let read = ann.patch(&path(&first), Value::Null).await.ok();
        assert_eq!(read.data(), &json!({ "publicId": first["publicId"], "isRead": true }));
        assert_eq!(unread(&ann).await, 2);
    }
    let all = ann.patch("/notification/read-all", Value::Null).await.ok();
    assert_eq!((all.data(), unread(&ann).await), (&json!({ "updated": 2 }), 0));
    assert!(notifications(&ann).await.iter().all(|group| group["isRead"] == true));
    bob.replies(&posts[1], "again").await;
    ticks(&world).await;
    assert_eq!(unread(&ann).await, 1);
    bob.patch(&path(&first), Value::Null).await.refused(404, "NOT_FOUND");
    ann.patch("/notification/nonsense/read", Value::Null).await.refused(404, "NOT_FOUND");
}

#[tokio::test]
async fn groups_with_unread_messages_are_listed() {
    let (_world, [ann, bob], id) = private_group().await;
    assert_eq!(bob.get("/notification/message").await.ok().data(), &json!([]));
    says(&ann, &id, "hi").await;
    let row = json!({
        "publicId": id, "groupType": "PRIVATE", "lastMessageAt": "2026-01-01T00:00:00.000Z", "unreadCount": 1,
    });
    assert_eq!(bob.get("/notification/message").await.ok().data(), &json!([row]));
    assert_eq!(ann.get("/notification/message").await.ok().data(), &json!([]), "own messages never count");
    bob.patch(&format!("/message-group/{id}/read"), Value::Null).await.ok();
    assert_eq!(bob.get("/notification/message").await.ok().data(), &json!([]));
}

#[tokio::test]
async fn the_friend_request_count_starts_at_zero() {
    let (world, [ann]) = World::with(["ann"]).await;
    assert_eq!(ann.get("/notification/friend-request").await.ok().data(), &json!({ "count": 0 }));
    for path in ["", "/unread", "/message", "/friend-request"] {
        world.anyone.get(&format!("/notification{path}")).await.refused(401, "UNAUTHORIZED");
    }
}
