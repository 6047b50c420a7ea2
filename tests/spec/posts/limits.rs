//! Limits on posts and on hiding posts.

use serde_json::{Value, json};
use tests::{Person, World};

use crate::{
    auth::limits::limit_headers,
    circles::{creates_circle, posts::writes_in},
};

const DAY: u64 = 24 * 60 * 60;

#[tokio::test]
async fn all_kinds_of_posts_count_toward_one_limit() {
    let (world, [ann, bob]) =
        World::builder().settings(&[("POST_LIMIT_PER_5_MIN", "5")]).start_with(["ann", "bob"]).await;
    let other = bob.writes("hello").await;
    let circle = creates_circle(&ann, "Bridges").await;
    let post = ann.writes("one").await;
    ann.replies(&post, "two").await;
    ann.quotes(&post, "three").await;
    ann.reposts(&other).await;
    writes_in(&ann, &circle, "What do you think of bridges in the evening?").await.ok();
    let more = json!({ "content": "six" });
    let refused = ann.post("/posts", more.clone()).await;
    refused.refused(429, "TOO_MANY_REQUESTS");
    assert_eq!(limit_headers(&refused), [Some("5"), Some("0"), Some("300")]);
    for path in ["/reply", "/quote"] {
        ann.post(&other.path(path), more.clone()).await.refused(429, "TOO_MANY_REQUESTS");
    }
    ann.post(&other.path("/repost"), Value::Null).await.refused(429, "TOO_MANY_REQUESTS");
    writes_in(&ann, &circle, "And of rivers in the morning?").await.refused(429, "TOO_MANY_REQUESTS");
    // An idempotent retry does not count.
    bob.post_once("k", "/posts", more.clone()).await.ok();
    bob.post_once("k", "/posts", more.clone()).await.ok();
    for _ in 0..3 {
        bob.writes("more").await;
    }
    bob.post_once("l", "/posts", more).await.refused(429, "TOO_MANY_REQUESTS");
    world.advance(300).await;
    ann.writes("later").await;
}

#[tokio::test]
async fn a_new_account_has_a_daily_limit_on_posts() {
    let (world, [ann]) =
        World::builder().without_ticks().settings(&[("POST_LIMIT_PER_DAY", "3")]).start_with(["ann"]).await;
    for _ in 0..3 {
        ann.writes("hello").await;
    }
    let more = json!({ "content": "more" });
    let refused = ann.post("/posts", more.clone()).await;
    refused.refused(429, "TOO_MANY_REQUESTS");
    assert_eq!(limit_headers(&refused), [Some("3"), Some("0"), Some("86400")]);
    world.advance(6 * DAY).await;
    let ann = ann.signs_in().await;
    for _ in 0..3 {
        ann.writes("hello").await;
    }
    ann.post("/posts", more).await.refused(429, "TOO_MANY_REQUESTS");
    world.advance(DAY).await;
    let ann = ann.signs_in().await;
    for _ in 0..10 {
        ann.writes("hello").await;
    }
}

#[tokio::test]
async fn hiding_posts_is_limited_per_hour_and_per_day() {
    let limits = [("HIDE_LIMIT_PER_HOUR", "2"), ("HIDE_LIMIT_PER_DAY", "3")];
    let (world, [ann, bob]) =
        World::builder().without_ticks().settings(&limits).start_with(["ann", "bob"]).await;
    let post = ann.writes("hello").await;
    let hides =
        async |user: &Person, hides: bool| user.post(&post.path("/hide"), json!({ "isGhost": hides })).await;
    hides(&bob, true).await.ok();
    hides(&bob, false).await.ok();
    hides(&bob, true).await.refused(429, "TOO_MANY_REQUESTS");
    let beyond_both = hides(&bob, true).await;
    let retry_after: u64 = beyond_both.header("retry-after").unwrap().parse().unwrap();
    assert!((DAY - 60 * 60..=DAY).contains(&retry_after), "until the end of the day: {retry_after}");
    world.advance(60 * 60).await;
    let bob = bob.signs_in().await;
    hides(&bob, true).await.refused(429, "TOO_MANY_REQUESTS");
    world.advance(DAY).await;
    hides(&bob.signs_in().await, true).await.ok();
}
