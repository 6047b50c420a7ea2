//! Pages of the news feed.

mod memory;
mod ranked;
mod shards;

use serde_json::{Value, json};
use tests::{Person, World};

use crate::setup::{MANY_WRITES, ids_of_full_pages};

#[tokio::test]
async fn feed_pages_are_full_without_duplicates_or_gaps() {
    let (_world, [ann, bob]) = World::builder().settings(MANY_WRITES).start_with(["ann", "bob"]).await;
    let mut written = Vec::new();
    for number in 0..50 {
        written.push(json!(ann.writes(&format!("post {number}")).await.id));
    }
    written.reverse();
    let meanwhile = async || drop(ann.writes("meanwhile").await);
    let seen = ids_of_full_pages(&bob, "/posts/news-feed", 7, meanwhile).await;
    assert_eq!(seen, written);
}

#[tokio::test]
async fn a_new_post_is_first_in_the_feed_at_once() {
    let (_world, [ann]) = World::with(["ann"]).await;
    for number in 0..5 {
        let text = format!("post {number}");
        ann.writes(&text).await;
        assert_eq!(newest(&ann).await, json!(text), "the writer gets no cached page");
    }
    let first = ann.get("/posts/news-feed?take=1").await.ok();
    ann.delete(&format!("/posts/{}", first.rows()[0]["publicId"].as_str().unwrap())).await.ok();
    assert_eq!(newest(&ann).await, json!("post 3"));
}

async fn newest(person: &Person) -> Value {
    person.get("/posts/news-feed").await.ok().rows()[0]["content"].clone()
}

#[tokio::test]
async fn the_feed_contains_only_public_posts_of_type_post() {
    let (world, [ann, bob]) = World::with(["ann", "bob"]).await;
    let post = ann.writes("public").await;
    ann.posts(json!({ "content": "private", "visibility": "PRIVATE" })).await;
    bob.replies(&post, "reply").await;
    bob.quotes(&post, "quote").await;
    bob.reposts(&post).await;
    for reader in [&world.anyone, &*bob] {
        let feed = reader.get("/posts/news-feed?type=FOR_YOU").await.ok();
        assert_eq!(feed.column("content"), ["public"]);
        assert_eq!(feed.after(), None);
    }
    let rows = bob.get("/posts/news-feed").await.ok();
    assert_eq!((&rows.rows()[0]["isQuoted"], &rows.rows()[0]["isLiked"]), (&json!(true), &json!(false)));
}

#[tokio::test]
async fn a_new_post_is_at_once_in_an_empty_feed() {
    let (world, [ann, bob]) = World::with(["ann", "bob"]).await;
    let empty = json!({ "success": true, "data": [], "pagination": { "hasMore": false, "after": null } });
    for reader in [&world.anyone, &*bob] {
        assert_eq!(reader.get("/posts/news-feed").await.ok().body, empty);
    }
    ann.writes("first").await;
    assert_eq!(newest(&bob).await, "first", "before the relay runs");
    world.settle().await;
    assert_eq!(bob.get("/posts/news-feed").await.ok().column("content"), ["first"]);
}

#[tokio::test]
async fn the_following_feed_requires_a_sign_in_and_has_own_posts() {
    let (world, [ann, bob]) = World::with(["ann", "bob"]).await;
    world.anyone.get("/posts/news-feed?type=FOLLOWING").await.refused(401, "UNAUTHORIZED");
    let post = bob.writes("bob's").await;
    ann.writes("own").await;
    ann.quotes(&post, "own quote").await;
    ann.replies(&post, "own reply").await;
    let feed = ann.get("/posts/news-feed?type=FOLLOWING").await.ok();
    assert_eq!(feed.column("content"), ["own quote", "own"]);
}

#[tokio::test]
async fn a_deleted_post_still_works_as_a_cursor() {
    let (_world, [ann]) = World::with(["ann"]).await;
    let posts = [ann.writes("one").await, ann.writes("two").await, ann.writes("three").await];
    ann.deletes(&posts[1]).await;
    let page = ann.get(&format!("/posts/news-feed?after={}", posts[1].id)).await.ok();
    assert_eq!(page.column("content"), ["one"]);
}

#[tokio::test]
async fn invalid_page_sizes_and_cursors_are_refused() {
    let (_world, [ann]) = World::with(["ann"]).await;
    ann.writes("hello").await;
    for (query, field) in [
        ("take=0", "take"),
        ("take=-1", "take"),
        ("take=x", "take"),
        ("take=", "take"),
        ("take=1.5", "take"),
        ("after=nonsense", "after"),
        ("after=", "after"),
        ("type=ALL", "type"),
    ] {
        let answer = ann.get(&format!("/posts/news-feed?{query}")).await;
        let message = answer.refused(400, "VALIDATION_FAILED");
        assert!(message.starts_with(field), "{query}: {message}");
    }
    for query in ["take=101", "take=99999999999999999999"] {
        ann.get(&format!("/posts/news-feed?{query}")).await.ok();
    }
}
