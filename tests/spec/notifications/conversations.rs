//! Notifications about new messages and about repeated follows.

use serde_json::{Value, json};
use tests::{Person, World};

use super::{fields, one, ticks, unread};
use crate::messages::{id, private_group, says};

#[tokio::test]
async fn reading_a_conversation_marks_its_notification_as_read() {
    let (world, [ann, bob], group) = private_group().await;
    says(&bob, &group, "hello").await;
    ticks(&world).await;
    assert_eq!((unread(&ann).await, unread_messages(&ann).await), (1, 1));
    reads(&ann, &group).await;
    world.settle().await;
    assert_eq!((unread(&ann).await, unread_messages(&ann).await), (0, 0));
    assert_eq!(one(&ann).await["isRead"], true);
    world.advance(1).await;
    says(&bob, &group, "again").await;
    ticks(&world).await;
    assert_eq!((unread(&ann).await, unread_messages(&ann).await), (1, 1), "the later message is unread");
}

#[tokio::test]
async fn a_read_conversation_has_no_unread_notification() {
    let (world, [ann, bob], group) = private_group().await;
    says(&bob, &group, "hello").await;
    world.settle().await;
    reads(&ann, &group).await;
    ticks(&world).await;
    assert_eq!((unread(&ann).await, unread_messages(&ann).await), (0, 0));
    assert_eq!(one(&ann).await["isRead"], true);
}

#[tokio::test]
async fn reading_a_conversation_covers_a_deleted_message() {
    for earlier in [None, Some("seen before")] {
        let (world, [ann, bob], group) = private_group().await;
        if let Some(text) = earlier {
            says(&bob, &group, text).await;
            reads(&ann, &group).await;
            world.advance(1).await;
        }
        let deleted = id(&says(&bob, &group, "a mistake").await);
        ticks(&world).await;
        bob.delete(&format!("/message-group/{group}/messages/{deleted}")).await.ok();
        assert_eq!((unread(&ann).await, unread_messages(&ann).await), (1, 0), "{earlier:?}");
        reads(&ann, &group).await;
        world.settle().await;
        assert_eq!((unread(&ann).await, unread_messages(&ann).await), (0, 0), "{earlier:?}");
        world.advance(1).await;
        says(&bob, &group, "again").await;
        ticks(&world).await;
        assert_eq!((unread(&ann).await, unread_messages(&ann).await), (1, 1), "{earlier:?}");
    }
}

#[tokio::test]
async fn messages_after_the_read_mark_stay_unread() {
    let (world, [ann, bob], group) = private_group().await;
    let first = id(&says(&bob, &group, "hello").await);
    world.advance(1).await;
    says(&bob, &group, "again").await;
    ticks(&world).await;
    let path = format!("/message-group/{group}/read");
    ann.patch(&path, json!({ "lastSeenMessageId": first })).await.ok();
    world.settle().await;
    assert_eq!((unread(&ann).await, unread_messages(&ann).await), (1, 1));
}

#[tokio::test]
async fn a_repeated_follow_notifies_once_a_day() {
    let (world, [ann, bob]) = World::with(["ann", "bob"]).await;
    for is_read in [false, true, true] {
        bob.follows(&ann).await;
        ticks(&world).await;
        assert_eq!(fields(&ann, ["count", "isRead"]).await, json!([1, is_read]));
        ann.patch("/notification/read-all", Value::Null).await.ok();
        bob.unfollows(&ann).await;
        world.settle().await;
    }
    world.advance(24 * 60 * 60).await;
    let bob = bob.signs_in().await;
    bob.follows(&ann).await;
    ticks(&world).await;
    let group = one(&ann.signs_in().await).await;
    assert_eq!(json!([group["count"], group["isRead"]]), json!([1, false]), "notifies again a day later");
}

async fn reads(person: &Person, group: &str) {
    person.patch(&format!("/message-group/{group}/read"), Value::Null).await.ok();
}

async fn unread_messages(person: &Person) -> i64 {
    let groups = person.get("/notification/message").await.ok();
    groups.data().as_array().unwrap().iter().map(|group| group["unreadCount"].as_i64().unwrap()).sum()
}
