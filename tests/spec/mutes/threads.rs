//! Muted threads.

use serde_json::{Value, json};
use tests::{Fault, Person, Post, World};

use crate::notifications::{notifications, ticks};

async fn sets(user: &Person, post: &Post, body: Value) -> Value {
    user.post(&post.path("/mute"), body).await.ok().data()["isMuted"].clone()
}

#[tokio::test]
async fn a_thread_mute_can_be_toggled_or_set_explicitly() {
    let (_world, [ann, bob]) = World::with(["ann", "bob"]).await;
    let post = ann.writes("hello").await;
    let reply = bob.replies(&post, "hi").await;
    let repost = bob.reposts(&reply).await;
    for (named, body, is_muted) in [
        (&post, Value::Null, true),
        (&repost, json!({ "isMuted": true }), true),
        (&reply, Value::Null, false),
        (&reply, json!({ "isMuted": true }), true),
        (&post, json!({ "isMuted": true }), true),
        (&post, json!({}), false),
        (&post, json!({ "isMuted": false }), false),
    ] {
        let muted = sets(&ann, named, body.clone()).await;
        assert_eq!(muted, is_muted, "{body}: a mute applies to the whole thread of the post");
    }
    for body in [json!({ "isMuted": "yes" }), json!({ "muted": true }), json!([])] {
        ann.post(&post.path("/mute"), body).await.refused(400, "VALIDATION_FAILED");
    }
    ann.deletes(&post).await;
    ann.post(&post.path("/mute"), Value::Null).await.refused(404, "NOT_FOUND");
    ann.post("/posts/nonsense/mute", Value::Null).await.refused(404, "NOT_FOUND");
}

#[tokio::test]
async fn a_thread_mute_is_toggled_once_despite_a_lost_response() {
    let (world, [ann, bob]) = World::with(["ann", "bob"]).await;
    let post = ann.writes("hello").await;
    for on in [true, false] {
        world.faults.plan("PutItem", Fault::LostAnswer, 0, 1);
        assert_eq!(sets(&bob, &post, Value::Null).await, on);
        assert_eq!(world.faults.calm(), 1);
    }
}

#[tokio::test]
async fn a_muted_thread_causes_no_notifications() {
    let (world, [ann, bob, cleo]) = World::with(["ann", "bob", "cleo"]).await;
    let (post, other) = (ann.writes("muted").await, ann.writes("not muted").await);
    let add_events = async |thread: &Post| {
        let reply = bob.replies(thread, "hi").await;
        let below = cleo.replies(&reply, "a comment").await;
        let mention = json!({ "content": "you", "mentions": [ann.id] });
        cleo.post(&below.path("/reply"), mention).await.ok();
        let own = ann.replies(&below, "mine").await;
        bob.replies(&own, "to that").await;
        for liked in [thread, &own] {
            cleo.likes(liked).await;
        }
    };
    assert_eq!(sets(&ann, &post, Value::Null).await, true);
    add_events(&post).await;
    world.settle().await;
    ticks(&world).await;
    assert_eq!(notifications(&ann).await, Vec::<Value>::new());
    assert!(!notifications(&bob).await.is_empty(), "bob is notified");
    add_events(&other).await;
    world.settle().await;
    ticks(&world).await;
    assert!(notifications(&ann).await.len() >= 5);

    assert_eq!(sets(&ann, &post, Value::Null).await, false);
    bob.replies(&post, "again").await;
    ticks(&world).await;
    assert_eq!(notifications(&ann).await[0]["targetId"], json!(post.id));
}

#[tokio::test]
async fn a_muted_thread_stays_readable_and_counts_likes() {
    let (world, [ann, bob]) = World::with(["ann", "bob"]).await;
    let post = ann.writes("hello").await;
    sets(&ann, &post, Value::Null).await;
    bob.replies(&post, "hi").await;
    bob.likes(&post).await;
    world.settle().await;
    assert_eq!(ann.get(&post.path("/replies")).await.ok().rows().len(), 1);
    assert_eq!(ann.sees(&post).await["likesCount"], 1);
    assert_eq!(ann.get(&post.path("/likes")).await.ok().column("username"), ["bob"]);
}

#[tokio::test]
async fn an_invisible_post_cannot_be_muted() {
    let builder = World::builder().settings(&[("ENFORCE_VISIBILITY", "on")]);
    let (_world, [ann, bob]) = builder.start_with(["ann", "bob"]).await;
    let post = ann.posts(json!({ "content": "mine", "visibility": "PRIVATE" })).await;
    bob.post(&post.path("/mute"), Value::Null).await.refused(404, "NOT_FOUND");
    assert_eq!(sets(&ann, &post, Value::Null).await, true);
}
