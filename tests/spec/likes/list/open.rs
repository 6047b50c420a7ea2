//! The newest likers lie on the post, and become a row when they are seven: nobody sees when.

use std::{pin::Pin, sync::Arc};

use domain::posts::{
    engagements,
    likes::{self, LikeJob},
};
use platform::{App, app::Clients, settings::Settings};
use serde_json::{Value, json};
use tests::{Fault, Person, Post, World};

use super::{all, likers, page, rows::places_with};
use crate::{
    deletion::{is_erased, traces},
    scale::row,
};

/// The most people on a post.
const OPEN_MAX: usize = 6;

/// So many people who like a post one after the other, each like counted before the next.
async fn fans(world: &World, post: &Post, numbers: std::ops::RangeInclusive<usize>) -> Vec<Person> {
    let names: Vec<_> = numbers.map(|it| format!("fan{it:02}")).collect();
    let fans = futures::future::join_all(names.iter().map(|it| world.person(it))).await;
    for fan in &fans {
        fan.likes(post).await;
        world.settle().await;
    }
    fans
}

/// The fans of these numbers, the last one first.
fn listed(numbers: std::ops::RangeInclusive<usize>) -> Vec<Value> {
    numbers.rev().map(|it| json!(format!("fan{it:02}"))).collect()
}

/// The rows of who likes a post, and how many people lie on the post itself.
async fn stored(world: &World, post: &Post) -> (usize, usize) {
    let scan = world.unwatched_dynamodb().scan().table_name(world.table_name());
    let rows = scan.send().await.unwrap().items.unwrap_or_default();
    let of_post = rows.iter().filter(|it| it["pk"].as_s().unwrap() == &format!("POST#{}", post.id));
    let rows = of_post.filter(|it| it["sk"].as_s().unwrap().starts_with("LIKERS#")).count();
    let row = row(world, &format!("POST#{}", post.id), "POST").await;
    let open = row.get("likers").map_or(0, |it| it.as_b().unwrap().as_ref().len() / 16 - 1);
    (rows, open)
}

fn job(world: &World, who: &Person, post: &Post) -> LikeJob {
    LikeJob::Added { user: who.id.parse().unwrap(), post: post.id.parse().unwrap(), at: world.app().now() }
}

/// The product past the wire, which no fault strikes.
fn untouched(world: &World) -> App {
    late_by(world, 0)
}

/// The same with a clock that is so many seconds late.
fn late_by(world: &World, seconds: u64) -> App {
    let (clock, table) = (world.stack.clock().clone(), world.table_name().to_owned());
    let settings = Settings::read(|name| (name == "TABLE_NAME").then(|| table.clone())).unwrap();
    App::new(
        Clients::new(world.stack.sdk_config()),
        settings,
        Arc::new(move || clock.now() - std::time::Duration::from_secs(seconds)),
    )
}

/// Settles likes while the calls of one kind fail for a moment, in which something else happens.
async fn applies_slowly(
    world: &World,
    jobs: &[LikeJob],
    (call, fault): (&str, Fault),
    meanwhile: Pin<Box<dyn Future<Output = ()> + '_>>,
) {
    world.faults.plan(call, fault, 0, 7);
    let meanwhile = async {
        while !world.faults.have_struck() {
            tokio::task::yield_now().await;
        }
        meanwhile.await;
    };
    let app = world.app();
    let (failed, ()) = tokio::join!(likes::apply(&app, jobs), meanwhile);
    assert!(failed.is_empty(), "{failed:?}");
    assert!(world.faults.calm() > 0);
}

#[tokio::test]
async fn seventeen_lone_likes_are_two_rows_and_one_list() {
    let world = World::new().await;
    let ann = world.person("ann").await;
    let post = ann.writes("hello").await;
    fans(&world, &post, 1..=6).await;
    assert_eq!(stored(&world, &post).await, (0, OPEN_MAX));
    fans(&world, &post, 7..=17).await;
    assert_eq!(stored(&world, &post).await, (2, 5));
    for take in [1, 2, 5, 6, 7, 16, 17, 20] {
        assert_eq!(all(&ann, &post, take).await, listed(1..=17), "{take} a page");
    }
    assert_eq!(ann.sees(&post).await.get("likers"), None, "nobody is shown who is on the post");
}

#[tokio::test]
async fn a_cursor_stays_good_when_the_open_page_becomes_a_row() {
    let world = World::new().await;
    let ann = world.person("ann").await;
    let post = ann.writes("hello").await;
    fans(&world, &post, 1..=5).await;
    let first = page(&ann, &post, "?take=2").await;
    assert_eq!(first.column("username"), listed(4..=5));
    let by_place = first.after().unwrap().to_owned();
    let by_person = first.rows()[1]["publicId"].as_str().unwrap();
    for more in [6, 7, 8] {
        fans(&world, &post, more..=more).await;
        for after in [&*by_place, by_person] {
            let rest = page(&ann, &post, &format!("?after={after}")).await;
            assert_eq!(rest.column("username"), listed(1..=3), "with {more} likes");
        }
    }
    assert_eq!(stored(&world, &post).await, (1, 2));
    assert_eq!(likers(&ann, &post).await, listed(1..=8));
}

#[tokio::test]
async fn many_who_come_together_are_listed_between_those_who_came_alone() {
    let world = World::new().await;
    let ann = world.person("ann").await;
    let post = ann.writes("hello").await;
    fans(&world, &post, 1..=2).await;
    let names: Vec<_> = (3..=11).map(|it| format!("fan{it:02}")).collect();
    for name in &names {
        world.person(name).await.likes(&post).await;
        world.advance(1).await;
    }
    world.settle().await;
    fans(&world, &post, 12..=13).await;
    for take in [1, 3, 20] {
        assert_eq!(all(&ann, &post, take).await, listed(1..=13), "{take} a page");
    }
}

#[tokio::test]
async fn whoever_takes_a_like_back_leaves_the_open_page_and_comes_back_at_its_head() {
    let world = World::new().await;
    let ann = world.person("ann").await;
    let post = ann.writes("hello").await;
    let fans = fans(&world, &post, 1..=3).await;
    for again in 1..=2 {
        fans[0].unlikes(&post).await;
        world.settle().await;
        assert_eq!(places_with(&world, &post, &fans[0]).await, 0, "{again}");
        assert_eq!(all(&ann, &post, 1).await, listed(2..=3), "{again}");
        fans[0].likes(&post).await;
        world.settle().await;
        assert_eq!(places_with(&world, &post, &fans[0]).await, 1, "{again}");
        assert_eq!(all(&ann, &post, 1).await, ["fan01", "fan03", "fan02"], "{again}");
    }
    for fan in &fans {
        fan.unlikes(&post).await;
        world.settle().await;
    }
    assert_eq!(stored(&world, &post).await, (0, 0), "an empty page is none");
}

#[tokio::test]
async fn a_worker_that_ends_between_the_row_and_the_count_lists_nobody_twice() {
    let world = World::new().await;
    let ann = world.person("ann").await;
    let post = ann.writes("hello").await;
    fans(&world, &post, 1..=6).await;
    let last = world.person("fan07").await;
    last.likes(&post).await;
    world.faults.plan("TransactWriteItems", Fault::Crash, 0, u32::MAX);
    world.stack.settle(None).await.unwrap();
    assert!(world.faults.calm() > 0);
    assert_eq!(stored(&world, &post).await, (1, OPEN_MAX), "the row is there, and the page too");
    for take in [1, 20] {
        assert_eq!(all(&ann, &post, take).await, listed(1..=6), "{take} a page");
    }
    assert!(likes::apply(&world.app(), &[job(&world, &last, &post)]).await.is_empty());
    assert_eq!(stored(&world, &post).await, (1, 1));
    for take in [1, 20] {
        assert_eq!(all(&ann, &post, take).await, listed(1..=7), "{take} a page");
    }
}

#[tokio::test]
async fn a_page_that_is_begun_by_a_late_clock_is_the_newest_all_the_same() {
    let world = World::new().await;
    let ann = world.person("ann").await;
    let post = ann.writes("hello").await;
    fans(&world, &post, 1..=6).await;
    let last = world.person("fan07").await;
    last.likes(&post).await;
    assert!(likes::apply(&late_by(&world, 5), &[job(&world, &last, &post)]).await.is_empty());
    for take in [1, 20] {
        assert_eq!(all(&ann, &post, take).await, listed(1..=7), "{take} a page");
    }
}

#[tokio::test]
async fn of_two_workers_that_close_a_page_none_loses_whom_the_other_counted() {
    let world = World::new().await;
    let ann = world.person("ann").await;
    let post = ann.writes("hello").await;
    fans(&world, &post, 1..=5).await;
    let names: Vec<_> = (6..=9).map(|it| format!("fan{it:02}")).collect();
    let more = futures::future::join_all(names.iter().map(|it| world.person(it))).await;
    for fan in &more {
        world.advance(1).await;
        fan.likes(&post).await;
    }
    let jobs: Vec<_> = more.iter().map(|it| job(&world, it, &post)).collect();
    let others = untouched(&world);
    // One has read a page of five, and closes it only when another has counted one more there, and closed it.
    let meanwhile = Box::pin(async {
        for job in &jobs[..2] {
            assert!(likes::apply(&others, std::slice::from_ref(job)).await.is_empty());
        }
    });
    applies_slowly(&world, &jobs[2..], ("PutItem", Fault::Throttle), meanwhile).await;
    for take in [1, 20] {
        assert_eq!(all(&ann, &post, take).await, listed(1..=9), "{take} a page");
    }
    assert_eq!(ann.sees(&post).await["likesCount"], 9);
}

#[tokio::test]
async fn whoever_leaves_leaves_no_trace_on_the_open_page_nor_in_a_row() {
    let world = World::builder().without_ticks().start().await;
    let ann = world.person("ann").await;
    let post = ann.writes("hello").await;
    let fans = fans(&world, &post, 1..=8).await;
    assert_eq!(stored(&world, &post).await, (1, 2));
    for leaver in [&fans[1], &fans[6]] {
        leaver.leaves().await;
    }
    is_erased(&world).await;
    let left = traces::rows_with(&world, &[&fans[1].id, &fans[6].id]).await;
    assert!(left.iter().all(|it| !it.starts_with("POST#")), "{left:?}");
    assert_eq!(likers(&world.anyone, &post).await, ["fan08", "fan06", "fan05", "fan04", "fan03", "fan01"]);
}

#[tokio::test]
async fn a_batch_puts_nobody_back_whom_another_took_off_the_page() {
    let world = World::new().await;
    let ann = world.person("ann").await;
    let post = ann.writes("hello").await;
    let fans = fans(&world, &post, 1..=2).await;
    let cleo = world.person("cleo").await;
    cleo.likes(&post).await;
    let app = world.app();
    let (user, id) = (fans[0].id.parse().unwrap(), post.id.parse().unwrap());
    let engagement = engagements::find(&app, user, id).await.unwrap().unwrap();
    let others = untouched(&world);
    let meanwhile = Box::pin(async { likes::remove_liker(&others, &engagement).await.unwrap() });
    let jobs = [job(&world, &cleo, &post)];
    applies_slowly(&world, &jobs, ("TransactWriteItems", Fault::Conflict), meanwhile).await;
    assert_eq!(places_with(&world, &post, &fans[0]).await, 0);
    assert_eq!(likers(&ann, &post).await, ["cleo", "fan02"]);
    assert_eq!(ann.sees(&post).await["likesCount"], 3, "who left the list only is still counted");
}

#[tokio::test]
async fn no_post_grows_dearer_by_those_who_lie_on_it() {
    let world = World::new().await;
    let ann = world.person("ann").await;
    let names: Vec<_> = (1..=OPEN_MAX).map(|it| format!("fan{it}")).collect();
    let fans = futures::future::join_all(names.iter().map(|it| world.person(it))).await;
    for fan in &fans {
        // Nothing is to be told of them, which would grow too.
        ann.post(&fan.path("/mute"), json!({ "isMuted": true })).await.ok();
    }
    let mut most = 0;
    for length in (300..=600).step_by(20) {
        let post = ann.posts(json!({ "content": "x".repeat(length), "topic": "evening" })).await;
        let mut costs = Vec::new();
        for fan in &fans {
            fan.likes(&post).await;
            let jobs = [job(&world, fan, &post)];
            let (failed, cost) = world.cost_of(likes::apply(&world.app(), &jobs)).await;
            assert!(failed.is_empty(), "{failed:?}");
            costs.push(cost.wru);
            most = most.max(stored(&world, &post).await.1);
        }
        let least = costs.iter().copied().fold(f64::INFINITY, f64::min);
        assert!(costs.iter().all(|it| *it <= least + 1.0), "a row each at most: {length} {costs:?}");
    }
    assert_eq!(most, OPEN_MAX);
}
