//! Storage of notification events until the flush. A pending record lists the first events, and each later event has
//! its own row.

use std::collections::HashSet;

use futures::future::join_all;
use serde_json::{Value, json};
use tests::{Person, Post, World, check_cost};

use super::{fields, one, pending, ticks, ticks_once};
use crate::scale::find_row;

/// Number of events that a pending record lists without concurrent writes.
const LISTED: usize = 5;
/// Maximum number of events that a pending record lists after concurrent writes.
const LISTED_MAX: usize = 8;

#[tokio::test]
async fn recording_an_event_costs_three_to_five_write_units() {
    let (world, [ann, bob, cleo], post) = World::with_post(["ann", "bob", "cleo"]).await;
    ann.post(&cleo.path("/mute"), Value::Null).await.ok();
    cleo.replies(&post, "first").await;
    let (_, without) = world.cost_of(cleo.replies(&post, "hi")).await;
    bob.writes("first").await;
    for number in 0..LISTED + 3 {
        let (_, cost) = world.cost_of(bob.replies(&post, "hi")).await;
        let more = cost - without.clone();
        let budget = match number < LISTED {
            true => "record an event in a transaction, more",
            false => "record an event that the record does not list, more",
        };
        check_cost(budget, &more);
    }
}

#[tokio::test]
async fn more_events_than_a_pending_record_lists_are_counted() {
    let (world, [ann], post) = World::with_post(["ann"]).await;
    let mut fans = world.fans(0..LISTED + 3).await;
    for fan in &fans {
        world.advance(1).await;
        fan.replies(&post, "hi").await;
    }
    assert_eq!(listed(&world, &ann, &post).await, Some(LISTED));
    ticks(&world).await;
    fans.reverse();
    let newest_first: Vec<_> = fans.iter().map(|fan| &fan.public_id).collect();
    assert_eq!(fields(&ann, ["count", "actorIds"]).await, json!([fans.len(), newest_first]));
}

#[tokio::test]
async fn concurrent_first_events_are_both_counted() {
    let (world, [ann, bob, cleo], post) = World::with_post(["ann", "bob", "cleo"]).await;
    let (bobs, cleos) = (bob.replies(&post, "1"), cleo.replies(&post, "2"));
    world.faults.while_held("TransactWriteItems", bobs, cleos).await;
    assert_eq!(world.faults.calm(), 1);
    ticks(&world).await;
    let group = one(&ann).await;
    assert_eq!(group["count"], 2);
    assert_eq!(named(&group), HashSet::from([&bob.public_id, &cleo.public_id].map(String::as_str)));
}

#[tokio::test]
async fn a_pending_record_stays_small_during_a_burst_of_events() {
    let (world, [ann], post) = World::with_post(["ann"]).await;
    let fans = world.fans(0..LISTED_MAX + 4).await;
    join_all(fans.iter().map(|fan| fan.replies(&post, "hi"))).await;
    assert!(listed(&world, &ann, &post).await.unwrap() <= LISTED_MAX);
    ticks(&world).await;
    let group = one(&ann).await;
    let all: HashSet<_> = fans.iter().map(|fan| fan.public_id.as_str()).collect();
    assert_eq!((&group["count"], named(&group)), (&json!(fans.len()), all));
}

#[tokio::test]
async fn a_reply_is_not_lost_if_a_flush_runs_while_it_is_recorded() {
    let (world, [ann, bob, cleo], post) = World::with_post(["ann", "bob", "cleo"]).await;
    cleo.replies(&post, "1").await;
    world.settle().await;
    let flush = async {
        ticks(&world).await;
        assert_eq!((&one(&ann).await["count"], listed(&world, &ann, &post).await), (&json!(1), None));
    };
    world.faults.while_held("TransactWriteItems", bob.replies(&post, "2"), flush).await;
    assert_eq!((world.faults.calm(), listed(&world, &ann, &post).await), (1, Some(1)));
    ticks(&world).await;
    assert_eq!(fields(&ann, ["count", "actorIds"]).await, json!([2, [bob.public_id, cleo.public_id]]));
}

#[tokio::test]
async fn a_reply_during_a_flush_is_counted_by_the_next_flush() {
    let (world, [ann, bob, cleo], post) = World::with_post(["ann", "bob", "cleo"]).await;
    bob.replies(&post, "1").await;
    world.settle().await;
    world.faults.while_held("DeleteItem", ticks_once(&world), cleo.replies(&post, "2")).await;
    assert_eq!(world.faults.calm(), 1);
    assert_eq!((&one(&ann).await["count"], listed(&world, &ann, &post).await), (&json!(1), Some(1)));
    ticks(&world).await;
    assert_eq!(fields(&ann, ["count", "actorIds"]).await, json!([2, [cleo.public_id, bob.public_id]]));
    assert_eq!(listed(&world, &ann, &post).await, None);
}

#[tokio::test]
async fn a_flush_omits_events_of_muted_users() {
    let (world, [ann, bob, cleo]) = World::with(["ann", "bob", "cleo"]).await;
    let (both, alone) = (ann.writes("one").await, ann.writes("two").await);
    bob.replies(&both, "1").await;
    cleo.replies(&both, "2").await;
    bob.replies(&alone, "3").await;
    ann.post(&bob.path("/mute"), Value::Null).await.ok();
    ticks(&world).await;
    let shown = fields(&ann, ["targetId", "count", "actorIds"]).await;
    assert_eq!(shown, json!([both.id, 1, [cleo.public_id]]));
    assert_eq!((listed(&world, &ann, &both).await, listed(&world, &ann, &alone).await), (None, None));
}

fn named(group: &Value) -> HashSet<&str> {
    group["actorIds"].as_array().unwrap().iter().map(|actor| actor.as_str().unwrap()).collect()
}

/// Returns the number of events that the pending record about replies to a post lists. `None` if there is no record.
async fn listed(world: &World, author: &Person, post: &Post) -> Option<usize> {
    let record = find_row(world, &pending(author, post), "PENDING").await;
    record.map(|record| record["listed"].as_l().unwrap().len())
}
