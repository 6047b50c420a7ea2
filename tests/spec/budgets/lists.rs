//! Costs of reading lists: users, friends, muted users and words, likers, reposters, quotes and replies.

use serde_json::{Value, json};
use tests::{Person, World, check_cost};

use super::kilobyte;
use crate::{
    friends::request_path,
    setup::{MANY_WRITES, crowd},
};

/// A request: its budget, its user and its path.
type Read<'a> = (&'a str, &'a Person, &'a str);

/// Checks the costs of requests after `grow` was called with 25 users, and again with 25 further users. Panics if the
/// costs differ, or if a list does not have 20 rows.
async fn check_costs_of_growing_lists<const N: usize>(
    world: &World,
    reads: [Read<'_>; N],
    grow: impl AsyncFn(Vec<Person>),
) {
    let mut first = None;
    for numbers in [0..25, 25..50] {
        grow(crowd(world, "fan", numbers).await).await;
        let mut costs = Vec::new();
        for (budget, reader, path) in reads {
            let (answer, cost) = world.cost_of(reader.get(path)).await;
            let rows = answer.ok().data().as_array().map(Vec::len);
            assert!(rows.is_none_or(|rows| rows == 20), "{path}: {rows:?}");
            check_cost(budget, &cost);
            costs.push(cost);
        }
        assert_eq!(first.get_or_insert(costs.clone()), &costs);
    }
}

#[tokio::test]
async fn long_lists_of_users_cost_the_same_as_short_ones() {
    let (world, [ann, bob]) = World::with(["ann", "bob"]).await;
    let reads = [
        ("profile", &bob, "/user/ann"),
        ("followers", &bob, "/user/ann/followers"),
        ("received friend requests", &ann, "/me/friend-requests/received"),
    ];
    let grow = async |fans: Vec<Person>| {
        for fan in fans {
            fan.follows(&ann).await;
            fan.befriends(&ann).await;
        }
    };
    check_costs_of_growing_lists(&world, reads, grow).await;
}

#[tokio::test]
async fn long_lists_of_friends_cost_the_same_as_short_ones() {
    let (world, [ann]) = World::builder().settings(MANY_WRITES).start_with(["ann"]).await;
    let reads = [("friends", &ann, "/me/friends"), ("muted users", &ann, "/me/muted")];
    let grow = async |fans: Vec<Person>| {
        for fan in fans {
            fan.befriends(&ann).await;
            ann.patch(&request_path(&fan, "accept"), Value::Null).await.ok();
            ann.post(&fan.path("/mute"), json!({ "isMuted": true })).await.ok();
        }
    };
    check_costs_of_growing_lists(&world, reads, grow).await;
    world.budget("end a friendship", ann.delete("/me/friends/fan01")).await.ok();
}

#[tokio::test]
async fn long_lists_of_likes_and_shares_cost_the_same_as_short_ones() {
    let (world, [ann, bob]) = World::with(["ann", "bob"]).await;
    let post = ann.writes(&kilobyte()).await;
    let [likes, reposts, quotes] = ["/likes", "/reposts", "/quotes"].map(|list| post.path(list));
    let reads = [("likers", &bob, &*likes), ("reposters", &bob, &*reposts), ("quotes", &bob, &*quotes)];
    let grow = async |fans: Vec<Person>| {
        for fan in fans {
            fan.likes(&post).await;
            world.settle().await;
            fan.reposts(&post).await;
            fan.quotes(&post, &kilobyte()).await;
        }
        world.settle().await;
    };
    check_costs_of_growing_lists(&world, reads, grow).await;
}

#[tokio::test]
async fn listing_many_replies_costs_the_same_as_listing_few() {
    let (world, [ann, bob]) = World::with(["ann", "bob"]).await;
    let post = ann.writes("hello").await;
    let grow = async |fans: Vec<Person>| {
        for fan in fans {
            fan.replies(&post, &"x".repeat(300)).await;
        }
        world.settle().await;
    };
    check_costs_of_growing_lists(&world, [("replies", &bob, &*post.path("/replies"))], grow).await;
}

#[tokio::test]
async fn word_and_thread_mute_requests_match_their_cost_budgets() {
    let (world, [ann, bob]) = World::with(["ann", "bob"]).await;
    let post = bob.writes(&kilobyte()).await;
    for word in ["spoiler", "another"] {
        world.budget("mute a word", ann.post("/me/muted-words", json!({ "word": word }))).await.ok();
    }
    world.budget("muted words", ann.get("/me/muted-words")).await;
    world.budget("mute a thread", ann.post(&post.path("/mute"), Value::Null)).await.ok();
}
