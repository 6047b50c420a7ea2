//! Checks the costs of the main requests against `shared/keys.toml`.

mod apart;
mod lists;

use reqwest::Method;
use serde_json::{Value, json};
use tests::{Person, World, send};

use crate::setup::MANY_WRITES;

/// Returns a text of 1,000 bytes. The cost budgets assume posts of this size.
fn kilobyte() -> String {
    "x".repeat(1000)
}

#[tokio::test]
async fn requests_about_a_post_stay_within_their_cost_budgets() {
    let (world, [ann, bob]) = World::with(["ann", "bob"]).await;
    let post = world.budget("write a post", ann.writes(&kilobyte())).await;
    world.budget("a post", ann.sees(&post)).await;
    let liked = ann.writes(&kilobyte()).await;
    world.budget("like", bob.likes(&liked)).await;
    world.budget("like again", bob.likes(&liked)).await;
    let answered = ann.writes("hello").await;
    world.budget("reply", bob.replies(&answered, &"x".repeat(300))).await;
}

#[tokio::test]
async fn reading_the_feed_stays_within_its_cost_budgets() {
    let (world, [ann, bob, cleo]) = busy_world().await;
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
    let (world, [ann, bob, cleo]) = busy_world().await;
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
async fn a_message_costs_the_same_in_a_long_conversation() {
    let (world, [ann, bob, _cleo]) = busy_world().await;
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
async fn listing_notifications_stays_within_its_cost_budget() {
    let (world, [ann, bob, cleo]) = busy_world().await;
    for _ in 0..40 {
        let post = ann.writes("hello").await;
        bob.replies(&post, "one").await;
        cleo.replies(&post, "two").await;
    }
    world.advance_and_settle(40).await;
    let page = world.budget("notifications", ann.get("/notification")).await;
    assert_eq!(page.ok().rows().len(), 20);
    world.budget("unread notifications", ann.get("/notification/unread")).await.ok();
}

#[tokio::test]
async fn follow_block_and_mute_requests_match_their_cost_budgets() {
    let (world, [ann, bob]) = World::with(["ann", "bob"]).await;
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
async fn requests_with_an_idempotency_key_stay_within_cost_budgets() {
    let (world, [ann, bob]) = World::with(["ann", "bob"]).await;
    let post = ann.writes(&kilobyte()).await;
    let [like, follow, mute] = [post.path("/like"), ann.path("/follower"), ann.path("/mute")];
    let like = bob.post_once("like", &like, json!({ "isLiked": true }));
    world.budget("like with an `Idempotency-Key`", like).await.ok();
    let follow = bob.post_once("follow", &follow, json!({ "isFollowing": true }));
    world.budget("follow with an `Idempotency-Key`", follow).await.ok();
    let mute = bob.post_once("mute", &mute, json!({ "isMuted": true }));
    world.budget("mute with an `Idempotency-Key`", mute).await.ok();
    let delete = ann.request(Method::DELETE, &post.path("")).header("idempotency-key", "delete");
    world.budget("delete a post with an `Idempotency-Key`", send(delete)).await.ok();
}

/// Starts a world for more writes than the write limit allows, with three users.
async fn busy_world() -> (World, [Person; 3]) {
    World::builder().settings(MANY_WRITES).start_with(["ann", "bob", "cleo"]).await
}
