//! Checks the costs of hashtags against `shared/keys.toml`, with few and with many posts.

use serde_json::{Value, json};
use tests::{Person, World};

use super::follows_tag;
use crate::setup::MANY_WRITES;

const FOLLOWING: &str = "/posts/news-feed?type=FOLLOWING";

async fn writes(user: &Person, posts: usize, tag: &str) {
    for _ in 0..posts {
        user.posts(json!({ "content": "x".repeat(1000), "topic": tag })).await;
    }
}

#[tokio::test]
async fn a_hashtag_page_costs_the_same_for_few_and_many_posts() {
    let (world, [ann, bob]) = World::builder().settings(MANY_WRITES).start_with(["ann", "bob"]).await;
    for _ in 0..2 {
        writes(&ann, 30, "tea").await;
        world.advance(10).await;
        for budget in ["posts with a hashtag", "posts with a hashtag, from memory"] {
            let page = world.budget(budget, bob.get("/hashtags/tea/posts")).await;
            assert_eq!(page.ok().rows().len(), 20);
        }
    }
}

#[tokio::test]
async fn the_posts_of_a_followed_hashtag_are_cached() {
    let (world, [ann, bob, eve, cleo]) =
        World::builder().settings(MANY_WRITES).start_with(["ann", "bob", "eve", "cleo"]).await;
    for reader in [&ann, &eve] {
        reader.follows(&bob).await;
    }
    for _ in 0..25 {
        writes(&bob, 1, "coffee").await;
        world.advance(1).await;
        writes(&cleo, 1, "tea").await;
        world.advance(1).await;
    }
    world.settle().await;
    let (_, none) = world.cost_of(ann.get(FOLLOWING)).await;
    follows_tag(&ann, "tea").await;
    let (first, cold) = world.cost_of(ann.get(FOLLOWING)).await;
    let (_, warm) = world.cost_of(ann.get(FOLLOWING)).await;
    assert_eq!(first.rows().len(), 20);
    assert_eq!(cold.calls, none.calls + 1, "{cold:?}");
    assert!(warm.calls == none.calls && warm.rru <= none.rru, "{warm:?}, without {none:?}");
    let (_, other) = world.cost_of(eve.get(FOLLOWING)).await;
    assert_eq!(other, none, "readers without followed hashtags have no extra cost");
}

#[tokio::test]
async fn a_cached_hashtag_does_not_raise_the_cost_of_a_page() {
    let (world, [ann, bob, cleo]) =
        World::builder().settings(MANY_WRITES).start_with(["ann", "bob", "cleo"]).await;
    ann.follows(&bob).await;
    writes(&cleo, 1, "tea").await;
    world.advance(1).await;
    writes(&bob, 25, "coffee").await;
    world.settle().await;
    let (_, none) = world.cost_of(ann.get(FOLLOWING)).await;
    follows_tag(&ann, "tea").await;
    ann.get(FOLLOWING).await.ok();
    let (page, warm) = world.cost_of(ann.get(FOLLOWING)).await;
    assert_eq!(page.rows().len(), 20);
    assert!(warm.calls == none.calls && warm.rru <= none.rru, "{warm:?}, without {none:?}");
}

#[tokio::test]
async fn hashtag_requests_match_their_cost_budgets() {
    let (world, [ann]) = World::with(["ann"]).await;
    follows_tag(&ann, "coffee").await;
    world.budget("follow a hashtag", ann.post("/hashtags/tea/follow", Value::Null)).await;
    world.budget("followed hashtags", ann.get("/me/hashtags")).await;
    world.budget("trending hashtags", world.anyone.get("/hashtags/trending")).await;
    world.budget("trending hashtags, from memory", world.anyone.get("/hashtags/trending")).await;
}
