//! The runbook's query for a request finds the log lines of the request's follow-up work.

use serde_json::{Value, json};
use tests::{PushService, World};

use super::{lines, listen, runbook};
use crate::{
    admin::webhooks::{adds_webhook, again::advance, service::Service, webhook_world},
    moderation::HARMFUL,
    notifications::ticks,
    realtime::provider::Provider,
    timeline,
};

/// Returns the log lines that the query finds for a request, oldest first.
fn followed(id: &str) -> Vec<Value> {
    let query = runbook::queries().into_iter().find(|query| query.contains("span.requests")).unwrap();
    lines().iter().filter(|line| runbook::selects(&query, line, id)).cloned().collect()
}

/// Returns the lines of batches that have a field `of`, which is `messages` for workers and `records` for the relay.
fn batches<'a>(lines: &'a [Value], of: &str) -> Vec<&'a Value> {
    lines.iter().filter(|line| line["message"] == "batch done" && line[of].is_u64()).collect()
}

fn outcomes(batch: &Value) -> &str {
    batch["outcomes"].as_str().unwrap_or_default()
}

#[tokio::test]
async fn a_request_is_followed_through_relay_and_worker_to_the_push() {
    listen();
    let provider = Provider::answers(|number, _| if number == 0 { 500 } else { 200 }).await;
    let world = provider.world().await;
    let [ann, _bob] = world.people(["ann", "bob"]).await;
    let group = ann.chats_with("bob").await;
    world.stack.settle(None).await.unwrap();
    let messages = format!("/message-group/{group}/messages");
    let sent = ann.post(&messages, json!({ "content": "hello" })).await.ok();
    let id = sent.header("x-request-id").unwrap();
    world.stack.settle(None).await.unwrap();
    let lines = followed(id);
    assert_eq!(lines.iter().filter(|line| line["message"] == "answered").count(), 1);
    assert_eq!(batches(&lines, "records").len(), 1, "{lines:?}");
    let pushed = batches(&lines, "messages").into_iter().any(|batch| outcomes(batch) == "MessageSent");
    assert!(pushed, "{lines:?}");
    let failed = lines.iter().find(|line| line["message"].as_str().unwrap().starts_with("job failed"));
    assert_eq!(failed.unwrap()["span"]["id"], id);
}

#[tokio::test]
async fn a_request_is_followed_through_the_messages_of_workers() {
    listen();
    let (world, [ann]) =
        World::builder().without_ticks().settings(&[("FANOUT_PAGE_SIZE", "1")]).start_with(["ann"]).await;
    timeline::fans(&world, &ann, 0..3).await;
    world.settle().await;
    let written = ann.post("/posts", json!({ "content": "hello" })).await.ok();
    world.stack.settle(None).await.unwrap();
    let lines = followed(written.header("x-request-id").unwrap());
    let pages = batches(&lines, "messages").into_iter().filter(|batch| outcomes(batch).contains("fanOut"));
    assert!(pages.count() >= 3, "{lines:?}");
}

/// Returns whether a log line reports that a webhook is off, because its server answered 410.
fn is_switched_off(line: &&Value) -> bool {
    line["message"].as_str().unwrap().starts_with("switched off a webhook")
}

#[tokio::test]
async fn a_request_is_followed_through_a_worker_to_the_webhook() {
    listen();
    let (world, root, [ann, bob]) = webhook_world(["ann", "bob"]).await;
    let service = Service::starts().await;
    service.answers(410);
    adds_webhook(&root, &service, &["post.hidden"]).await;
    let post = ann.writes(HARMFUL).await;
    world.settle().await;
    let body = json!({ "reason": "It is bad.", "type": "post" });
    let reported = bob.post(&post.path("/report"), body).await.ok();
    let id = reported.header("x-request-id").unwrap();
    world.settle().await;
    let lines = followed(id);
    assert_eq!(lines.iter().find(is_switched_off).unwrap()["span"]["id"], id, "{lines:?}");
}

#[tokio::test]
async fn a_request_is_followed_to_the_retry_of_a_webhook() {
    listen();
    let (world, root, [ann, bob]) = webhook_world(["ann", "bob"]).await;
    let service = Service::starts().await;
    adds_webhook(&root, &service, &["report.created"]).await;
    service.answers(500);
    let post = ann.writes("hello").await;
    let body = json!({ "reason": "It is bad.", "type": "post" });
    let reported = bob.post(&post.path("/report"), body).await.ok();
    world.settle().await;
    service.answers(410);
    advance(&world, 60).await;
    let lines = followed(reported.header("x-request-id").unwrap());
    assert!(lines.iter().any(|line| is_switched_off(&line)), "{lines:?}");
}

#[tokio::test]
async fn a_request_is_followed_through_the_notification_to_the_pushes() {
    listen();
    let world = World::builder().settings(&[("INNER_ADDRESSES", "allowed")]).start().await;
    let (service, [ann, bob]) = (PushService::new().await, world.people(["ann", "bob"]).await);
    ann.post("/me/devices", service.browser("firefox").subscription()).await.ok();
    let post = ann.writes("hello").await;
    let replied = bob.post(&post.path("/reply"), json!({ "content": "hi" })).await.ok();
    ticks(&world).await;
    let lines = followed(replied.header("x-request-id").unwrap());
    for push in ["webPush", "NotificationNew"] {
        let is_pushed = |batch: &&Value| outcomes(batch).contains(push);
        assert!(batches(&lines, "messages").iter().any(is_pushed), "{push}: {lines:?}");
    }
}
