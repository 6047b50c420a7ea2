//! Blocks that are created while a request is running, or before the request is retried.

use serde_json::{Value, json};
use tests::{Person, World};

use crate::{
    circles::{creates_circle, joins, posts::writes_in},
    messages::{id, opens},
};

#[tokio::test]
async fn a_concurrent_block_prevents_messages_replies_and_comments() {
    let (world, [ann, bob]) = World::with(["ann", "bob"]).await;
    let chat = format!("/message-group/{}/messages", opens(&ann, &["bob"]).await);
    let post = ann.writes("hello").await;
    let circle = creates_circle(&ann, "Night readers").await;
    joins(&bob, &circle, &ann).await;
    let thread = id(&writes_in(&ann, &circle, "a post of ann's").await.ok());
    let (comments, below) = (circle.path("/posts"), circle.path(&format!("/posts?parentId={thread}")));
    for (path, body, list) in [
        (&chat, json!({ "content": "hi" }), &chat),
        (&post.path("/reply"), json!({ "content": "hi" }), &post.path("/replies")),
        (&comments, json!({ "content": "a comment", "parentId": thread }), &below),
    ] {
        let send = bob.post(path, body);
        let (sent, _) = world.faults.while_held("TransactWriteItems", send, ann.blocks(&bob)).await;
        sent.refused(403, "FORBIDDEN");
        assert_eq!(world.faults.calm(), 1, "{path}");
        ann.post(&bob.path("/block"), json!({ "isBlocked": false })).await.ok();
        assert!(ann.get(list).await.ok().rows().is_empty(), "{list}");
    }
    assert_eq!(ann.sees(&post).await["repliesCount"], 0);
}

#[tokio::test]
async fn an_idempotent_retry_is_refused_after_a_block() {
    let (_world, [ann, bob, _cleo]) = World::with(["ann", "bob", "cleo"]).await;
    let post = ann.writes("hello").await;
    let circle = creates_circle(&ann, "Night readers").await;
    joins(&bob, &circle, &ann).await;
    let thread = id(&writes_in(&ann, &circle, "a post of ann's").await.ok());
    let group = opens(&ann, &["bob"]).await;
    let requests = [
        (format!("/message-group/{group}/messages"), json!({ "content": "hi" })),
        ("/message-group".to_owned(), json!({ "type": "crowd", "members": ["ann", "cleo"] })),
        (ann.path("/friend-request"), Value::Null),
        (post.path("/reply"), json!({ "content": "hi" })),
        (post.path("/quote"), json!({ "content": "hi", "mentions": [ann.id] })),
        ("/posts".to_owned(), json!({ "content": "hi", "mentions": [ann.id] })),
        (circle.path("/posts"), json!({ "content": "a comment", "parentId": thread })),
    ];
    let first = sends(&bob, &requests).await;
    let again = sends(&bob, &requests).await;
    assert_eq!((&first, first.iter().all(|answer| answer.0 / 100 == 2)), (&again, true), "{first:?}");
    ann.blocks(&bob).await;
    for (path, body) in &requests {
        bob.post_once(path, path, body.clone()).await.refused(403, "FORBIDDEN");
    }
    ann.post(&bob.path("/block"), Value::Null).await.ok();
    assert_eq!(sends(&bob, &requests).await, first, "each request took effect once");
}

/// Sends each request, with its path as idempotency key. Returns the responses' statuses and IDs.
async fn sends(user: &Person, requests: &[(String, Value)]) -> Vec<(u16, Value)> {
    let mut answers = Vec::new();
    for (path, body) in requests {
        let answer = user.post_once(path, path, body.clone()).await;
        answers.push((answer.status, answer.body["data"]["publicId"].clone()));
    }
    answers
}
