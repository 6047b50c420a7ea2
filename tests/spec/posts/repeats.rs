//! A repeated request takes effect only once.

use serde_json::{Value, json};
use tests::{Post, World};

use super::counts;

#[tokio::test]
async fn reposting_is_idempotent() {
    let (_world, [ann, bob, cleo], post) = World::with_post(["ann", "bob", "cleo"]).await;
    let path = post.path("/repost");
    let (one, two) = tokio::join!(bob.post(&path, Value::Null), bob.post(&path, Value::Null));
    assert_eq!(one.ok().data()["publicId"], two.ok().data()["publicId"]);
    assert_eq!(bob.post(&path, Value::Null).await.status, 200, "the repost exists");
    let repost = bob.reposts(&post).await;
    assert_eq!(json!([repost.json["type"], repost.json["content"]]), json!(["REPOST", ""]));
    assert_eq!(repost.json["origin"]["content"], "hello");

    let of_repost = cleo.reposts(&repost).await;
    assert_eq!(of_repost.json["originPublicId"], json!(post.id), "a repost refers to the original post");
    let of_quote = cleo.quotes(&repost, "look").await;
    assert_eq!(of_quote.json["originPostId"], json!(post.id));
    assert_eq!(counts(&ann.sees(&post).await), [0, 2, 1]);
}

#[tokio::test]
async fn an_idempotent_retry_does_not_repost_after_a_deletion() {
    let (_world, [ann, bob], post) = World::with_post(["ann", "bob"]).await;
    let path = post.path("/repost");
    let again = || bob.post_once("key", &path, Value::Null);
    let (one, two) = tokio::join!(again(), again());
    let (one, two) = (one.ok(), two.ok());
    assert_eq!((one.status, one.data()), (201, two.data()));
    bob.deletes(&Post::of(&one)).await;
    assert_eq!(again().await.ok().data()["publicId"], one.data()["publicId"]);
    assert_eq!(counts(&ann.sees(&post).await), [0, 0, 0], "no second repost");
    assert_eq!(bob.post(&path, Value::Null).await.status, 201);
}

#[tokio::test]
async fn an_idempotent_retry_returns_the_same_response() {
    let (_world, [ann, bob]) = World::with(["ann", "bob"]).await;
    let body = json!({ "content": "once" });
    let first = ann.post_once("key-1", "/posts", body.clone()).await.ok();
    let again = ann.post_once("key-1", "/api/v1/posts", body.clone()).await;
    assert_eq!((again.status, again.data()), (201, first.data()));
    ann.post_once("key-1", "/posts", json!({ "content": "twice" })).await.refused(400, "VALIDATION_FAILED");
    bob.post_once("key-1", "/posts", json!({ "content": "bob's own" })).await.ok();

    let (one, two) =
        tokio::join!(ann.post_once("key-2", "/posts", body.clone()), ann.post_once("key-2", "/posts", body));
    assert_eq!(one.ok().data()["publicId"], two.ok().data()["publicId"]);
    assert_eq!(ann.get("/posts/news-feed").await.ok().rows().len(), 3);

    let post = Post::of(&first);
    let mentioning_its_recipient = json!({ "content": "r", "mentions": [ann.public_id] });
    let mut replies = Vec::new();
    for _ in 0..2 {
        let reply = bob.post_once("key-3", &post.path("/reply"), mentioning_its_recipient.clone()).await;
        replies.push(Post::of(&reply.ok()).id);
        bob.post_once("key-4", &post.path("/quote"), json!({ "content": "q" })).await.ok();
    }
    assert_eq!(replies[0], replies[1]);
    assert_eq!(counts(&ann.sees(&post).await), [1, 0, 1]);
}

#[tokio::test]
async fn an_idempotent_retry_queues_no_messages() {
    let (world, [ann]) = World::with(["ann"]).await;
    let body = json!({ "content": "once" });
    for messages in [2, 0] {
        let (answer, cost) = world.cost_of(ann.post_once("key", "/posts", body.clone())).await;
        answer.ok();
        assert_eq!((cost.messages, cost.sends), (messages, 0));
    }
}

#[tokio::test]
async fn replies_are_neither_in_timelines_nor_in_search() {
    let (world, [ann, bob]) = World::with(["ann", "bob"]).await;
    let (post, of_post) = world.cost_of(ann.writes("hello")).await;
    let (_, of_reply) = world.cost_of(bob.replies(&post, "reply")).await;
    let (_, of_quote) = world.cost_of(bob.quotes(&post, "quote")).await;
    let (_, of_repost) = world.cost_of(bob.reposts(&post)).await;
    assert_eq!([of_post, of_reply, of_quote, of_repost].map(|cost| cost.messages), [2, 0, 1, 1]);
}
