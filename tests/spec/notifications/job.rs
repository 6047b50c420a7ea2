//! The job that flushes pending events into notifications every 40 seconds.

use aws_sdk_dynamodb::types::AttributeValue;
use domain::ids::PostId;
use serde_json::json;
use tests::{Fault, Person, Post, World, check_cost};

use super::{notifications, one, pending, ticks, ticks_once};
use crate::scale::find_row;

#[tokio::test]
async fn a_new_event_repairs_a_pending_record_without_metadata() {
    let (world, [ann, bob], post) = World::with_post(["ann", "bob"]).await;
    // The table can have records without metadata, which an earlier defect left.
    seed(&world, &pending(&ann, &post), &[("count", n(3))]).await;
    bob.replies(&post, "hi").await;
    ticks(&world).await;
    assert_eq!(one(&ann).await["count"], 4);
    assert_eq!(find_row(&world, &pending(&ann, &post), "PENDING").await, None);
}

#[tokio::test]
async fn an_invalid_pending_record_is_removed() {
    let (world, [ann, bob], post) = World::with_post(["ann", "bob"]).await;
    let (invalid, text) = (pending(&ann, &post), pending(&bob, &post));
    let index_keys = |since: &str| [("gsi1pk", s("PENDING#0")), ("gsi1sk", s(since))];
    let only_a_count = [&index_keys("0")[..], &[("count", n(3))]].concat();
    let no_number = [&index_keys("1")[..], &[("count", s("three")), ("authorId", s(&ann.id))]].concat();
    seed(&world, &invalid, &only_a_count).await;
    seed(&world, &text, &no_number).await;
    let (_, cost) = world.cost_of(ticks(&world)).await;
    for removed in [&invalid, &text] {
        assert_eq!(find_row(&world, removed, "PENDING").await, None);
    }
    assert_eq!((notifications(&ann).await.len(), cost.events), (0, 0));
}

#[tokio::test]
async fn a_flush_without_pending_events_has_no_effect() {
    let (world, [ann]) = World::with(["ann"]).await;
    world.settle().await;
    let (_, cost) = world.cost_of(ticks(&world)).await;
    assert!(cost.calls > 0, "the job ran");
    check_cost("a tick with nothing pending (job)", &cost);
    assert_eq!(cost.events, 0, "{cost:?}");
    let unread = ann.get("/notification/unread").await.ok();
    assert_eq!(unread.data(), &json!({ "hasUnread": false, "unreadCount": 0 }));
}

#[tokio::test]
async fn a_flush_publishes_the_unread_total_once() {
    let (world, [ann, bob]) = World::with(["ann", "bob"]).await;
    for _ in 0..3 {
        let post = ann.writes("hello").await;
        bob.replies(&post, "hi").await;
        bob.replies(&post, "there").await;
    }
    let (_, cost) = world.cost_of(ticks(&world)).await;
    assert_eq!(cost.announcements, 1 + 3);
}

#[tokio::test]
async fn a_flush_processes_the_oldest_events_first_in_batches() {
    let world = world_with_small_batches().await;
    let [ann, bob] = world.people(["ann", "bob"]).await;
    let mut written = Vec::new();
    for post in of_one_shard(&ann, 5).await {
        world.advance(1).await;
        bob.replies(&post, "hi").await;
        written.push(json!(post.id));
    }
    world.advance(40).await;
    // The first batch succeeds, and the second batch fails.
    world.faults.plan("PutItem", Fault::Refused, 2, 1000);
    world.stack.settle(None).await.unwrap();
    let first = ann.get("/notification").await.ok().column("targetId");
    assert_eq!(first, [written[1].clone(), written[0].clone()]);
    world.faults.calm();
    world.advance(40).await;
    world.stack.settle(None).await.unwrap();
    assert_eq!(notifications(&ann).await.len(), 5);
}

#[tokio::test]
async fn a_flush_in_batches_publishes_the_unread_total_once() {
    let world = world_with_small_batches().await;
    let [ann, bob] = world.people(["ann", "bob"]).await;
    for post in of_one_shard(&ann, 7).await {
        bob.replies(&post, "hi").await;
    }
    world.stack.settle(None).await.unwrap();
    let (report, cost) = world.cost_of(ticks_once(&world)).await;
    assert!(report.delivered >= 4, "the flush needs a message for each two records: {report:?}");
    assert_eq!(cost.announcements, 1 + 7, "one event with the total, and one for each notification");
    let pushed = cost.operations["PutEvents"];
    assert!(pushed <= 5, "the events are not batched: {pushed} calls for 8 events");
}

#[tokio::test]
async fn flushing_ten_notifications_stays_within_its_cost_budgets() {
    let (world, [ann, bob]) = World::with(["ann", "bob"]).await;
    let mut posts = Vec::new();
    for _ in 0..10 {
        posts.push(ann.writes("hello").await);
    }
    for budget in ["flush ten new notifications (job)", "flush ten known notifications (job)"] {
        for post in &posts {
            bob.replies(post, "hi").await;
        }
        world.stack.settle(None).await.unwrap();
        world.budget(budget, ticks_once(&world)).await;
    }
}

#[tokio::test]
async fn a_reply_counts_and_is_pushed_once_despite_a_crash() {
    let (world, [ann, bob]) =
        World::builder().settings(&[("WRITE_LIMIT_PER_5_MIN", "10000")]).start_with(["ann", "bob"]).await;
    let post = ann.writes("hello").await;
    let mut count = 0;
    let steps =
        ["Query", "BatchGetItem", "PutItem", "BatchWriteItem", "UpdateItem", "DeleteItem", "PutEvents"];
    for operation in steps {
        for fault in [Fault::Crash, Fault::CrashAfter, Fault::LostAnswer] {
            bob.replies(&post, "hi").await;
            count += 1;
            world.advance(40).await;
            world.faults.next(operation, fault);
            let (_, cost) = world.cost_of(world.settle()).await;
            assert_eq!(world.faults.calm(), 1, "{operation} {fault:?}");
            assert_eq!(one(&ann).await["count"], count, "{operation} {fault:?}");
            assert!(cost.events >= 2, "{operation} {fault:?}: {cost:?}");
        }
    }
}

#[tokio::test]
async fn a_reply_to_ones_own_post_sends_no_notification() {
    let (world, [ann], post) = World::with_post(["ann"]).await;
    ann.replies(&post, "and").await;
    assert_eq!(find_row(&world, &pending(&ann, &post), "PENDING").await, None);
    ticks(&world).await;
    assert_eq!(notifications(&ann).await.len(), 0);
}

/// Starts a world whose flushes process two pending records at a time.
async fn world_with_small_batches() -> World {
    let settings = [("NOTIFICATION_KEYS_PER_RUN", "2"), ("WRITE_LIMIT_PER_5_MIN", "10000")];
    World::builder().settings(&settings).start().await
}

/// Writes posts whose pending notification records are in the same index partition.
pub(crate) async fn of_one_shard(author: &Person, count: usize) -> Vec<Post> {
    let shard = |post: &Post| post.id.parse::<PostId>().unwrap().random() % 16;
    let first = author.writes("hello").await;
    let (expected, mut posts) = (shard(&first), vec![first]);
    while posts.len() < count {
        let post = author.writes("hello").await;
        if shard(&post) == expected {
            posts.push(post);
        }
    }
    posts
}

fn s(text: &str) -> AttributeValue {
    AttributeValue::S(text.to_owned())
}

fn n(number: i64) -> AttributeValue {
    AttributeValue::N(number.to_string())
}

async fn seed(world: &World, pk: &str, fields: &[(&str, AttributeValue)]) {
    let put = world.clients().dynamodb.put_item().table_name(world.stack.table_name());
    let put = put.item("pk", s(pk)).item("sk", s("PENDING"));
    let put = fields.iter().fold(put, |put, (name, value)| put.item(*name, value.clone()));
    put.send().await.unwrap();
}
