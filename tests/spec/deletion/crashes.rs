//! Whatever fails on the way, and however often a message comes, somebody who left is gone and the books balance.

use serde_json::json;
use tests::{Fault, Person, World};

use super::{is_erased, traces::rows_with};
use crate::recounts::drifts;

/// Somebody with as much of everything as is asked for, and who stays.
async fn lives(world: &World, size: usize) -> (Person, Person) {
    let [ann, bob] = world.people(["annabella", "bob"]).await;
    let theirs = bob.writes("a post of bob").await;
    for number in 0..size {
        let post = ann.writes(&format!("qwijibo {number}")).await;
        bob.likes(&post).await;
        bob.quotes(&post, "look").await;
        bob.posts(json!({ "content": "with her", "mentions": [ann.id] })).await;
        ann.replies(&theirs, &format!("qwijibo reply {number}")).await;
        let other = world.person(&format!("other{number:03}")).await;
        ann.follows(&other).await;
        other.follows(&ann).await;
        ann.likes(&other.writes("a post").await).await;
        let group = ann.chats_with(&other.name).await;
        ann.post(&format!("/message-group/{group}/messages"), json!({ "content": "qwijibo" })).await.ok();
    }
    world.settle().await;
    (ann, bob)
}

/// She is gone, but for stubs of her messages, and all counts are exact.
async fn is_gone(world: &World, ann: &Person) {
    let left = rows_with(world, &[&ann.id, "annabella", "qwijibo"]).await;
    let wrong: Vec<_> = left.iter().filter(|it| !it.contains("/ MSG#")).collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert_eq!(drifts(&world.app(), &[]).await, []);
}

#[tokio::test]
async fn a_worker_that_is_killed_again_and_again_leaves_nothing_behind() {
    for fault in [Fault::Crash, Fault::CrashAfter] {
        let world =
            World::builder().without_ticks().settings(&[("WRITE_LIMIT_PER_5_MIN", "10000")]).start().await;
        let (ann, _) = lives(&world, 4).await;
        ann.leaves().await;
        for (operation, pass) in
            [("TransactWriteItems", 2), ("BatchWriteItem", 1), ("Query", 9), ("SendMessage", 1)]
        {
            world.faults.plan(operation, fault, pass, 1);
        }
        world.settle().await;
        world.faults.plan("DeleteItem", fault, 3, 1);
        is_erased(&world).await;
        assert_eq!(world.faults.calm(), 5, "{fault:?}");
        is_erased(&world).await;
        is_gone(&world, &ann).await;
    }
}

#[tokio::test]
async fn conflicts_and_lost_answers_count_nobody_twice() {
    let world =
        World::builder().without_ticks().settings(&[("WRITE_LIMIT_PER_5_MIN", "10000")]).start().await;
    let (ann, _) = lives(&world, 4).await;
    ann.leaves().await;
    world.faults.storm(7, 10, &[Fault::Conflict, Fault::LostAnswer, Fault::Throttle, Fault::Unprocessed]);
    is_erased(&world).await;
    assert!(world.faults.calm() > 20);
    is_erased(&world).await;
    is_gone(&world, &ann).await;
}

#[tokio::test]
async fn what_was_under_way_when_somebody_left_is_erased_too() {
    let world = World::builder().without_ticks().start().await;
    let (ann, bob) = lives(&world, 1).await;
    let theirs = bob.signs_in().await.writes("another post of bob").await;
    let body = json!({ "content": "qwijibo at last" });
    let writes = async { ann.post(&theirs.path("/reply"), body).await };
    let leaves = async {
        ann.leaves().await;
        world.settle().await;
    };
    let (late, _) = world.faults.while_held("TransactWriteItems", writes, leaves).await;
    assert_eq!(late.status, 201, "{late}");
    is_erased(&world).await;
    is_gone(&world, &ann).await;
}

/// 2,000 posts, 500 follows and 50 groups with `FULL=1`; a tenth of it without.
#[tokio::test]
async fn a_long_life_is_gone_within_minutes_and_erased_within_hours() {
    let full = std::env::var_os("FULL").is_some();
    let (posts, others, groups) = if full { (2000, 500, 50) } else { (100, 25, 5) };
    let world =
        World::builder().without_ticks().settings(&[("WRITE_LIMIT_PER_5_MIN", "100000")]).start().await;
    let [ann, bob] = world.people(["annabella", "bob"]).await;
    for number in 0..posts {
        ann.writes(&format!("qwijibo {number}")).await;
    }
    let mut ann = ann;
    for number in 0..others {
        let other = world.person(&format!("other{number:03}")).await;
        ann.follows(&other).await;
        if number < groups {
            let group = ann.chats_with(&other.name).await;
            ann.post(&format!("/message-group/{group}/messages"), json!({ "content": "qwijibo" })).await.ok();
        }
        if number % 20 == 19 {
            world.advance(if number < groups { 3601 } else { 61 }).await;
            ann = ann.signs_in().await;
        }
    }
    world.settle().await;
    let ann = ann.signs_in().await;
    ann.leaves().await;
    let transactions = [10, 60, 30].map(|pass| ("TransactWriteItems", pass));
    for (operation, pass) in transactions.into_iter().chain([("SendMessage", 2), ("UpdateItem", 4)]) {
        world.faults.plan(operation, Fault::CrashAfter, pass, 1);
    }
    world.settle().await;
    assert_eq!(world.faults.calm(), 5);
    assert!(
        bob.signs_in().await.get("/posts/news-feed").await.ok().rows().is_empty(),
        "within the same minute"
    );
    is_erased(&world).await;
    is_gone(&world, &ann).await;
}
