//! A worker processes as many pages of a job as its time allows. A kill loses no page and repeats no effect.

use serde_json::json;
use tests::{Fault, World};

use super::{fans, feeds};
use crate::{
    circles::{MANY, creates_circles},
    notifications::job::of_one_shard,
};

const HOUR: u64 = 3600;
const SMALL: tests::Settings<'_> = &[("FANOUT_PAGE_SIZE", "2")];

#[tokio::test]
async fn a_worker_whose_time_is_up_continues_in_a_new_message() {
    for (pages, sends) in [(1, 3), (2, 1), (3, 1), (4, 0)] {
        let (world, [ann]) = World::builder().pages(pages).settings(SMALL).start_with(["ann"]).await;
        let fans = fans(&world, &ann, 7).await;
        ann.writes("hello").await;
        let (_, cost) = world.cost_of(world.stack.settle(None)).await;
        let sent = cost.operations.get("SendMessage").copied().unwrap_or_default();
        assert_eq!(sent, sends, "an invocation processes {pages} of 4 pages");
        assert_eq!(feeds(&fans).await, vec![vec![json!("hello")]; 7]);
    }
}

#[tokio::test]
async fn fanning_out_to_3_followers_stays_within_its_cost_budget() {
    let (world, [ann]) = World::with(["ann"]).await;
    let fans = fans(&world, &ann, 3).await;
    ann.writes("hello").await;
    world.stack.drain_streams().await;
    let drain = world.stack.drain("timeline");
    world.budget("fan a post out to a page of three followers (job)", drain).await.unwrap();
    assert_eq!(feeds(&fans).await, vec![vec![json!("hello")]; 3]);
}

#[tokio::test]
async fn a_killed_fan_out_reaches_every_follower() {
    for fault in [Fault::Crash, Fault::CrashAfter] {
        for (operation, pass) in [("Query", 1), ("BatchWriteItem", 1), ("SendMessage", 0), ("UpdateItem", 0)]
        {
            let (world, [ann]) = World::builder().pages(3).settings(SMALL).start_with(["ann"]).await;
            let fans = fans(&world, &ann, 9).await;
            ann.writes("hello").await;
            world.settle_despite(operation, fault, pass).await;
            assert_eq!(feeds(&fans).await, vec![vec![json!("hello")]; 9], "{operation} {fault:?}");
        }
    }
}

/// Settings with one record per batch, and a write limit that allows many posts.
pub(super) const SMALL_BATCHES: tests::Settings<'_> =
    &[("NOTIFICATION_KEYS_PER_RUN", "1"), ("WRITE_LIMIT_PER_5_MIN", "10000")];

#[tokio::test]
async fn a_killed_notification_tick_counts_each_event_once() {
    for (operation, pass) in [("UpdateItem", 1), ("Query", 16), ("PutEvents", 0)] {
        for fault in [Fault::Crash, Fault::CrashAfter] {
            let world = World::builder().pages(3).settings(SMALL_BATCHES).start().await;
            let [ann, bob] = world.people(["ann", "bob"]).await;
            for post in of_one_shard(&ann, 4).await {
                bob.replies(&post, "hi").await;
            }
            world.settle().await;
            world.advance(40).await;
            world.settle_despite(operation, fault, pass).await;
            let groups = ann.get("/notification").await.ok();
            assert_eq!(groups.column("count"), [1, 1, 1, 1], "{operation} {fault:?}");
        }
    }
}

#[tokio::test]
async fn a_killed_hourly_hp_loss_is_applied_once() {
    for fault in [Fault::Crash, Fault::CrashAfter] {
        let (world, [ann]) = World::builder().pages(10).start_with(["ann"]).await;
        let circles = creates_circles(&world, &ann, MANY).await;
        world.advance(HOUR).await;
        world.settle_despite("TransactWriteItems", fault, 240).await;
        for circle in &circles {
            assert_eq!(circle.energy(&world).await["current"], 490, "{fault:?}");
        }
    }
}
