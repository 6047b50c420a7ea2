//! A post with more concurrent likes than one transaction can count.

use std::{
    panic::AssertUnwindSafe,
    time::{Duration, Instant},
};

use domain::posts::{
    self,
    likes::{self, LikeJob},
};
use futures::FutureExt;
use serde_json::json;
use tests::{Fault, Person, Post, World};

use super::{like_jobs, random_user_ids};

/// Number of likes that a worker counts in three transactions.
const MANY: usize = 250;

async fn likes_count(user: &Person, post: &Post) -> i64 {
    user.sees(post).await["likesCount"].as_i64().unwrap()
}

/// Counts likes. The worker may crash before it has counted all of them.
async fn apply_until_crash(world: &World, jobs: &[LikeJob]) {
    let app = world.app();
    let _ended = AssertUnwindSafe(likes::apply(&app, jobs)).catch_unwind().await;
}

#[tokio::test]
async fn a_worker_counts_a_thousand_likes_in_11_writes_to_the_post() {
    let (world, [_ann], post) = World::with_post(["ann"]).await;
    let jobs = like_jobs(&world, &post, &random_user_ids(&world, 1_000), true).await;
    let failed = world.budget("apply 1,000 likes of one post (job)", likes::apply(&world.app(), &jobs)).await;
    assert!(failed.is_empty(), "{failed:?}");
    let row = posts::find(&world.app(), post.id.parse().unwrap()).await.unwrap();
    assert_eq!((row.likes_count, row.likes_seq), (1_000, 11));
}

#[tokio::test]
async fn a_worker_counting_likes_writes_a_post_6_times_a_second() {
    let world = World::new().await;
    let post = world.person("ann").await.writes("viral").await;
    let jobs = like_jobs(&world, &post, &random_user_ids(&world, MANY), true).await;
    let begun = Instant::now();
    assert!(likes::apply(&world.app(), &jobs).await.is_empty());
    assert!(begun.elapsed() >= Duration::from_millis(3 * 160), "{:?}", begun.elapsed());
}

#[tokio::test]
async fn the_viewers_like_counts_once_while_many_likes_are_counted() {
    let (world, [ann, bob], post) = World::with_post(["ann", "bob"]).await;
    for (liked, others, own) in [(true, 250, 251), (false, 501, 500), (true, 750, 751)] {
        bob.post(&post.path("/like"), json!({ "isLiked": liked })).await.ok();
        let crowd = like_jobs(&world, &post, &random_user_ids(&world, MANY), true).await;
        apply_until_crash(&world, &crowd).await;
        assert_eq!((likes_count(&ann, &post).await, likes_count(&bob, &post).await), (others, own));
        assert_eq!(bob.sees(&post).await["isLiked"], liked);
        world.settle().await;
        assert_eq!((likes_count(&ann, &post).await, likes_count(&bob, &post).await), (own, own));
    }
}

#[tokio::test]
async fn each_like_counts_once_wherever_the_worker_crashes() {
    let (world, [ann], post) = World::with_post(["ann"]).await;
    for (batch, fault) in (1..).zip([Fault::Crash, Fault::CrashAfter, Fault::LostAnswer]) {
        let crowd = like_jobs(&world, &post, &random_user_ids(&world, MANY), true).await;
        world.faults.plan("TransactWriteItems", fault, 1, 1);
        apply_until_crash(&world, &crowd).await;
        assert_eq!(world.faults.calm(), 1, "{fault:?}");
        let failed = likes::apply(&world.app(), &crowd).await;
        assert!(failed.is_empty(), "redelivered messages must succeed: {failed:?}");
        assert_eq!(likes_count(&ann, &post).await, batch * MANY as i64, "{fault:?}");
    }
}

#[tokio::test]
async fn concurrent_workers_count_each_like_once() {
    let (world, [ann], post) = World::with_post(["ann"]).await;
    let jobs = like_jobs(&world, &post, &random_user_ids(&world, 600), true).await;
    let apps = [world.app(), world.app(), world.app()];
    let parts = [&jobs[..400], &jobs[200..], &jobs[100..500]];
    let workers = apps.iter().zip(parts).map(|(app, jobs)| likes::apply(app, jobs));
    let failed = futures::future::join_all(workers).await;
    assert!(failed.iter().all(Vec::is_empty), "{failed:?}");
    assert_eq!(likes_count(&ann, &post).await, 600);
}

#[tokio::test]
async fn a_post_accepts_replies_and_shares_while_likes_are_counted() {
    let (world, [ann, bob, cleo], post) = World::with_post(["ann", "bob", "cleo"]).await;
    let jobs = like_jobs(&world, &post, &random_user_ids(&world, 600), true).await;
    let app = world.app();
    let answered = async {
        for _ in 0..10 {
            bob.replies(&post, "hello").await;
        }
        cleo.quotes(&post, "look").await;
        cleo.reposts(&post).await;
    };
    let (failed, ()) = tokio::join!(likes::apply(&app, &jobs), answered);
    assert!(failed.is_empty(), "{failed:?}");
    world.settle().await;
    let seen = ann.sees(&post).await;
    let counts =
        ["likesCount", "repliesCount", "quotesCount", "repostsCount"].map(|name| seen[name].as_i64());
    assert_eq!(counts, [600, 10, 1, 1].map(Some));
}

#[tokio::test]
async fn a_reply_is_retried_after_conflicts_on_its_parent() {
    let (world, [ann, bob], post) = World::with_post(["ann", "bob"]).await;
    world.faults.plan("TransactWriteItems", Fault::Conflict, 0, 20);
    bob.replies(&post, "hello").await;
    assert_eq!(world.faults.calm(), 20);
    world.faults.plan("TransactWriteItems", Fault::Conflict, 0, u32::MAX);
    bob.post(&post.path("/reply"), json!({ "content": "late" })).await.refused(429, "TOO_MANY_REQUESTS");
    assert!(world.faults.calm() > 20);
    assert_eq!(ann.sees(&post).await["repliesCount"], 1);
}

#[tokio::test]
async fn a_reply_concurrent_with_its_parents_deletion_is_refused() {
    let (world, [ann, bob], post) = World::with_post(["ann", "bob"]).await;
    let path = post.path("/reply");
    let reply = bob.post(&path, json!({ "content": "late" }));
    let deleted = async { ann.deletes(&post).await.ok() };
    let (answer, _) = world.faults.while_held("TransactWriteItems", reply, deleted).await;
    answer.refused(404, "NOT_FOUND");
}
