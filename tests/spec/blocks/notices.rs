//! Notifications about blocked and muted users.

use serde_json::{Value, json};
use tests::{Person, Post, World};

use crate::notifications::{notifications, one, ticks, unread};

#[tokio::test]
async fn pending_events_of_a_blocked_or_muted_user_do_not_notify() {
    for way in ["/block", "/mute"] {
        let (world, [ann, bob, cleo]) = World::with(["ann", "bob", "cleo"]).await;
        let posts = [ann.writes("bob alone").await, ann.writes("both").await, ann.writes("bob twice").await];
        bob.replies(&posts[0], "hi").await;
        for user in [&bob, &cleo, &bob] {
            user.replies(&posts[1], "hi").await;
        }
        for text in ["hi", "there"] {
            bob.replies(&posts[2], text).await;
        }
        ann.post(&bob.path(way), Value::Null).await.ok();
        ticks(&world).await;
        let notification = one(&ann).await;
        check_only_cleo_replied(&notification, &posts[1], &cleo);
        assert_eq!(unread(&ann).await, 1, "{way}");
        ann.post(&bob.path(way), Value::Null).await.ok();
        bob.replies(&posts[0], "again").await;
        ticks(&world).await;
        assert_eq!(of(&ann, &posts[0]).await["count"], 1, "the dropped reply is not counted");
    }
}

#[tokio::test]
async fn a_retried_flush_adds_no_blocked_user_to_a_notification() {
    let (world, [ann, bob, cleo]) = World::with(["ann", "bob", "cleo"]).await;
    let post = ann.writes("hello").await;
    for user in [&bob, &cleo] {
        user.replies(&post, "hi").await;
    }
    ann.blocks(&bob).await;
    for operation in ["BatchWriteItem", "DeleteItem"] {
        world.faults.next(operation, tests::Fault::Crash);
    }
    ticks(&world).await;
    assert!(world.faults.calm() > 0);
    let notification = one(&ann).await;
    assert_eq!(json!([notification["count"], notification["actorIds"]]), json!([1, [cleo.public_id]]));
}

#[tokio::test]
async fn a_block_or_mute_hides_earlier_notifications() {
    for way in ["/block", "/mute"] {
        let (world, [ann, bob, cleo]) = World::with(["ann", "bob", "cleo"]).await;
        let posts = [ann.writes("bob alone").await, ann.writes("both").await];
        bob.replies(&posts[0], "hi").await;
        for user in [&cleo, &bob] {
            user.replies(&posts[1], "hi").await;
        }
        ticks(&world).await;
        let before = notifications(&ann).await;
        assert_eq!((before.len(), unread(&ann).await), (2, 2));
        ann.post(&bob.path(way), Value::Null).await.ok();
        let notification = one(&ann).await;
        check_only_cleo_replied(&notification, &posts[1], &cleo);
        assert_eq!(notification["actors"].as_array().unwrap().len(), 1);
        assert_eq!(notification["actors"][0]["username"], "cleo");
        assert_eq!(notification["isRead"], false);
        assert_eq!(unread(&ann).await, 1, "{way}");
        ann.post(&bob.path(way), Value::Null).await.ok();
        let after = (notifications(&ann).await, unread(&ann).await);
        assert_eq!(after, (before, 2), "ending the block or mute restores the notifications");
    }
}

#[tokio::test]
async fn a_blocked_user_sees_no_notifications_from_the_blocker() {
    let (world, [ann, bob]) = World::with(["ann", "bob"]).await;
    let post = bob.writes("hello").await;
    ann.replies(&post, "hi").await;
    ticks(&world).await;
    assert_eq!(unread(&bob).await, 1);
    ann.blocks(&bob).await;
    assert_eq!((notifications(&bob).await.len(), unread(&bob).await), (0, 0));
}

#[tokio::test]
async fn notification_pages_stay_full_if_rows_are_hidden() {
    let world = World::builder().settings(&[("WRITE_LIMIT_PER_5_MIN", "1000")]).start().await;
    let [ann, bob, cleo] = world.people(["ann", "bob", "cleo"]).await;
    let mut visible = Vec::new();
    for number in 0..12 {
        world.advance(1).await;
        let post = ann.writes("hello").await;
        let user = if number % 4 == 0 { &cleo } else { &bob };
        user.replies(&post, "hi").await;
        visible.extend((number % 4 == 0).then(|| json!(post.id)));
    }
    visible.reverse();
    ticks(&world).await;
    ann.blocks(&bob).await;
    assert_eq!(ann.all_in_full_pages("/notification", 2, "targetId").await, visible);
}

/// Asserts that the notification counts exactly one reply to the post, by cleo.
#[track_caller]
fn check_only_cleo_replied(notification: &Value, post: &Post, cleo: &Person) {
    let fields = ["targetId", "count", "actorIds", "lastActorId", "message"];
    let expected = json!([post.id, 1, [cleo.public_id], cleo.public_id, "cleo replied to your post"]);
    assert_eq!(json!(fields.map(|field| &notification[field])), expected);
}

async fn of(user: &Person, post: &Post) -> Value {
    let all = notifications(user).await;
    all.into_iter().find(|notification| notification["targetId"] == post.id.as_str()).unwrap()
}
