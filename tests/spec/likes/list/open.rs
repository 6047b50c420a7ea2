//! A post's row stores up to six newest likers. The next liker moves these six to a separate row.

use std::{ops::RangeInclusive, pin::Pin, sync::Arc, time::Duration};

use domain::posts::{
    engagements,
    likes::{self, LikeJob},
};
use platform::{App, app::Clients, settings::Settings};
use serde_json::{Value, json};
use tests::{Fault, Person, Post, World};

use super::{all, likers, page, rows::times_listed};
use crate::{
    deletion::{runs_deletions, traces},
    likes::{like_job, until_struck},
    scale::{all_rows, row},
};

/// Maximum number of likers on a post's row.
const OPEN_MAX: usize = 6;

/// Creates users who like a post one after the other. Each like is counted before the next.
async fn fans(world: &World, post: &Post, numbers: RangeInclusive<usize>) -> Vec<Person> {
    let fans = world.fans(numbers).await;
    for fan in &fans {
        fan.likes(post).await;
        world.settle().await;
    }
    fans
}

/// Returns the usernames of these fans, highest number first.
fn listed(numbers: RangeInclusive<usize>) -> Vec<Value> {
    numbers.rev().map(|n| json!(format!("fan{n:02}"))).collect()
}

/// Returns the number of a post's liker rows, and the number of likers on the post's row.
async fn stored(world: &World, post: &Post) -> (usize, usize) {
    let rows = all_rows(world).await;
    let of_post = rows.iter().filter(|row| row["pk"].as_s().unwrap() == &format!("POST#{}", post.id));
    let rows = of_post.filter(|row| row["sk"].as_s().unwrap().starts_with("LIKERS#")).count();
    let row = row(world, &format!("POST#{}", post.id), "POST").await;
    let open = row.get("likers").map_or(0, |bytes| bytes.as_b().unwrap().as_ref().len() / 16 - 1);
    (rows, open)
}

/// Checks the list of likers with pages of each of these sizes. The likers are fans, highest number first.
async fn assert_listed(reader: &Person, post: &Post, sizes: &[usize], numbers: RangeInclusive<usize>) {
    for take in sizes {
        assert_eq!(all(reader, post, *take).await, listed(numbers.clone()), "{take} a page");
    }
}

/// Returns an app whose AWS calls get no injected faults.
fn without_faults(world: &World) -> App {
    with_slow_clock(world, 0)
}

/// Returns an app without faults whose clock is `seconds` slow.
fn with_slow_clock(world: &World, seconds: u64) -> App {
    let (clock, table) = (world.stack.clock().clone(), world.table_name().to_owned());
    let settings = Settings::read(|name| (name == "TABLE_NAME").then(|| table.clone())).unwrap();
    let clock = Arc::new(move || clock.now() - Duration::from_secs(seconds));
    App::new(Clients::new(world.stack.sdk_config()), settings, clock)
}

/// Counts likes while calls of one AWS operation fail. Runs `meanwhile` after the first failure.
async fn apply_with_failures(
    world: &World,
    jobs: &[LikeJob],
    (call, fault): (&str, Fault),
    meanwhile: Pin<Box<dyn Future<Output = ()> + '_>>,
) {
    world.faults.plan(call, fault, 0, 7);
    let meanwhile = async {
        until_struck(world).await;
        meanwhile.await;
    };
    let app = world.app();
    let (failed, ()) = tokio::join!(likes::apply(&app, jobs), meanwhile);
    assert!(failed.is_empty(), "{failed:?}");
    assert!(world.faults.calm() > 0);
}

#[tokio::test]
async fn seventeen_likes_fill_two_rows_and_are_listed_in_order() {
    let (world, [ann], post) = World::with_post(["ann"]).await;
    fans(&world, &post, 1..=6).await;
    assert_eq!(stored(&world, &post).await, (0, OPEN_MAX));
    fans(&world, &post, 7..=17).await;
    assert_eq!(stored(&world, &post).await, (2, 5));
    assert_listed(&ann, &post, &[1, 2, 5, 6, 7, 16, 17, 20], 1..=17).await;
    assert_eq!(ann.sees(&post).await.get("likers"), None, "the response has no list of likers");
}

#[tokio::test]
async fn a_cursor_stays_valid_when_likers_move_to_a_separate_row() {
    let (world, [ann], post) = World::with_post(["ann"]).await;
    fans(&world, &post, 1..=5).await;
    let first = page(&ann, &post, "?take=2").await;
    assert_eq!(first.column("username"), listed(4..=5));
    let by_position = first.after().unwrap().to_owned();
    let by_user = first.rows()[1]["publicId"].as_str().unwrap();
    for more in [6, 7, 8] {
        fans(&world, &post, more..=more).await;
        for after in [&*by_position, by_user] {
            let rest = page(&ann, &post, &format!("?after={after}")).await;
            assert_eq!(rest.column("username"), listed(1..=3), "with {more} likes");
        }
    }
    assert_eq!(stored(&world, &post).await, (1, 2));
    assert_eq!(likers(&ann, &post).await, listed(1..=8));
}

#[tokio::test]
async fn likes_counted_in_a_batch_are_listed_in_order() {
    let (world, [ann], post) = World::with_post(["ann"]).await;
    fans(&world, &post, 1..=2).await;
    for fan in world.fans(3..=11).await {
        fan.likes(&post).await;
        world.advance(1).await;
    }
    world.settle().await;
    fans(&world, &post, 12..=13).await;
    assert_listed(&ann, &post, &[1, 3, 20], 1..=13).await;
}

#[tokio::test]
async fn a_renewed_like_moves_to_the_head_of_the_list() {
    let (world, [ann], post) = World::with_post(["ann"]).await;
    let fans = fans(&world, &post, 1..=3).await;
    for again in 1..=2 {
        fans[0].unlikes(&post).await;
        world.settle().await;
        assert_eq!(times_listed(&world, &post, &fans[0]).await, 0, "{again}");
        assert_eq!(all(&ann, &post, 1).await, listed(2..=3), "{again}");
        fans[0].likes(&post).await;
        world.settle().await;
        assert_eq!(times_listed(&world, &post, &fans[0]).await, 1, "{again}");
        assert_eq!(all(&ann, &post, 1).await, ["fan01", "fan03", "fan02"], "{again}");
    }
    for fan in &fans {
        fan.unlikes(&post).await;
        world.settle().await;
    }
    assert_eq!(stored(&world, &post).await, (0, 0), "the post keeps an empty list of likers");
}

#[tokio::test]
async fn likers_are_listed_once_if_a_worker_crashes_midway() {
    let (world, [ann], post) = World::with_post(["ann"]).await;
    fans(&world, &post, 1..=6).await;
    let last = world.person("fan07").await;
    last.likes(&post).await;
    world.faults.plan("TransactWriteItems", Fault::Crash, 0, u32::MAX);
    world.stack.settle(None).await.unwrap();
    assert!(world.faults.calm() > 0);
    let rows_and_open = stored(&world, &post).await;
    assert_eq!(rows_and_open, (1, OPEN_MAX), "the crash left the likers in both rows");
    assert_listed(&ann, &post, &[1, 20], 1..=6).await;
    assert!(likes::apply(&world.app(), &[like_job(&world, &last, &post)]).await.is_empty());
    assert_eq!(stored(&world, &post).await, (1, 1));
    assert_listed(&ann, &post, &[1, 20], 1..=7).await;
}

#[tokio::test]
async fn a_slow_clock_does_not_reorder_the_likers() {
    let (world, [ann], post) = World::with_post(["ann"]).await;
    fans(&world, &post, 1..=6).await;
    let last = world.person("fan07").await;
    last.likes(&post).await;
    assert!(likes::apply(&with_slow_clock(&world, 5), &[like_job(&world, &last, &post)]).await.is_empty());
    assert_listed(&ann, &post, &[1, 20], 1..=7).await;
}

#[tokio::test]
async fn no_liker_is_lost_if_two_workers_move_likers_concurrently() {
    let (world, [ann], post) = World::with_post(["ann"]).await;
    fans(&world, &post, 1..=5).await;
    let more = world.fans(6..=9).await;
    for fan in &more {
        world.advance(1).await;
        fan.likes(&post).await;
    }
    let jobs: Vec<_> = more.iter().map(|fan| like_job(&world, fan, &post)).collect();
    let others = without_faults(&world);
    // One worker reads five likers on the post's row. Before it moves them, a second worker adds a liker and moves all.
    let meanwhile = Box::pin(async {
        for job in &jobs[..2] {
            assert!(likes::apply(&others, std::slice::from_ref(job)).await.is_empty());
        }
    });
    apply_with_failures(&world, &jobs[2..], ("PutItem", Fault::Throttle), meanwhile).await;
    assert_listed(&ann, &post, &[1, 20], 1..=9).await;
    assert_eq!(ann.sees(&post).await["likesCount"], 9);
}

#[tokio::test]
async fn account_deletion_removes_the_user_from_likers() {
    let (world, [ann]) = World::builder().without_ticks().start_with(["ann"]).await;
    let post = ann.writes("hello").await;
    let fans = fans(&world, &post, 1..=8).await;
    assert_eq!(stored(&world, &post).await, (1, 2));
    for user in [&fans[1], &fans[6]] {
        user.leaves().await;
    }
    runs_deletions(&world).await;
    let left = traces::rows_with(&world, &[&fans[1].id, &fans[6].id]).await;
    assert!(left.iter().all(|row| !row.starts_with("POST#")), "{left:?}");
    assert_eq!(likers(&world.anyone, &post).await, ["fan08", "fan06", "fan05", "fan04", "fan03", "fan01"]);
}

#[tokio::test]
async fn a_batch_of_likes_does_not_restore_a_removed_liker() {
    let (world, [ann], post) = World::with_post(["ann"]).await;
    let fans = fans(&world, &post, 1..=2).await;
    let cleo = world.person("cleo").await;
    cleo.likes(&post).await;
    let app = world.app();
    let (user, id) = (fans[0].id.parse().unwrap(), post.id.parse().unwrap());
    let engagement = engagements::find(&app, user, id).await.unwrap().unwrap();
    let others = without_faults(&world);
    let meanwhile = Box::pin(async { likes::remove_liker(&others, &engagement).await.unwrap() });
    let jobs = [like_job(&world, &cleo, &post)];
    apply_with_failures(&world, &jobs, ("TransactWriteItems", Fault::Conflict), meanwhile).await;
    assert_eq!(times_listed(&world, &post, &fans[0]).await, 0);
    assert_eq!(likers(&ann, &post).await, ["cleo", "fan02"]);
    assert_eq!(ann.sees(&post).await["likesCount"], 3, "only the list changed, not the count");
}

#[tokio::test]
async fn likers_on_the_posts_row_add_at_most_one_write_unit() {
    let (world, [ann]) = World::with(["ann"]).await;
    let fans = world.fans(1..=OPEN_MAX).await;
    for fan in &fans {
        // Mutes prevent notifications, whose rows would grow too.
        ann.post(&fan.path("/mute"), json!({ "isMuted": true })).await.ok();
    }
    let mut most = 0;
    for length in (300..=600).step_by(20) {
        let post = ann.posts(json!({ "content": "x".repeat(length), "topic": "evening" })).await;
        let mut costs = Vec::new();
        for fan in &fans {
            fan.likes(&post).await;
            let jobs = [like_job(&world, fan, &post)];
            let (failed, cost) = world.cost_of(likes::apply(&world.app(), &jobs)).await;
            assert!(failed.is_empty(), "{failed:?}");
            costs.push(cost.wru);
            most = most.max(stored(&world, &post).await.1);
        }
        let least = costs.iter().copied().fold(f64::INFINITY, f64::min);
        assert!(costs.iter().all(|wru| *wru <= least + 1.0), "at most one more unit: {length} {costs:?}");
    }
    assert_eq!(most, OPEN_MAX);
}
