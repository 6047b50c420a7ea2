//! Each user's like is counted once, despite redelivery, crashes and conflicts.

mod hot;
mod list;
mod together;
mod viral;

use std::collections::HashSet;

use domain::{
    ids::UserId,
    posts::{
        self, engagements,
        likes::{self, LikeJob},
    },
};
use futures::{StreamExt, stream};
use proptest::prelude::*;
use serde_json::json;
use tests::{Fault, Person, Post, World};

#[tokio::test]
async fn concurrent_likes_by_12_users_count_as_12() {
    let (world, [ann], post) = World::with_post(["ann"]).await;
    let fans = world.fans(0..12).await;
    futures::future::join_all(fans.iter().map(|fan| fan.likes(&post))).await;
    world.settle().await;
    assert_eq!(ann.sees(&post).await["likesCount"], 12);
    fans[0].unlikes(&post).await;
    fans[0].likes(&post).await;
    fans[1].unlikes(&post).await;
    world.settle().await;
    assert_eq!(ann.sees(&post).await["likesCount"], 11);
}

#[tokio::test]
async fn the_viewers_like_counts_at_once() {
    let (world, [ann, bob], post) = World::with_post(["ann", "bob"]).await;
    let quote = ann.quotes(&post, "look").await;
    for (liked, count) in [(true, 1), (true, 1), (false, 0), (true, 1)] {
        let answer = bob.post(&post.path("/like"), json!({ "isLiked": liked })).await.ok();
        assert_eq!(answer.data(), &json!({ "isLiked": liked, "likesCount": count }));
        for settled in [false, true] {
            if settled {
                world.settle().await;
            }
            let detail = bob.sees(&post).await;
            let feed = bob.get("/posts/news-feed").await.ok().rows()[0].clone();
            let origin = bob.sees(&quote).await["origin"].clone();
            for seen in [detail, feed, origin] {
                let seen = (&seen["isLiked"], &seen["likesCount"]);
                assert_eq!(seen, (&json!(liked), &json!(count)), "settled: {settled}");
            }
        }
    }
}

#[tokio::test]
async fn a_repeated_like_sends_no_message() {
    let (world, [_ann, bob], post) = World::with_post(["ann", "bob"]).await;
    for (liked, messages) in [(false, 0), (true, 1), (true, 0), (false, 1), (false, 0)] {
        let (answer, cost) = world.cost_of(bob.post(&post.path("/like"), json!({ "isLiked": liked }))).await;
        answer.ok();
        assert_eq!((cost.messages, cost.sends), (messages, 0), "{liked}");
    }
}

#[tokio::test]
async fn a_like_counts_once_if_its_worker_crashes_after_the_commit() {
    let (world, [ann, bob], post) = World::with_post(["ann", "bob"]).await;
    bob.likes(&post).await;
    for fault in [Fault::CrashAfter, Fault::LostAnswer, Fault::Conflict] {
        world.faults.next("TransactWriteItems", fault);
        world.settle().await;
        assert_eq!(world.faults.calm(), 1, "{fault:?}");
        assert_eq!(ann.sees(&post).await["likesCount"], 1, "{fault:?}");
        bob.unlikes(&post).await;
        world.settle().await;
        bob.likes(&post).await;
    }
}

#[tokio::test]
async fn an_outdated_copy_of_a_post_counts_the_viewers_like_once() {
    let (world, [_ann, bob], post) = World::with_post(["ann", "bob"]).await;
    let (app, id, user) = (world.app(), post.id.parse().unwrap(), bob.id.parse().unwrap());
    let copy = async || posts::find(&app, id).await.unwrap();
    let mine = async || engagements::find(&app, user, id).await.unwrap();
    let mut copies = vec![copy().await];
    for (wished, count) in [(true, 1), (false, 0), (true, 1)] {
        bob.post(&post.path("/like"), json!({ "isLiked": wished })).await.ok();
        copies.push(copy().await);
        world.settle().await;
        // `copy` is outdated. `seen_by` corrects the count by the like of this user.
        let seen = likes::seen_by(copies.last().unwrap(), mine().await.as_ref());
        assert_eq!((seen.is_liked, seen.likes_count), (wished, count));
    }
}

#[tokio::test]
async fn an_unlike_while_the_like_is_counted_is_not_lost() {
    let (world, [ann, bob], post) = World::with_post(["ann", "bob"]).await;
    bob.likes(&post).await;
    let (app, id, user) = (world.app(), post.id.parse().unwrap(), bob.id.parse().unwrap());
    // The first worker has read the like, and conflicts delay it. Meanwhile the like is removed, and a second worker
    // finds nothing to apply.
    world.faults.plan("TransactWriteItems", Fault::Conflict, 0, 7);
    let added = [like_job(&world, &bob, &post)];
    let slow = likes::apply(&app, &added);
    let meanwhile = async {
        until_struck(&world).await;
        bob.unlikes(&post).await;
        likes::apply(&app, &[LikeJob::Removed { user, post: id }]).await
    };
    let (one, other) = tokio::join!(slow, meanwhile);
    assert!(one.is_empty() && other.is_empty(), "{one:?} {other:?}");
    assert_eq!(world.faults.calm(), 7);
    assert_eq!(ann.sees(&post).await["likesCount"], 0);
}

#[tokio::test]
async fn more_likes_than_a_transaction_holds_are_counted() {
    let (world, [ann], post) = World::with_post(["ann"]).await;
    let mut jobs = like_jobs(&world, &post, &random_user_ids(&world, 250), true).await;
    jobs.extend(jobs.clone());
    let failed = likes::apply(&world.app(), &jobs).await;
    assert!(failed.is_empty(), "{failed:?}");
    assert_eq!(ann.sees(&post).await["likesCount"], 250);
}

#[tokio::test]
async fn the_field_is_liked_must_be_a_boolean() {
    let (_world, [ann], post) = World::with_post(["ann"]).await;
    for body in [json!({}), json!({"isLiked": "true"}), json!({"isLiked": 1}), json!({"isLiked": null})] {
        ann.post(&post.path("/like"), body).await.invalid("isLiked");
    }
}

#[tokio::test]
async fn hidden_posts_can_be_liked() {
    let (world, [ann, bob], post) = World::with_post(["ann", "bob"]).await;
    bob.post(&post.path("/hide"), json!(null)).await.ok();
    bob.likes(&post).await;
    world.settle().await;
    assert_eq!(ann.sees(&post).await["likesCount"], 1);
}

/// Returns the job that counts a user's like.
fn like_job(world: &World, person: &Person, post: &Post) -> LikeJob {
    let (user, post) = (person.id.parse().unwrap(), post.id.parse().unwrap());
    LikeJob::Added { user, post, at: world.app().now() }
}

/// Waits until a fault is injected.
async fn until_struck(world: &World) {
    while !world.faults.have_struck() {
        tokio::task::yield_now().await;
    }
}

/// Returns `many` user IDs without accounts.
pub(crate) fn random_user_ids(world: &World, many: usize) -> Vec<UserId> {
    let app = world.app();
    (0..many).map(|_| UserId::random_at(&app, app.now())).collect()
}

/// Stores likes or unlikes of these users. Returns the jobs that update the count.
pub(crate) async fn like_jobs(world: &World, post: &Post, users: &[UserId], liked: bool) -> Vec<LikeJob> {
    let app = world.app();
    let (post, at) = (post.id.parse().unwrap(), app.now());
    let like = async |user: UserId| {
        let write = engagements::update_write(user, post).set("liked", liked).set("likedAt", at);
        app.table.write(write).await.unwrap();
        LikeJob::Added { user, post, at }
    };
    stream::iter(users).map(|user| like(*user)).buffered(8).collect().await
}

/// A user action in a random test history.
#[derive(Clone, Copy, Debug)]
enum Step {
    Crowd(usize),
    Like(usize, usize),
    Unlike(usize, usize),
    Delete(usize),
    Settle(u64),
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        6 => (0..4usize, 0..2usize).prop_map(|(person, post)| Step::Like(person, post)),
        4 => (0..4usize, 0..2usize).prop_map(|(person, post)| Step::Unlike(person, post)),
        1 => (0..2usize).prop_map(Step::Delete),
        2 => (0..100u64).prop_map(Step::Settle),
        1 => (0..2usize).prop_map(Step::Crowd),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 12, max_shrink_iters: 50, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_count_equals_the_likes_after_any_history(
        steps in prop::collection::vec(step(), 1..40),
        seed in 0..1000u64,
    ) {
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build();
        runtime.unwrap().block_on(history(&steps, seed));
    }
}

/// Runs the steps with random faults. Then checks the counters.
async fn history(steps: &[Step], seed: u64) {
    let world = World::builder().settings(&[("WRITE_LIMIT_PER_5_MIN", "10000")]).start().await;
    let people = world.people(["ann", "bob", "cleo", "dan"]).await;
    let posts = [people[0].writes("one").await, people[1].writes("two").await];
    world.settle().await;
    let (mut liked, mut deleted, mut crowds) = (HashSet::new(), HashSet::new(), [0, 0]);
    let faults = [Fault::Conflict, Fault::Throttle, Fault::LostAnswer, Fault::Unprocessed, Fault::Refused];
    for step in steps {
        let crowd = match *step {
            Step::Crowd(post) => like_jobs(&world, &posts[post], &random_user_ids(&world, 200), true).await,
            _ => Vec::new(),
        };
        world.faults.storm(seed, 10, &faults);
        match *step {
            Step::Crowd(post) => {
                likes::apply(&world.app(), &crowd).await;
                crowds[post] += crowd.len();
            }
            Step::Like(person, post) => request(&people[person], &posts[post], true).await,
            Step::Unlike(person, post) => request(&people[person], &posts[post], false).await,
            Step::Delete(post) => _ = people[post].delete(&posts[post].path("")).await,
            Step::Settle(seed) => {
                world.faults.calm();
                world.settle_as(seed).await;
            }
        }
        world.faults.calm();
        // Applies all jobs again, as a redelivery does.
        assert!(likes::apply(&world.app(), &crowd).await.is_empty());
        // Repeats the request without faults, because a failed request may have taken effect.
        if let Step::Delete(post) = *step {
            people[post].delete(&posts[post].path("")).await;
            deleted.insert(post);
        }
        if let Step::Like(person, post) | Step::Unlike(person, post) = *step {
            let wished = matches!(step, Step::Like(..));
            if !deleted.contains(&post) {
                request(&people[person], &posts[post], wished).await;
                if wished {
                    liked.insert((person, post))
                } else {
                    liked.remove(&(person, post))
                };
            }
        }
    }
    world.settle_as(seed).await;
    for (index, post) in posts.iter().enumerate().filter(|(index, _)| !deleted.contains(index)) {
        let expected = crowds[index] + liked.iter().filter(|(_, post)| *post == index).count();
        assert_eq!(world.anyone.get(&post.path("")).await.ok().data()["likesCount"], expected);
        for (person, viewer) in people.iter().enumerate() {
            let seen = viewer.sees(post).await;
            assert_eq!(seen["isLiked"], liked.contains(&(person, index)));
            assert_eq!(seen["likesCount"], expected);
        }
    }
}

async fn request(person: &Person, post: &Post, liked: bool) {
    person.post(&post.path("/like"), json!({ "isLiked": liked })).await;
}
