//! Account deletion completes and counters stay exact, despite crashes and duplicate messages.

use serde_json::json;
use tests::{Fault, Person, World};

use super::{runs_deletions, traces::rows_with};
use crate::{recounts::drifts, setup::MANY_WRITES};

/// Creates a user with `size` rows of each kind, and a second user who is not deleted.
async fn with_full_account(world: &World, size: usize) -> (Person, Person) {
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

/// Checks that all counters are exact and that, of the user's rows, only stubs of deleted messages are left.
async fn check_erased(world: &World, ann: &Person) {
    let left = rows_with(world, &[&ann.id, "annabella", "qwijibo"]).await;
    let wrong: Vec<_> = left.iter().filter(|row| !row.contains("/ MSG#")).collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert_eq!(drifts(&world.app(), &[]).await, []);
}

#[tokio::test]
async fn account_deletion_completes_despite_repeated_crashes() {
    for fault in [Fault::Crash, Fault::CrashAfter] {
        let world = World::builder().without_ticks().settings(MANY_WRITES).start().await;
        let (ann, _) = with_full_account(&world, 4).await;
        ann.leaves().await;
        for (operation, skipped) in
            [("TransactWriteItems", 2), ("BatchWriteItem", 1), ("Query", 9), ("SendMessage", 1)]
        {
            world.faults.plan(operation, fault, skipped, 1);
        }
        world.settle().await;
        world.faults.plan("DeleteItem", fault, 3, 1);
        runs_deletions(&world).await;
        assert_eq!(world.faults.calm(), 5, "{fault:?}");
        runs_deletions(&world).await;
        check_erased(&world, &ann).await;
    }
}

#[tokio::test]
async fn account_deletion_keeps_counters_exact_despite_faults() {
    let world = World::builder().without_ticks().settings(MANY_WRITES).start().await;
    let (ann, _) = with_full_account(&world, 4).await;
    ann.leaves().await;
    world.faults.storm(7, 10, &[Fault::Conflict, Fault::LostAnswer, Fault::Throttle, Fault::Unprocessed]);
    runs_deletions(&world).await;
    assert!(world.faults.calm() > 20);
    runs_deletions(&world).await;
    check_erased(&world, &ann).await;
}

#[tokio::test]
async fn a_reply_written_during_account_deletion_is_erased() {
    let world = World::builder().without_ticks().start().await;
    let (ann, bob) = with_full_account(&world, 1).await;
    let theirs = bob.signs_in().await.writes("another post of bob").await;
    let body = json!({ "content": "qwijibo at last" });
    let writes = async { ann.post(&theirs.path("/reply"), body).await };
    let leaves = async {
        ann.leaves().await;
        world.settle().await;
    };
    let (late, _) = world.faults.while_held("TransactWriteItems", writes, leaves).await;
    assert_eq!(late.status, 201, "{late}");
    runs_deletions(&world).await;
    check_erased(&world, &ann).await;
}

/// With `FULL=1`, deletes 2,000 posts, 500 follows and 50 groups. Otherwise deletes a tenth of these numbers.
#[tokio::test]
async fn an_account_with_many_rows_is_erased_within_hours() {
    let full = std::env::var_os("FULL").is_some();
    let (posts, others, groups) = if full { (2000, 500, 50) } else { (100, 25, 5) };
    let world = World::builder().without_ticks().settings(MANY_WRITES).start().await;
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
    let transactions = [10, 60, 30].map(|skipped| ("TransactWriteItems", skipped));
    for (operation, skipped) in transactions.into_iter().chain([("SendMessage", 2), ("UpdateItem", 4)]) {
        world.faults.plan(operation, Fault::CrashAfter, skipped, 1);
    }
    world.settle().await;
    assert_eq!(world.faults.calm(), 5);
    assert!(
        bob.signs_in().await.get("/posts/news-feed").await.ok().rows().is_empty(),
        "posts are removed from feeds before the clock advances"
    );
    runs_deletions(&world).await;
    check_erased(&world, &ann).await;
}
