//! The FOLLOWING feed. A worker writes each post to the feeds of followers. Posts of popular authors are instead merged
//! into feeds on read.

mod marking;

use domain::posts::timeline::TimelineEntry;
use platform::table::Query;
use serde_json::{Value, json};
use tests::{Fault, Person, World};

use crate::setup::crowd;

const FEED: &str = "/posts/news-feed?type=FOLLOWING";

/// Settings with pages of two followers. Authors with more than three followers are popular.
const SMALL: tests::Settings<'_> = &[("FANOUT_PAGE_SIZE", "2"), ("FANOUT_MAX_FOLLOWERS", "3")];

/// Returns the texts on the first page of the FOLLOWING feed.
pub(crate) async fn feed(reader: &Person) -> Vec<Value> {
    reader.get(FEED).await.ok().column("content")
}

/// Creates followers of a user.
pub(crate) async fn fans(world: &World, of: &Person, numbers: std::ops::Range<usize>) -> Vec<Person> {
    let fans = crowd(world, "fan", numbers).await;
    for fan in &fans {
        fan.follows(of).await;
    }
    fans
}

/// Returns the number of posts that workers wrote to the feed of the user with this ID.
pub(crate) async fn timeline_entries(world: &World, reader_id: &str) -> usize {
    let query = Query::partition(format!("USER#{reader_id}")).prefix("TIMELINE#");
    world.app().table.query::<TimelineEntry>(&query).await.unwrap().len()
}

#[tokio::test]
async fn a_post_is_written_to_the_feeds_of_all_followers() {
    let (world, [ann]) = World::builder().settings(&[("FANOUT_PAGE_SIZE", "2")]).start_with(["ann"]).await;
    let fans = fans(&world, &ann, 0..7).await;
    world.settle().await;
    let post = ann.writes("post").await;
    ann.quotes(&post, "quote").await;
    fans[0].writes("not followed").await;
    ann.replies(&post, "reply").await;
    assert_eq!(feed(&ann).await, ["quote", "post"], "own posts appear at once");
    assert_eq!(feed(&fans[6]).await, [] as [&str; 0], "the worker has not run");
    world.settle().await;
    for fan in &fans[1..] {
        assert_eq!(feed(fan).await, ["quote", "post"]);
        assert_eq!(timeline_entries(&world, &fan.id).await, 2);
    }
    assert_eq!(feed(&fans[0]).await, ["not followed", "quote", "post"]);
}

#[tokio::test]
async fn a_follow_adds_the_newest_20_earlier_posts() {
    let (world, [ann, bob]) = World::with(["ann", "bob"]).await;
    for number in 1..=22 {
        ann.writes(&format!("post {number}")).await;
    }
    world.settle().await;
    bob.follows(&ann).await;
    world.settle().await;
    let newest: Vec<_> = (3..=22).rev().map(|number| json!(format!("post {number}"))).collect();
    assert_eq!(bob.get(&format!("{FEED}&take=100")).await.ok().column("content"), newest);
    ann.writes("later").await;
    world.settle().await;
    assert_eq!(feed(&bob).await[0], "later");
    let document = world.anyone.get("/openapi.json").await;
    let described = document.body["paths"]["/posts/news-feed"]["get"]["description"].as_str().unwrap();
    assert!(described.contains("newest 20 posts"), "{described}");
}

#[tokio::test]
async fn feeds_have_each_post_once_if_the_worker_crashes() {
    let faults = [Fault::Crash, Fault::CrashAfter, Fault::LostAnswer];
    let calls = ["GetItem", "Query", "BatchWriteItem", "SendMessage", "UpdateItem"];
    let (world, [ann]) = World::builder()
        .settings(&[("FANOUT_PAGE_SIZE", "2"), ("FANOUT_MAX_FOLLOWERS", "4")])
        .start_with(["ann"])
        .await;
    let fans = fans(&world, &ann, 0..5).await;
    world.settle().await;
    let mut written = Vec::new();
    for (seed, (fault, call)) in faults.iter().flat_map(|fault| calls.map(|call| (*fault, call))).enumerate()
    {
        let text = format!("{call} {fault:?}");
        ann.writes(&text).await;
        written.insert(0, json!(text));
        world.faults.plan(call, fault, seed as u32 % 3, 1);
        world.settle_as(seed as u64).await;
        world.faults.calm();
    }
    for fan in &fans {
        assert_eq!(feed(fan).await, written);
    }
}

#[tokio::test]
async fn a_popular_authors_post_costs_the_same_as_other_posts() {
    let (world, [ann, bob]) = World::builder().settings(SMALL).start_with(["ann", "bob"]).await;
    let mut all = fans(&world, &ann, 0..3).await;
    world.settle().await;
    ann.writes("first").await;
    world.settle().await;
    assert_eq!(timeline_entries(&world, &all[2].id).await, 1, "the author is not popular yet");
    for late in [3..6, 6..7] {
        all.extend(fans(&world, &ann, late).await);
        world.settle().await;
    }
    let fans = all;

    let (_, small) = world.cost_of(bob.writes("other")).await;
    let (_, popular) = world.cost_of(ann.writes("after")).await;
    assert_eq!(popular, small);
    world.budget("index two posts of a popular author (jobs)", world.settle()).await;
    for fan in &fans {
        assert_eq!(feed(fan).await, ["after", "first"], "{}", fan.name);
    }
    assert_eq!(feed(&ann).await, ["after", "first"]);
    for fan in [&fans[0], &fans[6]] {
        fan.unfollows(&ann).await;
        assert_eq!(feed(fan).await, [] as [&str; 0], "an unfollow removes the author's posts at once");
        fan.follows(&ann).await;
        assert_eq!(feed(fan).await, ["after", "first"], "a new follow adds the author's posts at once");
    }
}

#[tokio::test]
async fn posts_of_a_newly_popular_author_are_merged_on_read() {
    let (world, [ann]) = World::builder().settings(SMALL).start_with(["ann"]).await;
    let fans = fans(&world, &ann, 0..4).await;
    world.settle().await;
    ann.writes("post").await;
    world.settle().await;
    for fan in &fans {
        assert_eq!((timeline_entries(&world, &fan.id).await, feed(fan).await), (0, vec![json!("post")]));
    }
}

#[tokio::test]
async fn feeds_have_each_post_once_while_its_author_becomes_popular() {
    let (world, [ann]) = World::builder().settings(SMALL).start_with(["ann"]).await;
    let (mut all, mut written) = (Vec::new(), Vec::new());
    for number in 0..8 {
        all.extend(fans(&world, &ann, number..number + 1).await);
        let text = format!("post {number}");
        ann.writes(&text).await;
        written.insert(0, json!(text));
        if number % 3 == 2 {
            world.settle_as(number as u64).await;
        }
        if number == 5 {
            all[0].unfollows(&ann).await;
        }
    }
    world.settle().await;
    assert_eq!(feed(&all[0]).await, [] as [&str; 0]);
    for fan in &all[1..] {
        assert_eq!(feed(fan).await, written, "{}", fan.name);
    }
}

#[tokio::test]
async fn feed_pages_stay_full_after_follows_and_unfollows() {
    let (world, [ann, bob, cleo]) = World::with(["ann", "bob", "cleo"]).await;
    for number in 0..25 {
        ann.writes(&format!("ann {number}")).await;
        if number % 5 == 0 {
            cleo.writes(&format!("cleo {number}")).await;
        }
    }
    world.settle().await;
    bob.follows(&ann).await;
    bob.follows(&cleo).await;
    world.settle().await;
    let page = bob.get(&format!("{FEED}&take=100")).await.ok();
    assert_eq!(page.rows().len(), 25);
    assert!(page.column("content").contains(&json!("ann 5")));
    assert!(!page.column("content").contains(&json!("ann 4")));

    bob.unfollows(&ann).await;
    let pages = bob.columns(FEED, 3, "content").await;
    let expected = json!([["cleo 20", "cleo 15", "cleo 10"], ["cleo 5", "cleo 0"]]);
    assert_eq!(json!(pages), expected, "the first page is full");

    let post = ann.writes("while away").await;
    cleo.reposts(&post).await;
    world.settle().await;
    let back = bob.get(&format!("{FEED}&take=1")).await.ok();
    assert_eq!(back.column("type"), ["REPOST"], "cleo reposted a post of ann");
    bob.follows(&ann).await;
    world.settle().await;
    assert_eq!(feed(&bob).await[1], "while away");
}

#[tokio::test]
async fn feed_pages_stay_full_if_posts_are_deleted_or_hidden() {
    let (world, [ann, bob]) = World::with(["ann", "bob"]).await;
    bob.follows(&ann).await;
    let mut posts = Vec::new();
    for number in 0..9 {
        posts.push(ann.writes(&format!("post {number}")).await);
    }
    world.settle().await;
    for post in &posts[5..8] {
        ann.deletes(post).await;
    }
    bob.post(&posts[3].path("/hide"), Value::Null).await.ok();
    let first = bob.get(&format!("{FEED}&take=3")).await.ok();
    assert_eq!(first.column("content"), ["post 8", "post 4", "post 2"]);
    bob.post(&posts[3].path("/hide"), Value::Null).await.ok();
    let pages = bob.columns(FEED, 3, "content").await;
    assert_eq!(json!(pages), json!([["post 8", "post 4", "post 3"], ["post 2", "post 1", "post 0"]]));
}

#[tokio::test]
async fn feed_entries_expire_after_thirty_days() {
    let (world, [ann, bob]) = World::with(["ann", "bob"]).await;
    bob.follows(&ann).await;
    ann.writes("old").await;
    world.settle().await;
    assert_eq!(timeline_entries(&world, &bob.id).await, 1);
    world.advance(31 * 24 * 60 * 60).await;
    assert_eq!(timeline_entries(&world, &bob.id).await, 0);
    let ann = ann.signs_in().await;
    assert_eq!(ann.get(&ann.path("/posts")).await.ok().column("content"), ["old"], "posts do not expire");
}

#[tokio::test]
async fn posts_and_follows_reach_feeds_after_a_queue_refuses_messages() {
    let (world, [ann, bob], post) = World::with_post(["ann", "bob"]).await;
    world.settle().await;
    let failing = async || {
        world.faults.plan("SendMessageBatch", Fault::Refused, 0, 3);
        world.settle().await;
        assert_eq!(world.faults.calm(), 3);
    };
    bob.follows(&ann).await;
    failing().await;
    assert_eq!(feed(&bob).await, ["hello"]);
    ann.follows(&bob).await;
    bob.quotes(&post, "quote").await;
    failing().await;
    bob.reposts(&post).await;
    failing().await;
    bob.writes("bob's").await;
    failing().await;
    assert_eq!(feed(&ann).await, ["bob's", "", "quote", "hello"]);
}
