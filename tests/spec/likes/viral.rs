//! A post that more people like at once than a transaction counts.

use domain::{
    ids::PostId,
    operations::recount::mend,
    posts::{
        self,
        likes::{self, LikeJob},
    },
};
use platform::table::Write;
use serde_json::json;
use tests::{Fault, Person, Post, World};

use super::{liking, strangers};
use crate::recounts::drifts;

/// So many that the last ones are more than a transaction takes: the next like is counted in a tally too.
const CROWD: usize = 200;

async fn stored(world: &World, post: &Post) -> posts::Post {
    posts::find(&world.app(), id(post)).await.unwrap()
}

fn id(post: &Post) -> PostId {
    post.id.parse().unwrap()
}

/// A world, people in it, and a post of the first one's that went viral.
async fn viral() -> (World, [Person; 3], Post) {
    let world = World::new().await;
    let people = world.people(["ann", "bob", "cleo"]).await;
    let post = people[0].writes("viral").await;
    goes_viral(&world, &post).await;
    (world, people, post)
}

/// A crowd likes the post, and that is counted.
pub(crate) async fn goes_viral(world: &World, post: &Post) {
    let jobs = liking(world, post, &strangers(world, CROWD), true).await;
    assert!(likes::settle(&world.app(), &jobs).await.is_empty());
    assert!(stored(world, post).await.tallied.is_some());
}

/// A worker brings what somebody does about the post to a tally, and ends before the sum is written.
pub(crate) async fn comes_to_a_tally(world: &World, who: &Person, post: &Post) {
    world.faults.plan("TransactWriteItems", Fault::Throttle, 1, u32::MAX);
    let failed = likes::settle(&world.app(), &[job(world, who, post)]).await;
    assert!(failed.len() == 1 && world.faults.calm() > 0, "its message comes again");
}

async fn likes_count(who: &Person, post: &Post) -> i64 {
    who.sees(post).await["likesCount"].as_i64().unwrap()
}

fn job(world: &World, who: &Person, post: &Post) -> LikeJob {
    LikeJob::Added { user: who.id.parse().unwrap(), post: id(post), at: world.app().now() }
}

#[tokio::test]
async fn a_thousand_likes_of_a_post_write_its_row_twice_and_those_after_them_each_again() {
    let world = World::new().await;
    let [ann, bob, cleo] = world.people(["ann", "bob", "cleo"]).await;
    let post = ann.writes("viral").await;
    let jobs = liking(&world, &post, &strangers(&world, 1_000), true).await;
    let (failed, cost) = world.cost_of(likes::settle(&world.app(), &jobs)).await;
    assert!(failed.is_empty(), "{failed:?}");
    let row = stored(&world, &post).await;
    assert_eq!((row.likes_count, row.likes_seq), (1_000, 2));
    assert!(cost.calls <= 132 && cost.rru <= 1_035.0 && cost.wru <= 3_135.0, "{cost:?}");
    for (liker, is_tallied, seq) in [(&bob, false, 3), (&cleo, false, 4)] {
        liker.likes(&post).await;
        world.settle().await;
        let row = stored(&world, &post).await;
        assert_eq!((row.tallied.is_some(), row.likes_seq), (is_tallied, seq));
    }
    assert_eq!(likes_count(&ann, &post).await, 1_002);
}

#[tokio::test]
async fn ones_own_like_is_counted_once_before_and_after_it_is_added_up() {
    let world = World::new().await;
    let [ann, bob] = world.people(["ann", "bob"]).await;
    let post = ann.writes("viral").await;
    for (liked, others, own) in [(true, 200, 201), (false, 401, 400), (true, 600, 601)] {
        goes_viral(&world, &post).await;
        bob.post(&post.path("/like"), json!({ "isLiked": liked })).await.ok();
        comes_to_a_tally(&world, &bob, &post).await;
        assert_eq!((likes_count(&ann, &post).await, likes_count(&bob, &post).await), (others, own));
        assert_eq!(bob.sees(&post).await["isLiked"], liked);
        world.settle().await;
        assert_eq!((likes_count(&ann, &post).await, likes_count(&bob, &post).await), (own, own));
    }
}

#[tokio::test]
async fn a_change_of_mind_before_the_sum_is_written_is_counted() {
    let (world, [ann, bob, _], post) = viral().await;
    bob.likes(&post).await;
    comes_to_a_tally(&world, &bob, &post).await;
    bob.unlikes(&post).await;
    let seen = bob.sees(&post).await;
    assert_eq!((&seen["isLiked"], &seen["likesCount"]), (&json!(false), &json!(200)));
    world.settle().await;
    assert_eq!((likes_count(&ann, &post).await, likes_count(&bob, &post).await), (200, 200));
}

#[tokio::test]
async fn wherever_the_worker_ends_a_like_in_a_tally_is_counted_once() {
    let world = World::new().await;
    let [ann, bob] = world.people(["ann", "bob"]).await;
    let mut expected = 0;
    let post = ann.writes("viral").await;
    let calls = [("TransactWriteItems", 0), ("TransactWriteItems", 1), ("UpdateItem", 0), ("UpdateItem", 9)];
    for (operation, pass) in calls {
        for fault in [Fault::Crash, Fault::CrashAfter, Fault::LostAnswer] {
            goes_viral(&world, &post).await;
            bob.likes(&post).await;
            world.faults.plan(operation, fault, pass, 1);
            world.settle().await;
            assert_eq!(world.faults.calm(), 1, "{operation} {pass} {fault:?}");
            expected += 200;
            assert_eq!(likes_count(&ann, &post).await, expected + 1, "{operation} {pass} {fault:?}");
            bob.unlikes(&post).await;
            world.settle().await;
        }
    }
}

#[tokio::test]
async fn a_sum_that_another_worker_writes_meanwhile_is_written_once() {
    // What the worker is about to do when the other comes: to look whether there is a sum to write, and to write it.
    for call in ["GetItem", "TransactWriteItems"] {
        let (world, [ann, bob, cleo], post) = viral().await;
        bob.likes(&post).await;
        comes_to_a_tally(&world, &bob, &post).await;
        cleo.likes(&post).await;
        let app = world.app();
        let (bobs, cleos) = ([job(&world, &bob, &post)], [job(&world, &cleo, &post)]);
        // The attempt that a batch has together fails: what is tried alone has to go well.
        world.faults.plan("BatchGetItem", Fault::Throttle, 0, 8);
        let again = likes::settle(&app, &bobs);
        let (one, other) = world.faults.while_held(call, again, likes::settle(&app, &cleos)).await;
        assert!(one.is_empty() && other.is_empty(), "{call}: {one:?} {other:?}");
        assert_eq!(likes_count(&ann, &post).await, 202, "{call}");
    }
}

#[tokio::test]
async fn a_like_that_was_taken_back_before_it_came_to_a_tally_costs_no_sum() {
    let (world, [ann, bob, _], post) = viral().await;
    let seq = stored(&world, &post).await.likes_seq;
    bob.likes(&post).await;
    bob.unlikes(&post).await;
    world.settle().await;
    assert_eq!((stored(&world, &post).await.likes_seq, likes_count(&ann, &post).await), (seq, 200));
}

#[tokio::test]
async fn tallies_that_were_closed_by_a_worker_that_is_gone_hold_nobody_up() {
    let (world, [ann, bob, cleo], post) = viral().await;
    bob.likes(&post).await;
    comes_to_a_tally(&world, &bob, &post).await;
    cleo.likes(&post).await;
    let failed = likes::settle(&world.app(), &[job(&world, &cleo, &post)]).await;
    assert!(failed.is_empty(), "{failed:?}");
    assert_eq!(likes_count(&ann, &post).await, 202);
    world.settle().await;
    assert_eq!(likes_count(&ann, &post).await, 202);
}

#[tokio::test]
async fn a_like_that_comes_to_a_tally_when_it_is_closed_goes_to_the_next() {
    let (world, [ann, bob, _], post) = viral().await;
    let app = world.app();
    bob.likes(&post).await;
    let bobs = [job(&world, &bob, &post)];
    let crowd = liking(&world, &post, &strangers(&world, CROWD), true).await;
    let meanwhile = likes::settle(&app, &crowd);
    let held = world.faults.while_held("TransactWriteItems", likes::settle(&app, &bobs), meanwhile);
    let (one, other) = held.await;
    assert!(one.is_empty() && other.is_empty(), "{one:?} {other:?}");
    assert_eq!((likes_count(&ann, &post).await, likes_count(&bob, &post).await), (401, 401));
}

#[tokio::test]
async fn workers_that_count_one_post_at_the_same_time_count_each_like_once() {
    let world = World::new().await;
    let ann = world.person("ann").await;
    let post = ann.writes("viral").await;
    let jobs = liking(&world, &post, &strangers(&world, 600), true).await;
    let apps = [world.app(), world.app(), world.app()];
    let parts = [&jobs[..400], &jobs[200..], &jobs[100..500]];
    let workers = apps.iter().zip(parts).map(|(app, jobs)| likes::settle(app, jobs));
    let failed = futures::future::join_all(workers).await;
    assert!(failed.iter().all(Vec::is_empty), "{failed:?}");
    assert_eq!(likes_count(&ann, &post).await, 600);
}

#[tokio::test]
async fn a_worker_of_an_earlier_release_that_counts_on_the_post_meanwhile_takes_nothing_from_the_sum() {
    let (world, [ann, bob, _], post) = viral().await;
    bob.likes(&post).await;
    comes_to_a_tally(&world, &bob, &post).await;
    let seq = stored(&world, &post).await.likes_seq;
    let count = Write::update(posts::key(id(&post))).add("likesCount", 1).set("likesSeq", seq + 1);
    let app = world.app();
    // Between what the worker read of the post and the sum.
    let again = [job(&world, &bob, &post)];
    let earlier = app.table.write(count.equals("likesSeq", seq));
    let held = world.faults.while_held("TransactWriteItems", likes::settle(&app, &again), earlier);
    let (failed, counted) = held.await;
    assert!(failed.is_empty() && counted.is_ok(), "{failed:?} {counted:?}");
    assert_eq!(likes_count(&ann, &post).await, 202);
    world.settle().await;
    assert_eq!((likes_count(&ann, &post).await, likes_count(&bob, &post).await), (202, 202));
}

#[tokio::test]
async fn what_lies_in_tallies_without_a_message_is_added_up_by_a_recount() {
    let (world, [ann, bob, _], post) = viral().await;
    let app = world.app();
    liking(&world, &post, &[bob.id.parse().unwrap()], true).await;
    comes_to_a_tally(&world, &bob, &post).await;
    let found = drifts(&app, &[&post.id]).await;
    let [drift] = found.as_slice() else { panic!("{found:?}") };
    assert_eq!((drift.counter, drift.stored, drift.actual), ("likesCount", 200, 201));
    assert!(!mend(&app, drift).await.unwrap(), "it moved");
    assert_eq!(drifts(&app, &[]).await, []);
    world.settle().await;
    assert_eq!((likes_count(&ann, &post).await, likes_count(&bob, &post).await), (201, 201));
}
