//! A toggle takes effect once, even if its response is lost or other users toggle concurrently.

use futures::future::join_all;
use serde_json::{Value, json};
use tests::{Answer, Fault};

use crate::setup::{crowd, world_with};

#[tokio::test]
async fn a_toggle_takes_effect_once_despite_a_lost_response() {
    let (world, [ann, bob]) = world_with(["ann", "bob"]).await;
    let post = ann.writes("hello").await;
    let own = bob.writes("my own").await;
    let group = format!("/message-group/{}/mute", bob.chats_with("ann").await);
    let toggles = [
        (post.path("/hide"), "isGhost"),
        (post.path("/mute"), "isMuted"),
        (own.path("/pin"), "isPinned"),
        ("/hashtags/books/follow".to_owned(), "isFollowing"),
        (group, "isMuted"),
        (ann.path("/mute"), "isMuted"),
        (ann.path("/follower"), "isFollowing"),
        (ann.path("/block"), "isBlocked"),
    ];
    for (path, flag) in toggles {
        for on in [true, false] {
            // The first update of a request writes the session row. A follow also updates the counter of the follow
            // limit.
            let counts = if path.ends_with("/follower") { 2 } else { 1 };
            world.faults.plan("UpdateItem", Fault::LostAnswer, counts, 1);
            world.faults.plan("PutItem", Fault::LostAnswer, 0, 1);
            world.faults.plan("TransactWriteItems", Fault::LostAnswer, 0, 1);
            let answer = bob.post(&path, Value::Null).await.ok();
            assert_eq!(answer.data()[flag], on, "{path}");
            assert!(world.faults.calm() > 0, "{path} writes");
        }
    }
}

#[tokio::test]
async fn twenty_concurrent_toggles_all_succeed() {
    let (world, [ann]) = world_with(["ann"]).await;
    let fans = crowd(&world, "fan", 0..20).await;
    let post = ann.writes("hello").await;
    let (hide, mute) = (post.path("/hide"), ann.path("/mute"));
    let count = |answers: Vec<Answer>, flag: &str| {
        answers.into_iter().filter(|answer| answer.clone().ok().data()[flag] == true).count()
    };
    let hidden = join_all(fans.iter().map(|fan| fan.post(&hide, Value::Null))).await;
    assert_eq!(count(hidden, "isGhost"), 10, "each request toggles the flag once");
    assert_eq!(ann.sees(&post).await["isGhost"], false);
    let muted = join_all((0..20).map(|_| fans[0].post(&mute, Value::Null))).await;
    assert_eq!(count(muted, "isMuted"), 10, "each request toggles the mute once");
    assert_eq!(fans[0].meets(&ann).await["isMuted"], false);
}

#[tokio::test]
async fn a_post_can_be_hidden_without_toggling() {
    let (_world, [ann, bob]) = world_with(["ann", "bob"]).await;
    let post = ann.writes("hello").await;
    for is_ghost in [true, true, false, false] {
        let answer = bob.post(&post.path("/hide"), json!({ "isGhost": is_ghost })).await.ok();
        assert_eq!(answer.data(), &json!({ "publicId": post.id, "isGhost": is_ghost }));
        assert_eq!(ann.sees(&post).await["isGhost"], is_ghost);
    }
}
