//! A toggle takes effect once, even if its response is lost or other users toggle concurrently.

use std::iter::repeat_n;

use futures::future::join_all;
use serde_json::{Value, json};
use tests::{Answer, Fault, Person, World};

use crate::setup::crowd;

#[tokio::test]
async fn a_toggle_takes_effect_once_despite_a_lost_response() {
    let (world, [ann, bob]) = World::with(["ann", "bob"]).await;
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
    let (world, [ann]) = World::with(["ann"]).await;
    let fans = crowd(&world, "fan", 0..20).await;
    let post = ann.writes("hello").await;
    let (hide, mute) = (post.path("/hide"), ann.path("/mute"));
    let hidden = join_all(fans.iter().map(|fan| fan.post(&hide, Value::Null))).await;
    assert_eq!(count_on(hidden, "isGhost"), 10, "each request toggles the flag once");
    assert_eq!(ann.sees(&post).await["isGhost"], false);
    let muted = join_all((0..20).map(|_| fans[0].post(&mute, Value::Null))).await;
    assert_eq!(count_on(muted, "isMuted"), 10, "each request toggles the mute once");
    assert_eq!(fans[0].meets(&ann).await["isMuted"], false);
}

/// Returns how many responses have the flag set. Panics unless all requests succeeded.
fn count_on(answers: Vec<Answer>, flag: &str) -> usize {
    answers.into_iter().filter(|answer| answer.clone().ok().data()[flag] == true).count()
}

#[tokio::test]
async fn concurrent_follow_toggles_of_12_users_each_flip_once() {
    let (world, [ann]) = World::with(["ann"]).await;
    let fans = crowd(&world, "fan", 0..12).await;
    let path = ann.path("/follower");
    // The fans toggle once, twice, three times, once, and so on. After two toggles, a fan does not follow.
    let togglers: Vec<&Person> =
        fans.iter().enumerate().flat_map(|(number, fan)| repeat_n(fan, number % 3 + 1)).collect();
    let answers = join_all(togglers.iter().map(|fan| fan.post(&path, Value::Null))).await;
    assert_eq!(count_on(answers, "isFollowing"), 16, "each request toggles the follow once");
    let followers = ann.all(&ann.path("/followers"), 5, "username").await;
    for (number, fan) in fans.iter().enumerate() {
        let is_following = number % 3 != 1;
        assert_eq!(followers.contains(&json!(fan.name)), is_following, "{}", fan.name);
        assert_eq!(fan.meets(&ann).await["isFollowing"], is_following, "{}", fan.name);
        assert_eq!(fan.meets(fan).await["followingCount"], i64::from(is_following), "{}", fan.name);
    }
    assert_eq!((followers.len(), &ann.meets(&ann).await["followersCount"]), (8, &json!(8)));
}

#[tokio::test]
async fn concurrent_follow_toggles_of_one_user_each_flip_once() {
    let (_world, [ann, bob]) = World::with(["ann", "bob"]).await;
    let path = ann.path("/follower");
    // Each failed attempt is due to a different toggle. So at most 6 of the 8 attempts of a request fail.
    let answers = join_all((0..7).map(|_| bob.post(&path, Value::Null))).await;
    assert_eq!(count_on(answers, "isFollowing"), 4, "each request toggles the follow once");
    assert_eq!(bob.meets(&ann).await["isFollowing"], true);
    assert_eq!(ann.get(&ann.path("/followers")).await.ok().column("username"), ["bob"]);
    assert_eq!(ann.meets(&ann).await["followersCount"], 1);
    assert_eq!(bob.meets(&bob).await["followingCount"], 1);
}

#[tokio::test]
async fn a_post_can_be_hidden_without_toggling() {
    let (_world, [ann, bob]) = World::with(["ann", "bob"]).await;
    let post = ann.writes("hello").await;
    for is_ghost in [true, true, false, false] {
        let answer = bob.post(&post.path("/hide"), json!({ "isGhost": is_ghost })).await.ok();
        assert_eq!(answer.data(), &json!({ "publicId": post.id, "isGhost": is_ghost }));
        assert_eq!(ann.sees(&post).await["isGhost"], is_ghost);
    }
}
