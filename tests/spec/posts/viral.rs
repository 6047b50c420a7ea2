//! What people write about a post that very many like at that moment.

use domain::{
    ids::PostId,
    notifications::Pending,
    operations::recount::mend,
    posts::{self, likes::LikeJob},
};
use platform::table::Key;
use serde_json::{Value, json};
use tests::{Fault, Person, Post, World};

use crate::{
    likes::{
        liking, strangers,
        viral::{comes_to_a_tally, goes_viral},
    },
    notifications::{notifications, one, ticks},
    recounts::drifts,
};

const COUNTS: [&str; 3] = ["repliesCount", "quotesCount", "repostsCount"];

/// A world, people in it, and a post of the first one's that went viral.
async fn viral() -> (World, [Person; 4], Post) {
    let world = World::new().await;
    let people = world.people(["ann", "bob", "cleo", "dan"]).await;
    let post = people[0].writes("viral").await;
    goes_viral(&world, &post).await;
    (world, people, post)
}

async fn stored(world: &World, post: &Post) -> Value {
    let post = posts::find(&world.app(), post.id.parse().unwrap()).await.unwrap();
    serde_json::to_value(post).unwrap()
}

async fn counts(who: &Person, post: &Post) -> [i64; 3] {
    let post = who.sees(post).await;
    COUNTS.map(|it| post[it].as_i64().unwrap())
}

/// Type and count of what somebody is told of a post, besides likes.
async fn told(who: &Person, post: &Post) -> Vec<(Value, Value)> {
    let of_post = |it: &&Value| it["targetId"] == post.id && it["type"] != "LIKE";
    let rows = notifications(who).await;
    rows.iter().filter(of_post).map(|it| (it["type"].clone(), it["count"].clone())).collect()
}

/// Whether a record of what the author hears of waits for the tick.
async fn waits(world: &World, author: &Person, post: &Post, kind: &str) -> bool {
    let record = Key::new(format!("PENDING#{}#{}#{kind}", author.id, post.id), "PENDING");
    world.app().table.get::<Pending>(&record).await.unwrap().is_some()
}

#[tokio::test]
async fn replies_quotes_and_reposts_leave_the_row_of_a_viral_post_to_those_who_like_it() {
    let (world, [ann, bob, cleo, dan], post) = viral().await;
    let before = stored(&world, &post).await;
    bob.replies(&post, "one").await;
    cleo.replies(&post, "two").await;
    bob.quotes(&post, "look").await;
    for who in [&bob, &cleo, &dan] {
        who.reposts(&post).await;
    }
    assert_eq!(stored(&world, &post).await, before);
    for kind in ["POST", "QUOTE", "REPOST"] {
        assert!(
            !waits(&world, &ann, &post, kind).await,
            "the author's record of {kind} is written as seldom"
        );
    }
    world.settle().await;
    assert_eq!(counts(&ann, &post).await, [2, 1, 3]);
    assert!(waits(&world, &ann, &post, "QUOTE").await);
    ticks(&world).await;
    let mut told = told(&ann, &post).await;
    told.sort_by_key(|(kind, _)| kind.to_string());
    let each = [("POST", 2), ("QUOTE", 1), ("REPOST", 3)];
    assert_eq!(told, each.map(|(kind, count)| (json!(kind), json!(count))));
}

#[tokio::test]
async fn what_is_about_a_viral_post_costs_no_more_than_of_any_other() {
    let (world, [ann, bob, cleo, _], post) = viral().await;
    let other = ann.writes("other").await;
    let (_, cost) = world.cost_of(bob.replies(&post, "one")).await;
    let (_, usual) = world.cost_of(cleo.replies(&other, "one")).await;
    assert!(cost.calls <= usual.calls && cost.wru <= usual.wru, "{cost:?} {usual:?}");
}

#[tokio::test]
async fn what_is_made_of_a_repost_counts_on_the_original_whichever_is_viral() {
    let (world, [ann, bob, cleo, dan], viral) = viral().await;
    let calm = ann.writes("calm").await;
    for (post, is_repost_viral) in [(viral, false), (calm, true)] {
        let reposted = bob.reposts(&post).await;
        if is_repost_viral {
            goes_viral(&world, &reposted).await;
        }
        cleo.reposts(&reposted).await;
        dan.quotes(&reposted, "look").await;
        world.settle().await;
        assert_eq!(counts(&ann, &post).await, [0, 1, 2], "repost viral: {is_repost_viral}");
    }
}

#[tokio::test]
async fn wherever_the_worker_ends_a_reply_in_a_tally_is_counted_and_told_of_once() {
    let world = World::new().await;
    let [ann, bob] = world.people(["ann", "bob"]).await;
    for (operation, pass) in [("TransactWriteItems", 0), ("UpdateItem", 0), ("UpdateItem", 20)] {
        for fault in [Fault::Crash, Fault::CrashAfter, Fault::LostAnswer] {
            let post = ann.writes("viral").await;
            goes_viral(&world, &post).await;
            bob.replies(&post, "hello").await;
            world.stack.drain_streams().await;
            world.faults.plan(operation, fault, pass, 1);
            world.settle().await;
            assert_eq!(world.faults.calm(), 1, "{operation} {pass} {fault:?}");
            assert_eq!(counts(&ann, &post).await, [1, 0, 0], "{operation} {pass} {fault:?}");
            ticks(&world).await;
            let told = told(&ann, &post).await;
            assert_eq!(told, [(json!("POST"), json!(1))], "{operation} {pass} {fault:?}");
        }
    }
}

#[tokio::test]
async fn a_reply_whose_tally_is_closed_meanwhile_goes_to_the_next() {
    let (world, [ann, bob, ..], post) = viral().await;
    let app = world.app();
    let crowd = liking(&world, &post, &strangers(&world, 100), true).await;
    let counted = posts::likes::settle(&app, &crowd);
    let held = world.faults.while_held("TransactWriteItems", bob.replies(&post, "hello"), counted);
    let (_, failed) = held.await;
    assert!(failed.is_empty(), "{failed:?}");
    world.settle().await;
    let seen = ann.sees(&post).await;
    assert_eq!((&seen["repliesCount"], &seen["likesCount"]), (&json!(1), &json!(300)));
}

#[tokio::test]
async fn tallies_that_nobody_adds_up_hold_replies_up_for_seconds() {
    let (world, [ann, bob, cleo, _], post) = viral().await;
    bob.likes(&post).await;
    comes_to_a_tally(&world, &bob, &post).await;
    let refused = cleo.post(&post.path("/reply"), json!({ "content": "hello" })).await;
    refused.refused(429, "TOO_MANY_REQUESTS");
    world.advance(5).await;
    cleo.replies(&post, "hello").await;
    assert_eq!(counts(&ann, &post).await, [1, 0, 0]);
    world.settle().await;
    let seen = ann.sees(&post).await;
    assert_eq!((&seen["repliesCount"], &seen["likesCount"]), (&json!(1), &json!(201)));
}

#[tokio::test]
async fn a_reply_that_is_deleted_before_it_is_added_up_counts_no_more() {
    let (world, [ann, bob, cleo, _], post) = viral().await;
    let reply = bob.replies(&post, "goes").await;
    bob.deletes(&reply).await.ok();
    assert_eq!(counts(&ann, &post).await, [0, 0, 0]);
    cleo.replies(&post, "stays").await;
    world.settle().await;
    assert_eq!(counts(&ann, &post).await, [1, 0, 0]);
}

#[tokio::test]
async fn a_viral_post_that_was_deleted_takes_no_reply() {
    let (world, [ann, bob, ..], post) = viral().await;
    ann.deletes(&post).await.ok();
    let refused = bob.post(&post.path("/reply"), json!({ "content": "late" })).await;
    refused.refused(404, "NOT_FOUND");
    world.settle().await;
}

#[tokio::test]
async fn a_reply_that_comes_after_its_viral_post_was_deleted_finds_the_tallies_closed() {
    let (world, [ann, bob, ..], post) = viral().await;
    let deleted = async {
        ann.deletes(&post).await.ok();
        world.settle().await;
    };
    let path = post.path("/reply");
    let reply = bob.post(&path, json!({ "content": "late" }));
    let (answer, ()) = world.faults.while_held("TransactWriteItems", reply, deleted).await;
    answer.refused(404, "NOT_FOUND");
}

#[tokio::test]
async fn ones_own_like_is_counted_once_where_others_reply_before_it_is() {
    let (world, [ann, bob, cleo, _], post) = viral().await;
    bob.likes(&post).await;
    cleo.replies(&post, "hello").await;
    let id = post.id.parse().unwrap();
    let add_up = LikeJob::AddUp { post: id, seq: i64::MAX };
    assert!(posts::settle(&world.app(), &[add_up]).await.is_empty());
    let likes = async |who: &Person| who.sees(&post).await["likesCount"].as_i64().unwrap();
    assert_eq!((counts(&ann, &post).await[0], likes(&ann).await, likes(&bob).await), (1, 200, 201));
    world.settle().await;
    assert_eq!((likes(&ann).await, likes(&bob).await), (201, 201));
}

#[tokio::test]
async fn tallies_of_a_post_that_does_not_exist_are_done() {
    let world = World::new().await;
    let add_up = LikeJob::AddUp { post: world.app().ids.next::<PostId>(world.app().now()), seq: 1 };
    assert!(posts::settle(&world.app(), &[add_up]).await.is_empty());
}

#[tokio::test]
async fn whom_the_author_mutes_is_counted_and_not_told_of() {
    let (world, [ann, bob, ..], post) = viral().await;
    ann.post("/user/bob/mute", json!({})).await.ok();
    bob.replies(&post, "hello").await;
    world.settle().await;
    assert_eq!(counts(&ann, &post).await, [1, 0, 0]);
    ticks(&world).await;
    assert_eq!(one(&ann).await["type"], "LIKE");
}

#[tokio::test]
async fn what_no_message_adds_up_is_added_up_and_told_of_by_a_recount() {
    let (world, [ann, bob, ..], post) = viral().await;
    bob.replies(&post, "hello").await;
    world.faults.plan("SendMessageBatch", Fault::Swallowed, 0, u32::MAX);
    world.settle().await;
    assert!(world.faults.calm() > 0);
    let app = world.app();
    let found = drifts(&app, &[&post.id]).await;
    let [drift] = found.as_slice() else { panic!("{found:?}") };
    assert_eq!((drift.counter, drift.stored, drift.actual), ("repliesCount", 0, 1));
    assert!(!mend(&app, drift).await.unwrap(), "it moved");
    assert_eq!(drifts(&app, &[]).await, []);
    ticks(&world).await;
    assert_eq!(told(&ann, &post).await, [(json!("POST"), json!(1))]);
}
