//! Jobs that reach thousands of users.

use aws_sdk_dynamodb::types::AttributeValue;
use domain::{
    ids::{PostId, UserId},
    people::users,
};
use platform::table::Write;
use serde_json::json;
use tests::{Person, World};

use super::{find_row, ids, put, renamed, row};
use crate::{
    notifications::pending as pending_key,
    timeline::{feed, timeline_entries},
};

/// Value of `FANOUT_MAX_FOLLOWERS` in the template.
const POPULAR: usize = 5_000;
const FOLLOWERS: usize = 2_000;
const PENDING: usize = 500;
const MANY_PENDING: usize = 2_000;
const PENDING_SHARDS: u128 = 4;

#[tokio::test]
async fn a_post_of_a_newly_popular_author_reaches_all_followers() {
    let (world, [ann, first, last]) =
        World::builder().unlimited_pages().start_with(["ann", "first", "last"]).await;
    let crowd = follow(&world, &ann, POPULAR, (&first, &last)).await;
    let profile = row(&world, &format!("USER#{}", ann.id), "PROFILE").await;
    assert_eq!(profile.get("isMerged"), Some(&AttributeValue::Bool(true)), "all follows are marked");
    for follower in [&first.id, &last.id].into_iter().chain(crowd.iter().step_by(POPULAR / 20)) {
        let follow = row(&world, &format!("USER#{follower}"), &format!("FOLLOW#{}", ann.id)).await;
        assert_eq!(follow.get("merges"), Some(&AttributeValue::Bool(true)));
    }
    ann.writes("one").await;
    world.settle().await;
    for reader in [&first, &last] {
        assert_eq!(feed(reader).await, ["one"]);
        assert_eq!(timeline_entries(&world, &reader.id).await, 0, "reading a feed merges the post");
    }
}

#[tokio::test]
async fn a_fan_out_reaches_two_thousand_followers() {
    let (world, [ann, first, last]) =
        World::builder().unlimited_pages().start_with(["ann", "first", "last"]).await;
    let crowd = follow(&world, &ann, FOLLOWERS, (&first, &last)).await;
    ann.writes("one").await;
    let (_, cost) = world.cost_of(world.settle()).await;
    assert!(cost.wru >= FOLLOWERS as f64, "{cost:?}");
    for follower in crowd.iter().step_by(FOLLOWERS / 200) {
        assert_eq!(timeline_entries(&world, follower).await, 1);
    }
    for reader in [&first, &last] {
        assert_eq!(feed(reader).await, ["one"]);
    }
}

#[tokio::test]
async fn hundreds_of_pending_notifications_are_all_flushed() {
    check_all_flushed(PENDING).await;
}

#[tokio::test]
#[ignore = "full size: takes half a minute"]
async fn two_thousand_pending_notifications_are_all_flushed() {
    check_all_flushed(MANY_PENDING).await;
}

async fn check_all_flushed(pending: usize) {
    let (world, [ann, bob]) = World::builder().unlimited_pages().start_with(["ann", "bob"]).await;
    let flushed_before = add_pending(&world, &ann, &bob, pending).await;
    world.advance_and_settle(40).await;
    let counts = ann.all("/notification", 100, "count").await;
    assert_eq!(counts, vec![json!(1); pending + flushed_before]);
}

/// Adds followers: `first`, then `count` users with copied rows, then `last`. Returns the IDs of the `count` users.
async fn follow(
    world: &World,
    author: &Person,
    count: usize,
    (first, last): (&Person, &Person),
) -> Vec<String> {
    first.follows(author).await;
    let follow = row(world, &format!("USER#{}", first.id), &format!("FOLLOW#{}", author.id)).await;
    let position = follow["gsi2sk"].as_s().unwrap();
    let app = world.app();
    let crowd: Vec<_> = (0..count).map(|_| UserId::random_at(&app, app.now()).to_string()).collect();
    let positions = ids(world, count);
    let pairs = crowd.iter().zip(&positions);
    put(world, pairs.map(|(id, new)| renamed(&follow, &[(&first.id, id), (position, new)]))).await;
    let author_key = users::key(author.id.parse().unwrap());
    app.table.write(Write::update(author_key).add("followersCount", count as i64)).await.unwrap();
    last.follows(author).await;
    world.settle().await;
    crowd
}

/// Creates `count` pending records by copying the record of a reply. On a deployed stack, a tick can flush the reply
/// before the copy. Then writes another reply, and finally returns the number of replies flushed early.
async fn add_pending(world: &World, author: &Person, other: &Person, count: usize) -> usize {
    let mut flushed_before = 0;
    let (post, pending) = loop {
        let post = author.writes("hello").await;
        other.replies(&post, "hi").await;
        match find_row(world, &pending_key(author, &post), "PENDING").await {
            Some(pending) => break (post.id, pending),
            None => flushed_before += 1,
        }
    };
    let (post, event) = (post.as_str(), pending["gsi1sk"].as_s().unwrap());
    let new_ids = ids(world, 2 * (count - 1));
    let copies = new_ids.chunks(2).map(|ids| {
        let names = [(post, ids[0].as_str()), (event.as_str(), ids[1].as_str())];
        let mut pending = renamed(&pending, &names);
        let shard = ids[0].parse::<PostId>().unwrap().random() % PENDING_SHARDS;
        pending.insert("gsi1pk".to_owned(), AttributeValue::S(format!("PENDING#{shard}")));
        pending
    });
    put(world, copies.collect::<Vec<_>>().into_iter()).await;
    flushed_before
}
