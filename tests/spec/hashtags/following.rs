//! Following hashtags. The FOLLOWING feed includes posts with followed hashtags.

use futures::future::join_all;
use serde_json::{Value, json};
use tests::{Fault, Person, World};

use super::{contents, follows_tag};
use crate::setup::MANY_WRITES;

const FEED: &str = "/posts/news-feed?type=FOLLOWING";
const LIST: &str = "/me/hashtags";

async fn followed(user: &Person) -> Vec<Value> {
    user.get(LIST).await.ok().column("name")
}

#[tokio::test]
async fn hashtags_can_be_followed_listed_and_unfollowed() {
    let (world, [ann, bob]) = World::with(["ann", "bob"]).await;
    assert!(followed(&ann).await.is_empty());
    follows_tag(&ann, "Tea").await;
    world.advance(1).await;
    let toggled = ann.post("/hashtags/c%C3%A0/follow", Value::Null).await.ok();
    assert_eq!(toggled.data(), &json!({ "name": "cà", "isFollowing": true }));
    follows_tag(&ann, "tea").await;
    let list = ann.get(LIST).await.ok();
    assert_eq!(list.after(), None);
    let expected = json!([
        { "name": "cà", "createdAt": "2026-01-01T00:00:01.000Z" },
        { "name": "tea", "createdAt": "2026-01-01T00:00:00.000Z" },
    ]);
    assert_eq!(list.data(), &expected);
    let toggled = ann.post("/hashtags/TEA/follow", Value::Null).await.ok();
    assert_eq!(toggled.data(), &json!({ "name": "tea", "isFollowing": false }));
    for time in ["once", "again"] {
        let ended = ann.post("/hashtags/C%C3%80/follow", json!({ "isFollowing": false })).await.ok();
        assert_eq!(ended.data()["isFollowing"], false, "{time}");
    }
    assert!(followed(&ann).await.is_empty() && followed(&bob).await.is_empty());
}

#[tokio::test]
async fn a_user_can_follow_at_most_100_hashtags() {
    let (_world, [ann]) = World::builder().settings(MANY_WRITES).start_with(["ann"]).await;
    for number in 0..100 {
        follows_tag(&ann, &format!("tag{number}")).await;
    }
    let refused = ann.post("/hashtags/more/follow", Value::Null).await;
    let message = refused.refused(400, "VALIDATION_FAILED");
    assert_eq!(message, "tag: the limit of 100 followed hashtags is reached. Unfollow one first.");
    follows_tag(&ann, "tag7").await;
    ann.post("/hashtags/tag7/follow", json!({ "isFollowing": false })).await.ok();
    follows_tag(&ann, "more").await;
    assert_eq!(followed(&ann).await.len(), 100);
}

#[tokio::test]
async fn concurrent_and_retried_hashtag_follows_take_effect() {
    let (world, [ann]) = World::with(["ann"]).await;
    let tags: Vec<_> = (0..6).map(|n| format!("tag{n}")).collect();
    join_all(tags.iter().map(|tag| follows_tag(&ann, tag))).await;
    let mut names = followed(&ann).await;
    names.sort_by_key(Value::to_string);
    assert_eq!(names, tags);
    world.faults.next("PutItem", Fault::LostAnswer);
    ann.post("/hashtags/lost/follow", Value::Null).await.ok();
    assert_ne!(world.faults.calm(), 0);
    assert_eq!(followed(&ann).await[0], "lost", "the retry does not undo the follow");
}

#[tokio::test]
async fn posts_with_followed_hashtags_appear_once_and_in_order() {
    let (world, [ann, bob, eve]) = World::with(["ann", "bob", "eve"]).await;
    ann.follows(&bob).await;
    follows_tag(&ann, "tea").await;
    follows_tag(&ann, "cups").await;
    eve.writes("before #tea").await;
    bob.writes("of bob #tea").await;
    ann.writes("of ann").await;
    eve.posts(json!({ "content": "for few #tea", "visibility": "FRIEND" })).await;
    let post = eve.posts(json!({ "content": "#tea in", "topic": "cups" })).await;
    eve.replies(&post, "reply #tea").await;
    eve.writes("not followed #coffee").await;
    world.settle().await;
    world.advance(1).await;
    let expected = ["#tea in", "of ann", "of bob #tea", "before #tea"];
    assert_eq!(contents(&ann, FEED).await, expected);
    assert_eq!(ann.all_in_full_pages(FEED, 2, "content").await, expected);
    ann.post("/hashtags/tea/follow", Value::Null).await.ok();
    assert_eq!(contents(&ann, FEED).await, ["#tea in", "of ann", "of bob #tea"]);
    assert_eq!(contents(&bob, FEED).await, ["of bob #tea"], "other feeds do not change");
}

#[tokio::test]
async fn blocks_and_mutes_hide_posts_with_followed_hashtags() {
    let (world, [ann, bob, eve, dan, cleo]) = World::with(["ann", "bob", "eve", "dan", "cleo"]).await;
    follows_tag(&ann, "tea").await;
    for author in [&bob, &eve, &dan, &cleo] {
        author.writes(&format!("of {} #tea", author.name)).await;
    }
    cleo.writes("a spoiler #tea").await;
    bob.blocks(&ann).await;
    ann.post(&eve.path("/mute"), json!({ "isMuted": true })).await.ok();
    ann.post("/me/muted-words", json!({ "word": "spoiler" })).await.ok();
    ann.follows(&dan).await;
    ann.unfollows(&dan).await;
    world.settle().await;
    world.advance(1).await;
    assert_eq!(contents(&ann, FEED).await, ["of cleo #tea"]);
}
