//! Pinned posts.

use serde_json::{Value, json};
use tests::{Client, Person, World, check_cost};

use crate::routes::UNKNOWN_ID;

#[tokio::test]
async fn a_pinned_post_is_listed_first_and_only_once() {
    let (world, [ann]) = World::with(["ann"]).await;
    let posts = writes(&world, &ann, 4).await;
    let answer = pins(&ann, &posts[1]).await;
    assert_eq!(json!([answer["isPinned"], answer["publicId"]]), json!([true, posts[1]]));
    for take in 1..=5 {
        let expected = [1, 3, 2, 0].map(|index: usize| json!(posts[index]));
        assert_eq!(listed(&world.anyone, take).await, expected, "take={take}");
    }
    let list = world.anyone.get("/user/ann/posts").await.ok();
    assert_eq!(list.rows()[0]["pinnedAt"], answer["pinnedAt"]);
    assert!(list.column("pinnedAt")[1..].iter().all(Value::is_null));
}

#[tokio::test]
async fn a_new_pin_replaces_the_earlier_pin() {
    let (world, [ann]) = World::with(["ann"]).await;
    let posts = writes(&world, &ann, 3).await;
    pins(&ann, &posts[0]).await;
    pins(&ann, &posts[1]).await;
    assert_eq!(listed(&ann, 20).await, [1, 2, 0].map(|index: usize| json!(posts[index])));
    assert_eq!(pins(&ann, &posts[1]).await["isPinned"], json!(false), "a second request unpins the post");
    assert_eq!(listed(&ann, 20).await, [2, 1, 0].map(|index: usize| json!(posts[index])));
    let path = format!("/posts/{}/pin", posts[2]);
    for _ in 0..2 {
        ann.post(&path, json!({ "isPinned": true })).await.ok();
        assert_eq!(listed(&ann, 20).await[0], json!(posts[2]), "repeating changes nothing");
    }
}

#[tokio::test]
async fn concurrent_pins_leave_one_pinned_post() {
    let (world, [ann]) = World::with(["ann"]).await;
    let posts = writes(&world, &ann, 6).await;
    let answers = futures::future::join_all(posts.iter().map(|post| pins(&ann, post))).await;
    assert!(answers.iter().all(|answer| answer["isPinned"] == json!(true)));
    let list = ann.get("/user/ann/posts").await.ok();
    assert_eq!(list.rows().len(), 6);
    assert_eq!(list.column("pinnedAt").iter().filter(|pinned_at| !pinned_at.is_null()).count(), 1);
}

#[tokio::test]
async fn an_invisible_pinned_post_is_not_listed() {
    let (world, [ann, bob]) = World::with(["ann", "bob"]).await;
    let posts = writes(&world, &ann, 2).await;
    let secret = ann.posts(json!({ "content": "secret", "visibility": "PRIVATE" })).await.id;
    pins(&ann, &secret).await;
    assert_eq!(listed(&bob, 20).await, [json!(posts[1]), json!(posts[0])]);
    assert_eq!(listed(&ann, 20).await[0], json!(secret));
    pins(&ann, &posts[0]).await;
    bob.post(&format!("/posts/{}/hide", posts[0]), Value::Null).await.ok();
    assert_eq!(listed(&bob, 20).await, [json!(posts[1])], "hidden posts are not listed");
    ann.delete(&format!("/posts/{}", posts[0])).await.ok();
    assert_eq!(listed(&ann, 20).await, [json!(secret), json!(posts[1])], "a deleted pin is not listed");
}

#[tokio::test]
async fn only_own_posts_that_are_not_replies_can_be_pinned() {
    let (_world, [ann, bob], post) = World::with_post(["ann", "bob"]).await;
    let reply = ann.replies(&post, "hi").await;
    bob.post(&post.path("/pin"), Value::Null).await.refused(403, "FORBIDDEN");
    ann.post(&reply.path("/pin"), Value::Null).await.refused(400, "VALIDATION_FAILED");
    ann.post(&format!("/posts/{UNKNOWN_ID}/pin"), Value::Null).await.refused(404, "NOT_FOUND");
    let repost = ann.reposts(&post).await;
    pins(&ann, &repost.id).await;
    assert_eq!(listed(&ann, 20).await[0], json!(repost.id));
}

#[tokio::test]
async fn pin_requests_stay_within_their_cost_budgets() {
    let (world, [ann, bob]) = World::with(["ann", "bob"]).await;
    let posts = writes(&world, &ann, 3).await;
    let (_, plain) = world.cost_of(bob.get("/user/ann/posts")).await;
    world.budget("pin a post", pins(&ann, &posts[0])).await;
    let (_, pinned) = world.cost_of(bob.get("/user/ann/posts")).await;
    check_cost("posts of a user with a pinned post, more", &(pinned - plain));
}

/// Writes `count` posts. Returns the IDs of the posts, oldest first.
async fn writes(world: &World, user: &Person, count: usize) -> Vec<String> {
    let mut posts = Vec::new();
    for number in 0..count {
        posts.push(user.writes(&format!("post {number}")).await.id);
        world.advance(1).await;
    }
    posts
}

async fn pins(user: &Person, post: &str) -> Value {
    user.post(&format!("/posts/{post}/pin"), Value::Null).await.ok().data().clone()
}

/// Returns the post IDs on all pages of ann's profile.
async fn listed(reader: &Client, take: usize) -> Vec<Value> {
    reader.all("/user/ann/posts", take, "publicId").await
}
