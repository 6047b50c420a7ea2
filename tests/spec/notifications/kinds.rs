//! Kinds of notifications other than replies. They are proposed features.

use domain::people::{follows::Followed, friendships::FriendRequested};
use platform::outbox::outbox_record_write;
use serde_json::{Value, json};
use tests::{Person, Post, World};

use super::{fields, notifications, one, signing_app, ticks};
use crate::messages::says;

#[tokio::test]
async fn each_proposed_kind_of_event_sends_a_notification() {
    let (world, [ann, bob, cleo]) = World::with(["ann", "bob", "cleo"]).await;
    add_events(&world, &ann, &bob, &cleo).await;
    ticks(&world).await;
    let rows = notifications(&ann).await;
    let summary: Vec<_> = rows.iter().map(|row| [&row["type"], &row["targetType"], &row["count"]]).collect();
    let expected = json!([
        ["FRIEND_REQUEST", "USER", 1],
        ["FOLLOW", "USER", 2],
        ["NEW_MESSAGE", "MESSAGE_GROUP", 2],
        ["MENTION", "POST", 1],
    ]);
    assert_eq!(json!(summary), expected);
    assert_eq!(notifications(&bob).await, Vec::<Value>::new(), "own actions do not notify");
    let follow = &rows[1];
    assert_eq!(follow["message"], "cleo and bob followed you");
    assert_eq!(follow["targetId"], json!(ann.public_id));
}

#[tokio::test]
async fn a_thread_author_is_notified_of_nested_comments() {
    let (world, [ann, bob, cleo], post) = World::with_post(["ann", "bob", "cleo"]).await;
    let reply = bob.replies(&post, "hi").await;
    let below = cleo.replies(&reply, "hey").await;
    bob.replies(&below, "ho").await;
    ann.replies(&below, "my own thread").await;
    ticks(&world).await;
    let summary = async |person: &Person| -> Vec<_> {
        let rows = notifications(person).await;
        rows.iter().map(|row| [&row["type"], &row["targetId"], &row["count"]].map(Value::clone)).collect()
    };
    let of_reply = |to: &Post, count| [json!("POST"), json!(to.id), json!(count)];
    assert_eq!(summary(&ann).await, [[json!("COMMENT"), json!(post.id), json!(2)], of_reply(&post, 1)]);
    assert_eq!(summary(&bob).await, [of_reply(&reply, 1)], "a reply is not also a comment");
    assert_eq!(summary(&cleo).await, [of_reply(&below, 2)]);
    assert_eq!(notifications(&ann).await[0]["message"], "bob and cleo commented on your post");
}

#[tokio::test]
async fn a_reply_notifies_the_author_of_a_thread_once() {
    let (world, [ann, bob], post) = World::with_post(["ann", "bob"]).await;
    let more = ann.replies(&post, "and").await;
    bob.replies(&more, "hi").await;
    ticks(&world).await;
    assert_eq!(one(&ann).await["type"], "POST");
}

#[tokio::test]
async fn a_muted_user_causes_no_notifications() {
    let (world, [ann, bob, cleo]) = World::with(["ann", "bob", "cleo"]).await;
    ann.post("/user/bob/mute", Value::Null).await.ok();
    let post = ann.writes("hello").await;
    bob.replies(&post, "hi").await;
    cleo.replies(&post, "hi").await;
    bob.posts(json!({ "content": "hi", "mentions": [ann.id] })).await;
    ticks(&world).await;
    assert_eq!(fields(&ann, ["count", "actorIds"]).await, json!([1, [cleo.public_id]]));
}

#[tokio::test]
async fn without_proposed_features_only_replies_notify() {
    let (world, [ann, bob, cleo]) =
        World::builder().settings(&[("PROPOSED_FEATURES", "off")]).start_with(["ann", "bob", "cleo"]).await;
    let post = ann.writes("hello").await;
    let reply = bob.replies(&post, "hi").await;
    cleo.replies(&reply, "hey").await;
    add_events(&world, &ann, &bob, &cleo).await;
    ticks(&world).await;
    assert_eq!(one(&ann).await["type"], "POST");
}

/// Creates events that notify ann: a mention, messages, follows and a friend request.
async fn add_events(world: &World, ann: &Person, bob: &Person, cleo: &Person) {
    bob.posts(json!({ "content": "hi", "mentions": [ann.id, bob.id] })).await;
    world.advance(1).await;
    let group = bob.chats_with("ann").await;
    for text in ["one", "two"] {
        says(bob, &group, text).await;
    }
    let app = signing_app(world);
    let following_id = ann.id.parse().unwrap();
    for follower in [bob, cleo] {
        world.advance(1).await;
        let (follower_id, created_at) = (follower.id.parse().unwrap(), app.now());
        let (notified_as, is_repeated) = (None, false);
        let followed = Followed { follower_id, following_id, created_at, notified_as, is_repeated };
        app.table.write(outbox_record_write(&app).then_publish(&followed)).await.unwrap();
    }
    world.advance(1).await;
    let (sender_id, receiver_id, created_at) = (cleo.id.parse().unwrap(), following_id, app.now());
    let requested = FriendRequested { sender_id, receiver_id, created_at };
    app.table.write(outbox_record_write(&app).then_publish(&requested)).await.unwrap();
    world.settle().await;
}
