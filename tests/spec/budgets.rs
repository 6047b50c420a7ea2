//! Checks the costs of the main requests against `shared/keys.toml`.

mod apart;
mod keyed;
mod lists;

use serde_json::{Value, json};
use tests::{World, check_cost};

use crate::setup::{MANY_WRITES, crowd, start_with, world_with};

/// Returns a text of 1,000 bytes. The cost budgets assume posts of this size.
fn kilobyte() -> String {
    "x".repeat(1000)
}

#[tokio::test]
async fn reading_ones_account_stays_within_its_cost_budget() {
    let (world, [ann]) = world_with(["ann"]).await;
    world.budget("own account", ann.get("/auth/me")).await.ok();
}

#[tokio::test]
async fn creating_a_post_stays_within_its_cost_budget() {
    let (world, [ann]) = world_with(["ann"]).await;
    world.budget("write a post", ann.writes(&kilobyte())).await;
}

#[tokio::test]
async fn a_like_request_stays_within_its_cost_budget() {
    let (world, [ann, bob]) = world_with(["ann", "bob"]).await;
    let post = ann.writes(&kilobyte()).await;
    world.budget("like", bob.likes(&post)).await;
    world.budget("like again", bob.likes(&post)).await;
}

#[tokio::test]
async fn reading_the_feed_stays_within_its_cost_budgets() {
    let world = World::builder().settings(MANY_WRITES).start().await;
    let [ann, bob, cleo] = world.people(["ann", "bob", "cleo"]).await;
    for _ in 0..20 {
        bob.writes(&kilobyte()).await;
        cleo.writes(&kilobyte()).await;
    }
    world.settle().await;
    for state in ["FOR_YOU, read", "FOR_YOU, from memory"] {
        let answer = world.budget(state, ann.get("/posts/news-feed")).await;
        assert_eq!(answer.ok().rows().len(), 20);
    }
}

#[tokio::test]
async fn reading_the_following_feed_stays_within_its_cost_budget() {
    let world = World::builder().settings(MANY_WRITES).start().await;
    let [ann, bob, cleo] = world.people(["ann", "bob", "cleo"]).await;
    for followed in [&bob, &cleo] {
        ann.follows(followed).await;
    }
    for _ in 0..20 {
        for author in [&bob, &cleo, &ann] {
            author.writes(&kilobyte()).await;
        }
    }
    world.settle().await;
    let mut path = "/posts/news-feed?type=FOLLOWING".to_owned();
    for page in ["FOLLOWING", "FOLLOWING, a later page"] {
        let answer = world.budget(page, ann.get(&path)).await;
        assert_eq!(answer.rows().len(), 20);
        path = format!("/posts/news-feed?type=FOLLOWING&after={}", answer.after().unwrap());
    }
}

#[tokio::test]
async fn reading_a_post_stays_within_its_cost_budget() {
    let (world, [ann]) = world_with(["ann"]).await;
    let post = ann.writes(&kilobyte()).await;
    world.budget("a post", ann.sees(&post)).await;
}

#[tokio::test]
async fn a_message_costs_the_same_in_a_long_conversation() {
    let (world, [ann, bob]) = start_with(World::builder().settings(MANY_WRITES), ["ann", "bob"]).await;
    let group = ann.chats_with("bob").await;
    let path = format!("/message-group/{group}/messages");
    let read = path.replace("/messages", "/read");
    let body = json!({ "content": "x".repeat(700) });
    for _ in 0..2 {
        world.budget("send a message", ann.post(&path, body.clone())).await.ok();
        world.budget("messages", ann.get(&path)).await.ok();
        world.budget("groups", bob.get("/message-group")).await.ok();
        world.budget("mark messages as read", bob.patch(&read, json!({}))).await.ok();
        for _ in 0..100 {
            ann.post(&path, body.clone()).await.ok();
        }
    }
}

#[tokio::test]
async fn a_reply_request_stays_within_its_cost_budget() {
    let (world, [ann, bob]) = world_with(["ann", "bob"]).await;
    let post = ann.writes("hello").await;
    world.budget("reply", bob.replies(&post, &"x".repeat(300))).await;
}

#[tokio::test]
async fn listing_notifications_stays_within_its_cost_budget() {
    let world = World::builder().settings(MANY_WRITES).start().await;
    let [ann, bob, cleo] = world.people(["ann", "bob", "cleo"]).await;
    for _ in 0..40 {
        let post = ann.writes("hello").await;
        bob.replies(&post, "one").await;
        cleo.replies(&post, "two").await;
    }
    world.advance(40).await;
    world.settle().await;
    world.budget("notifications", ann.get("/notification")).await.ok();
    world.budget("unread notifications", ann.get("/notification/unread")).await.ok();
    assert_eq!(ann.get("/notification").await.ok().rows().len(), 20);
}

#[tokio::test]
async fn follow_block_and_mute_requests_match_their_cost_budgets() {
    let (world, [ann, bob]) = world_with(["ann", "bob"]).await;
    for (budget, path) in [
        ("follow", "/follower"),
        ("unfollow", "/follower"),
        ("follow again", "/follower"),
        ("send a friend request", "/friend-request"),
        ("mute", "/mute"),
        ("block", "/block"),
        ("unblock", "/block"),
    ] {
        world.budget(budget, ann.post(&bob.path(path), Value::Null)).await.ok();
    }
    ann.befriends(&bob).await;
    let accept = bob.patch("/me/friend-requests/ann/accept", Value::Null);
    world.budget("accept a friend request", accept).await.ok();
}

#[tokio::test]
async fn long_lists_of_users_cost_the_same_as_short_ones() {
    let (world, [ann, bob]) = world_with(["ann", "bob"]).await;
    let mut first = None;
    for numbers in [0..25, 25..50] {
        for fan in crowd(&world, "fan", numbers).await {
            fan.follows(&ann).await;
            fan.befriends(&ann).await;
        }
        let mut costs = Vec::new();
        for (budget, reader, path) in [
            ("profile", &bob, "/user/ann"),
            ("followers", &bob, "/user/ann/followers"),
            ("received friend requests", &ann, "/me/friend-requests/received"),
        ] {
            let (answer, cost) = world.cost_of(reader.get(path)).await;
            answer.ok();
            check_cost(budget, &cost);
            costs.push(cost);
        }
        assert_eq!(first.get_or_insert(costs.clone()), &costs);
    }
}
