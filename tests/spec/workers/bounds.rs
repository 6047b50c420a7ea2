//! A job may send itself a limited number of messages. A job that reaches the limit stops without losing work.

use serde_json::{Value, json};
use tests::{Fault, PASSWORD, Person, World};

use super::{fans, feeds, pages::SMALL_BATCHES, purge, put, put_last, redrive, waiting};
use crate::{
    circles::{MANY, creates_circles},
    notifications::job::of_one_shard,
    timeline::timeline_entries,
};

const HOUR: u64 = 3600;
/// Settings with pages of two followers. Authors with more than four followers are popular.
const POPULAR: tests::Settings<'_> = &[("FANOUT_PAGE_SIZE", "2"), ("FANOUT_MAX_FOLLOWERS", "4")];

#[tokio::test]
async fn a_notification_tick_leaves_excess_work_to_the_next_tick() {
    let (world, [ann, bob]) = World::builder().settings(SMALL_BATCHES).start_with(["ann", "bob"]).await;
    for post in of_one_shard(&ann, 3).await {
        bob.replies(&post, "hi").await;
    }
    world.settle().await;
    put(&world, "notification-tick", r#"{"messages":29}"#).await;
    world.stack.settle(None).await.unwrap();
    assert_eq!(notifications(&ann).await, 1);
    world.advance(40).await;
    world.settle().await;
    assert_eq!(notifications(&ann).await, 3);
}

#[tokio::test]
async fn an_hourly_hp_loss_leaves_excess_work_to_the_next_run() {
    let (world, [ann]) = World::builder().without_ticks().start_with(["ann"]).await;
    let circles = creates_circles(&world, &ann, MANY).await;
    world.advance(HOUR).await;
    purge(&world, "circle-drain").await;
    for shard in 0..8 {
        let body = json!({ "job": "page", "shard": shard, "after": null, "messages": 999 });
        put(&world, "circle-drain", &body.to_string()).await;
    }
    let (_, cost) = world.cost_of(world.stack.settle(None)).await;
    let drained = cost.operations["TransactWriteItems"];
    assert!((8..250).contains(&drained), "each job stops after one page: {cost:?}");
    assert_eq!(cost.operations.get("SendMessage"), None);
    world.stack.fire("drain-hourly").await.unwrap();
    world.settle().await;
    for circle in &circles {
        assert_eq!(circle.energy(&world).await["current"], 490);
    }
}

#[tokio::test]
async fn a_fan_out_that_reached_its_limit_can_be_redriven() {
    let (world, [ann]) = World::builder().settings(&[("FANOUT_PAGE_SIZE", "2")]).start_with(["ann"]).await;
    let fans = fans(&world, &ann, 5).await;
    let post = ann.writes("hello").await;
    world.faults.plan("SendMessageBatch", Fault::Swallowed, 0, u32::MAX);
    world.settle().await;
    world.faults.calm();
    put_last(&world, "timeline", json!({ "job": "fanOut", "post": post.id, "author": ann.id }), 1_000).await;
    assert_eq!(feeds(&fans).await.iter().filter(|feed| !feed.is_empty()).count(), 2, "one page");

    let dead: Value = serde_json::from_str(&redrive(&world, "timeline").await).unwrap();
    assert_eq!(dead["messages"], Value::Null, "no message count, so the count starts again");
    assert_eq!(feeds(&fans).await, vec![vec![json!("hello")]; 5]);
}

#[tokio::test]
async fn a_marking_of_follows_that_reached_its_limit_can_be_redriven() {
    let (world, [ann]) = World::builder().settings(POPULAR).start_with(["ann"]).await;
    world.faults.plan("SendMessageBatch", Fault::Swallowed, 0, u32::MAX);
    let fans = fans(&world, &ann, 7).await;
    world.faults.calm();
    put_last(&world, "timeline", json!({ "job": "markFollows", "author": ann.id }), 1_000).await;
    redrive(&world, "timeline").await;
    ann.writes("one").await;
    world.settle().await;
    assert_eq!(feeds(&fans).await, vec![vec![json!("one")]; 7]);
    for fan in &fans {
        let entries = timeline_entries(&world, &fan.id).await;
        assert_eq!(entries, 0, "all follows are marked, so feeds merge the post on read");
    }
}

#[tokio::test]
async fn an_export_that_reached_its_limit_can_be_redriven() {
    let (world, [ann]) = World::builder().without_ticks().start_with(["ann"]).await;
    ann.post("/auth/export", json!({ "password": PASSWORD })).await.ok();
    put_last(&world, "leaving", waiting(&world, "leaving", "export").await, 20_000).await;
    assert_eq!(export_status(&ann).await, "PENDING", "after one page");
    redrive(&world, "leaving").await;
    assert_eq!(export_status(&ann).await, "READY");
}

async fn export_status(user: &Person) -> Value {
    user.get("/auth/export").await.ok().data()["status"].clone()
}

async fn notifications(user: &Person) -> usize {
    user.get("/notification").await.ok().rows().len()
}
