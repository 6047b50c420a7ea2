//! Feed caches in memory, which reduce reads of hot partitions.

use serde_json::{Value, json};
use tests::{Cost, Person, World, check_cost};

use crate::{hashtags::contents, posts::world_enforcing};

const FOR_YOU: &str = "/posts/news-feed";
const FOLLOWING: &str = "/posts/news-feed?type=FOLLOWING";

async fn reads(world: &World, user: &Person, path: &str) -> (Vec<Value>, Cost) {
    let (answer, cost) = world.cost_of(user.get(path)).await;
    (answer.ok().column("content"), cost)
}

#[tokio::test]
async fn all_users_share_a_feed_page_that_is_cached_for_a_second() {
    for enforced in ["off", "on"] {
        let (world, [ann, bob, cleo]) = world_enforcing(enforced, ["ann", "bob", "cleo"]).await;
        ann.writes("hello").await;
        world.settle().await;
        world.advance(10).await;
        reads(&world, &bob, FOR_YOU).await;
        for reader in [&bob, &cleo] {
            let (feed, cost) = reads(&world, reader, FOR_YOU).await;
            assert_eq!(feed, ["hello"]);
            check_cost("FOR_YOU, from memory", &cost);
        }
        world.advance(1).await;
        let (_, cost) = reads(&world, &bob, FOR_YOU).await;
        check_cost("FOR_YOU, from memory, after a second", &cost);
    }
}

#[tokio::test]
async fn a_user_who_just_wrote_bypasses_the_cached_feed_page() {
    let (world, [ann, bob], post) = World::with_post(["ann", "bob"]).await;
    world.advance(10).await;
    assert_eq!(contents(&bob, FOR_YOU).await, ["hello"]);
    // A write of ann lets only ann bypass the cache.
    ann.post("/auth/profile", json!({ "bio": "here" })).await.ok();
    hide(&world, &post.id).await;
    assert_eq!(contents(&bob, FOR_YOU).await, ["hello"], "the cached page is at most a second old");
    assert!(contents(&ann, FOR_YOU).await.is_empty(), "a writer gets no cached page");
    world.advance(1).await;
    assert!(contents(&bob, FOR_YOU).await.is_empty());
}

#[tokio::test]
async fn a_popular_authors_posts_are_cached_for_a_second() {
    let (world, [ann, bob, cleo]) =
        World::builder().settings(&[("FANOUT_MAX_FOLLOWERS", "1")]).start_with(["ann", "bob", "cleo"]).await;
    for fan in [&bob, &cleo] {
        fan.follows(&ann).await;
    }
    world.settle().await;
    ann.writes("first").await;
    world.settle().await;
    ann.writes("second").await;
    world.settle().await;
    world.advance(1).await;
    let (feed, first) = reads(&world, &bob, FOLLOWING).await;
    assert_eq!(feed, ["second", "first"]);
    let (feed, next) = reads(&world, &cleo, FOLLOWING).await;
    assert_eq!(feed, ["second", "first"]);
    assert_eq!(first.calls - next.calls, 1, "ann's posts are read once: {first:?}, {next:?}");
    ann.writes("third").await;
    world.advance(1).await;
    assert_eq!(contents(&cleo, FOLLOWING).await, ["third", "second", "first"]);
}

#[tokio::test]
async fn feed_pages_have_posts_older_than_the_cached_posts() {
    let (world, [ann, bob, cleo]) = World::builder()
        .settings(&[("FANOUT_MAX_FOLLOWERS", "1"), ("WRITE_LIMIT_PER_5_MIN", "1000")])
        .start_with(["ann", "bob", "cleo"])
        .await;
    for fan in [&bob, &cleo] {
        fan.follows(&ann).await;
    }
    ann.writes("0").await;
    world.settle().await;
    for number in 1..60 {
        ann.writes(&number.to_string()).await;
    }
    let seen = bob.all(FOLLOWING, 13, "content").await;
    let written: Vec<_> = (0..60).rev().map(|number| number.to_string()).collect();
    assert_eq!(seen, written);
}

/// Hides a post from lists as moderation does, and invalidates the caches.
async fn hide(world: &World, post: &str) {
    use platform::table::{Index, Key, Write};
    let key = Key::new(format!("POST#{post}"), "POST");
    let shard: u128 = post.parse::<domain::ids::PostId>().unwrap().random() % 4;
    let hidden = Write::update(key).set("isHidden", true).index_key(Index::Gsi2, None);
    world.app().table.write(hidden).await.unwrap();
    let version = Key::new("FEED", format!("VERSION#{shard}"));
    world.app().table.write(Write::update(version).add("version", 1)).await.unwrap();
}
