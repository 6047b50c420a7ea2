//! Costs of reading lists: friends, muted users and words, likers, reposters, quotes and replies.

use serde_json::{Value, json};
use tests::{Cost, Person, Post, World, check_cost};

use super::kilobyte;
use crate::{
    friends::request_path,
    setup::{MANY_WRITES, crowd, start_with, world_with},
};

#[tokio::test]
async fn long_lists_of_friends_cost_the_same_as_short_ones() {
    let (world, [ann]) = start_with(World::builder().settings(MANY_WRITES), ["ann"]).await;
    let mut first = None;
    for many in [0..25, 25..50] {
        for fan in crowd(&world, "fan", many).await {
            fan.befriends(&ann).await;
            ann.patch(&request_path(&fan, "accept"), Value::Null).await.ok();
            ann.post(&fan.path("/mute"), json!({ "isMuted": true })).await.ok();
        }
        let mut costs = Vec::new();
        for (budget, list) in [("friends", "/me/friends"), ("muted users", "/me/muted")] {
            let (page, cost) = world.cost_of(ann.get(list)).await;
            assert_eq!(page.ok().rows().len(), 20);
            check_cost(budget, &cost);
            costs.push(cost);
        }
        assert_eq!(first.get_or_insert(costs.clone()), &costs);
    }
    world.budget("end a friendship", ann.delete("/me/friends/fan01")).await.ok();
}

/// Returns the cost of reading each of a post's lists as a signed-in user.
async fn costs(world: &World, reader: &Person, post: &Post) -> Vec<Cost> {
    let mut costs = Vec::new();
    for (budget, list) in [("likers", "/likes"), ("reposters", "/reposts"), ("quotes", "/quotes")] {
        let (page, cost) = world.cost_of(reader.get(&post.path(list))).await;
        assert_eq!(page.ok().rows().len(), 20, "{list}");
        check_cost(budget, &cost);
        costs.push(cost);
    }
    costs
}

#[tokio::test]
async fn long_lists_of_likes_and_shares_cost_the_same_as_short_ones() {
    let (world, [ann, bob]) = world_with(["ann", "bob"]).await;
    let post = ann.writes(&kilobyte()).await;
    let mut first = None;
    for many in [0..25, 25..50] {
        for fan in crowd(&world, "fan", many).await {
            fan.likes(&post).await;
            world.settle().await;
            fan.reposts(&post).await;
            fan.quotes(&post, &kilobyte()).await;
        }
        world.settle().await;
        let costs = costs(&world, &bob, &post).await;
        assert_eq!(first.get_or_insert(costs.clone()), &costs);
    }
}

#[tokio::test]
async fn listing_many_replies_costs_the_same_as_listing_few() {
    let (world, [ann, bob]) = world_with(["ann", "bob"]).await;
    let post = ann.writes("hello").await;
    let mut first = None;
    for many in [0..25, 25..50] {
        for fan in crowd(&world, "fan", many).await {
            fan.replies(&post, &"x".repeat(300)).await;
        }
        world.settle().await;
        let (page, cost) = world.cost_of(bob.get(&post.path("/replies"))).await;
        assert_eq!(page.ok().rows().len(), 20);
        check_cost("replies", &cost);
        assert_eq!(first.get_or_insert(cost.clone()), &cost);
    }
}

#[tokio::test]
async fn word_and_thread_mute_requests_match_their_cost_budgets() {
    let (world, [ann, bob]) = world_with(["ann", "bob"]).await;
    let post = bob.writes(&kilobyte()).await;
    for word in ["spoiler", "another"] {
        world.budget("mute a word", ann.post("/me/muted-words", json!({ "word": word }))).await.ok();
    }
    world.budget("muted words", ann.get("/me/muted-words")).await;
    world.budget("mute a thread", ann.post(&post.path("/mute"), Value::Null)).await.ok();
}
