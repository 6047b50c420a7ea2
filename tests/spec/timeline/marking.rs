//! The job that marks all follows of a popular author. A mark makes the follower's feed merge the author's posts
//! when the feed is read.

use domain::{
    feeds::timelines,
    ids::UserId,
    jobs::TimelineJob,
    people::{
        follows::{Follow, find_all},
        users::{self, User},
    },
};
use platform::{App, deadline::Deadline, paged::Paged, settings::Settings, table::Write};
use serde_json::json;
use tests::{Fault, Person, World};

use super::{FEED, SMALL, fans};
use crate::workers::put;

const FOLLOWS: i64 = 7;

#[tokio::test]
async fn all_follows_of_a_newly_popular_author_are_marked() {
    let (world, [ann]) = World::builder().settings(SMALL).start_with(["ann"]).await;
    let mut all = fans(&world, &ann, 0..3).await;
    assert!(!user(&world, &ann).await.is_popular, "an author with three followers is not popular");
    world.settle().await;
    all.extend(fans(&world, &ann, 3..6).await);
    assert!(user(&world, &ann).await.is_popular);
    let (_, cost) = world.cost_of(world.stack.drain("timeline")).await;
    assert_eq!(cost.operations.get("UpdateItem"), None, "the relay has sent no message: {cost:?}");
    world.stack.drain_streams().await;
    let (_, cost) = world.cost_of(world.stack.drain("timeline")).await;
    // The updates: three marked follows, three pages, the start of a second pass with three pages, and the author.
    assert_eq!(cost.operations["UpdateItem"], 3 + 3 + 1 + 3 + 1, "{cost:?}");
    assert!(user(&world, &ann).await.is_merged);
    ann.writes("post").await;
    for fan in &all {
        assert_eq!(fan.get(FEED).await.ok().column("content"), ["post"]);
    }
}

#[tokio::test]
async fn concurrent_follows_make_an_author_popular_once() {
    let (world, [ann, bob, cleo]) = World::builder().settings(SMALL).start_with(["ann", "bob", "cleo"]).await;
    fans(&world, &ann, 0..2).await;
    world.faults.while_held("TransactWriteItems", bob.follows(&ann), cleo.follows(&ann)).await;
    let author = user(&world, &ann).await;
    assert_eq!((author.followers_count, author.is_popular), (4, true));
    world.settle().await;
    let follows = find_all(&world.app(), &[(id(&bob), author.id), (id(&cleo), author.id)]).await.unwrap();
    assert!(follows.iter().all(|follow| follow.merges), "{follows:?}");
}

#[tokio::test]
async fn a_follow_starts_the_marking_after_the_limit_is_lowered() {
    let (world, [ann]) = World::builder().settings(SMALL).start_with(["ann"]).await;
    let author = Author::popular(&world, &ann, FOLLOWS).await;
    let unpopular =
        Write::update(users::key(author.id)).set("isPopular", false).set("followersCount", FOLLOWS);
    world.app().table.write(unpopular).await.unwrap();
    fans(&world, &ann, 0..1).await;
    world.settle().await;
    assert!(author.is_done(&world).await);
}

#[tokio::test]
async fn a_worker_crash_leaves_no_follow_unmarked() {
    let calls = ["BatchGetItem", "Query", "UpdateItem", "SendMessage"];
    let world = World::builder().pages(3).settings(SMALL).start().await;
    let kinds = [Fault::Crash, Fault::CrashAfter, Fault::LostAnswer];
    let cases = kinds.iter().flat_map(|fault| calls.map(|call| (*fault, call)));
    let mut faults = 0;
    for (seed, (fault, call)) in cases.enumerate() {
        for pass in 0..3 {
            let ann = world.person(&format!("ann_{seed}_{pass}")).await;
            let author = Author::popular(&world, &ann, FOLLOWS).await;
            author.send_job(&world).await;
            world.faults.plan(call, fault, pass, 1);
            world.settle_as(seed as u64).await;
            faults += world.faults.calm();
            assert!(author.is_done(&world).await, "{fault:?} at {call} {pass}");
        }
    }
    assert!(faults > 30, "{faults}");
}

#[tokio::test]
async fn duplicate_messages_of_the_marking_job_repeat_no_page() {
    let (world, [ann]) = World::builder().settings(SMALL).start_with(["ann"]).await;
    let author = Author::popular(&world, &ann, FOLLOWS).await;
    author.send_job(&world).await;
    author.send_job(&world).await;
    let (_, cost) = world.cost_of(world.settle()).await;
    assert!(author.is_done(&world).await);
    // The job makes two passes with four pages each, and sends at most one message per page.
    assert!((1..=8).contains(&cost.operations["SendMessage"]), "{cost:?}");
    author.send_job(&world).await;
    let (_, cost) = world.cost_of(world.settle()).await;
    assert_eq!(cost.operations.get("UpdateItem"), None, "a late message has no effect: {cost:?}");
}

#[tokio::test]
async fn an_overtaken_message_continues_at_the_stored_cursor() {
    let (world, [ann]) = World::builder().settings(SMALL).start_with(["ann"]).await;
    let author = Author::popular(&world, &ann, FOLLOWS).await;
    let [overtaken, other] = [100, 2].map(|pages| work(&world, author.job(), pages));
    let (_, cost) = world.cost_of(world.faults.while_held("Query", overtaken, other)).await;
    assert!(author.is_done(&world).await);
    // Queries: the first page, two pages of the other message, the last two pages, and the second pass.
    assert_eq!(cost.operations["Query"], 1 + 2 + 2 + 4, "{cost:?}");
}

#[tokio::test]
async fn a_late_follow_that_the_job_has_passed_is_marked() {
    let (world, [ann]) = World::builder().settings(SMALL).start_with(["ann"]).await;
    let author = Author::popular(&world, &ann, FOLLOWS).await;
    author.send_job(&world).await;
    work(&world, author.job(), 3).await;
    let late = author.follow(&world, 1_000);
    world.app().table.batch_write(std::slice::from_ref(&late), &[]).await.unwrap();
    world.settle().await;
    let author = Author { follows: [author.follows, vec![late]].concat(), ..author };
    assert!(author.is_done(&world).await);
}

#[tokio::test]
async fn follows_and_unfollows_during_the_marking_affect_later_posts() {
    let (world, [ann]) = World::builder().settings(SMALL).start_with(["ann"]).await;
    let fans = fans(&world, &ann, 0..6).await;
    world.stack.drain_streams().await;
    let author = id(&ann);
    work(&world, TimelineJob::MarkFollows { author, page: Paged::FIRST }, 1).await;
    let late = world.person("late").await;
    late.follows(&ann).await;
    fans[0].unfollows(&ann).await;
    fans[4].unfollows(&ann).await;
    fans[5].unfollows(&ann).await;
    fans[5].follows(&ann).await;
    world.settle().await;
    assert!(user(&world, &ann).await.is_merged);
    ann.writes("post").await;
    for fan in [&fans[1], &fans[5], &late] {
        assert_eq!(fan.get(FEED).await.ok().column("content"), ["post"], "{}", fan.name);
    }
    for gone in [&fans[0], &fans[4]] {
        assert_eq!(gone.get(FEED).await.ok().rows().len(), 0, "{}", gone.name);
    }
}

/// A popular author with unmarked follows.
struct Author {
    id: UserId,
    follows: Vec<Follow>,
}

impl Author {
    /// Creates unmarked follows of an author, a minute apart. The first began ten minutes ago.
    async fn popular(world: &World, author: &Person, follows: i64) -> Self {
        let mut author = Self { id: id(author), follows: Vec::new() };
        author.follows = (0..follows).map(|number| author.follow(world, 600 - 60 * number)).collect();
        world.app().table.batch_write(&author.follows, &[]).await.unwrap();
        let popular = Write::update(users::key(author.id)).set("isPopular", true);
        world.app().table.write(popular.exists()).await.unwrap();
        author
    }

    fn follow(&self, world: &World, seconds_ago: i64) -> Follow {
        let app = world.app();
        let began = app.now().plus_seconds(-seconds_ago);
        Follow {
            follower_id: UserId::random_at(&app, began),
            following_id: self.id,
            is_following: true,
            merges: false,
            position: app.ids.next(began),
            created_at: began,
            ended_at: None,
            notified_at: began,
            notified_as: None,
        }
    }

    fn job(&self) -> TimelineJob {
        TimelineJob::MarkFollows { author: self.id, page: Paged::FIRST }
    }

    async fn send_job(&self, world: &World) {
        put(world, "timeline", &json!(self.job()).to_string()).await;
    }

    /// Returns whether all follows are marked and the author's posts are merged into feeds.
    async fn is_done(&self, world: &World) -> bool {
        let app = world.app();
        let pairs: Vec<_> =
            self.follows.iter().map(|follow| (follow.follower_id, follow.following_id)).collect();
        let follows = find_all(&app, &pairs).await.unwrap();
        let author = users::find(&app, self.id).await.unwrap().unwrap();
        follows.iter().all(|follow| follow.merges) && author.is_merged
    }
}

fn id(person: &Person) -> UserId {
    person.id.parse().unwrap()
}

async fn user(world: &World, person: &Person) -> User {
    users::find(&world.app(), id(person)).await.unwrap().unwrap()
}

/// Processes up to `pages` pages of a job in the test itself, without the worker.
async fn work(world: &World, job: TimelineJob, pages: usize) {
    let url = world.stack.queue_url("timeline");
    let settings = Settings::read(|name| match name {
        "TABLE_NAME" => Some(world.table_name().to_owned()),
        "TIMELINE_QUEUE_URL" => Some(url.clone()),
        "FANOUT_PAGE_SIZE" => Some("2".to_owned()),
        _ => None,
    });
    let clock = world.stack.clock().clone();
    let app = App::new(world.clients(), settings.unwrap(), std::sync::Arc::new(move || clock.now()));
    timelines::work(&app, &Deadline::after_pages(pages), job).await.unwrap();
}
