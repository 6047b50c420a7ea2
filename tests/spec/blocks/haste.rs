//! Blocks that are created while a request is running, or before the request is retried.

use serde_json::{Value, json};
use tests::{Person, World};

use crate::{
    circles::{creates_circle, joins, posts::writes_in},
    messages::{id, opens},
};

const COMMIT: &str = "TransactWriteItems";

#[tokio::test]
async fn a_concurrent_block_prevents_a_message() {
    let (world, [ann, bob]) = World::with(["ann", "bob"]).await;
    let path = format!("/message-group/{}/messages", opens(&ann, &["bob"]).await);
    let send = bob.post(&path, json!({ "content": "hi" }));
    let (sent, _) = world.faults.while_held(COMMIT, send, ann.blocks(&bob)).await;
    sent.refused(403, "FORBIDDEN");
    assert_eq!(world.faults.calm(), 1);
    assert!(ann.get(&path).await.ok().rows().is_empty());
}

#[tokio::test]
async fn a_concurrent_block_prevents_a_reply() {
    let (world, [ann, bob]) = World::with(["ann", "bob"]).await;
    let post = ann.writes("hello").await;
    let path = post.path("/reply");
    let reply = bob.post(&path, json!({ "content": "hi" }));
    let (replied, _) = world.faults.while_held(COMMIT, reply, ann.blocks(&bob)).await;
    replied.refused(403, "FORBIDDEN");
    assert_eq!(world.faults.calm(), 1);
    assert_eq!(ann.sees(&post).await["repliesCount"], 0);
}

#[tokio::test]
async fn a_concurrent_block_prevents_a_comment() {
    let (world, [ann, bob]) = World::with(["ann", "bob"]).await;
    let circle = creates_circle(&ann, "Night readers").await;
    joins(&bob, &circle, &ann).await;
    let post = id(&writes_in(&ann, &circle, "a post of ann's").await.ok());
    let path = circle.path("/posts");
    let comment = bob.post(&path, json!({ "content": "a comment", "parentId": post }));
    let (commented, _) = world.faults.while_held(COMMIT, comment, ann.blocks(&bob)).await;
    commented.refused(403, "FORBIDDEN");
    assert_eq!(world.faults.calm(), 1);
    let below = world.anyone.get(&circle.path(&format!("/posts?parentId={post}"))).await.ok();
    assert!(below.rows().is_empty());
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
