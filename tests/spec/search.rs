//! Searches for users, posts and hashtags.

use serde_json::{Value, json};
use tests::{Answer, Person, World};

use crate::setup::{MANY_WRITES, ids_of_full_pages};

async fn finds(user: &Person, query: &str) -> Answer {
    user.get(&format!("/api/v1/search?{query}")).await.ok()
}

async fn posts(user: &Person, q: &str) -> Vec<Value> {
    finds(user, &format!("q={q}")).await.column("content")
}

#[tokio::test]
async fn searches_for_words_in_posts_ignore_case_and_diacritics() {
    let (world, [ann, bob]) = World::with(["ann", "bob"]).await;
    ann.writes("Cà phê sữa đá ở Đà Lạt").await;
    ann.writes("cà chua và phê bình").await;
    ann.writes("Trà đá").await;
    bob.replies(&bob.writes("coffee").await, "cà phê").await;
    assert!(posts(&bob, "coffee").await.is_empty(), "not indexed yet");
    world.settle().await;
    assert_eq!(posts(&bob, "CA+PHE").await, ["cà chua và phê bình", "Cà phê sữa đá ở Đà Lạt"]);
    assert_eq!(posts(&bob, "đá+da").await, ["Trà đá", "Cà phê sữa đá ở Đà Lạt"]);
    assert_eq!(posts(&bob, "da+lat+phe").await, ["Cà phê sữa đá ở Đà Lạt"]);
    assert!(posts(&bob, "caphe").await.is_empty());
    assert!(posts(&bob, "%21%3F").await.is_empty(), "a query without words finds nothing");
}

#[tokio::test]
async fn a_search_does_not_find_deleted_hidden_or_edited_posts() {
    let (world, [ann, bob]) = World::with(["ann", "bob"]).await;
    let written =
        [ann.writes("word one").await, ann.writes("word two").await, ann.writes("word three").await];
    ann.posts(json!({ "content": "word private", "visibility": "PRIVATE" })).await;
    world.settle().await;
    assert_eq!(posts(&ann, "word").await.len(), 4, "authors also find their own private posts");
    assert_eq!(posts(&bob, "word").await, ["word three", "word two", "word one"]);
    ann.deletes(&written[0]).await;
    bob.post(&written[1].path("/hide"), Value::Null).await.ok();
    ann.patch(&written[2].path(""), json!({ "content": "changed" })).await.ok();
    assert!(posts(&bob, "word").await.is_empty());
    bob.post(&written[1].path("/hide"), Value::Null).await.ok();
    world.settle().await;
    assert_eq!(posts(&bob, "word").await, ["word two"]);
    assert_eq!(posts(&bob, "changed").await, ["changed"]);
}

#[tokio::test]
async fn search_pages_are_full_and_omit_no_post() {
    let (world, [ann, bob]) = World::builder().settings(MANY_WRITES).start_with(["ann", "bob"]).await;
    let mut expected = Vec::new();
    for number in 0..30 {
        let post = ann.writes(&format!("common word number {number}")).await;
        match number % 3 {
            0 => drop(ann.deletes(&post).await),
            _ => expected.push(json!(post.id)),
        }
    }
    expected.reverse();
    world.settle().await;
    for query in ["q=word", "q=common+word"] {
        let listed = ids_of_full_pages(&bob, &format!("/api/v1/search?{query}"), 7, async || {}).await;
        assert_eq!(listed, expected, "{query}");
    }
}

#[tokio::test]
async fn users_are_found_by_prefixes_of_their_names() {
    let world = World::new().await;
    let root = super::admin::administrator(&world, "root", domain::people::users::Role::Admin).await;
    let [ann, bob, anton] = world.people(["ann", "bob", "anton"]).await;
    bob.post("/auth/profile", json!({ "name": "Đặng Văn Anh" })).await.ok();
    world.settle().await;
    let people = async |q: &str| finds(&ann, &format!("type=user&q={q}")).await.column("username");
    assert_eq!(people("AN").await, ["bob", "ann", "anton"], "anh, ann, anton");
    assert_eq!(people("@ann").await, ["ann"]);
    assert_eq!(people("dang+van").await, ["bob"]);
    assert!(people("ann@example.com").await.is_empty(), "email addresses are not searched");
    let first = finds(&ann, "type=user&q=an&take=2").await;
    let rest = finds(&ann, &format!("type=user&q=an&take=2&after={}", first.after().unwrap())).await;
    assert_eq!(rest.column("username"), ["anton"]);
    assert!(first.rows()[0].get("email").is_none());

    bob.post("/auth/profile", json!({ "name": "Robert" })).await.ok();
    assert_eq!(people("an").await, ["ann", "anton"], "the old name no longer matches bob");
    world.settle().await;
    assert_eq!(people("rob").await, ["bob"]);
    root.patch(&format!("/admin/users/{}/ban", anton.id), Value::Null).await.ok();
    assert_eq!(people("an").await, ["ann"]);
}

#[tokio::test]
async fn a_block_hides_both_users_from_searches() {
    let (world, [ann, bob]) = World::with(["ann", "bob"]).await;
    ann.writes("word").await;
    bob.writes("word").await;
    world.settle().await;
    ann.post("/user/bob/block", Value::Null).await.ok();
    for (user, other) in [(&ann, "bob"), (&bob, "ann")] {
        assert_eq!(posts(user, "word").await.len(), 1, "a user finds only their own post");
        assert!(finds(user, &format!("type=user&q={other}")).await.rows().is_empty());
    }
}

#[tokio::test]
async fn hashtags_are_found_by_prefix_with_their_counts() {
    let (world, [ann]) = World::with(["ann"]).await;
    for text in ["#cats", "#Cats", "#càphê", "#dogs"] {
        ann.writes(text).await;
    }
    let deleted = ann.writes("#cab").await;
    ann.deletes(&deleted).await;
    world.settle().await;
    let found = finds(&ann, "type=hashtag&q=%23CA").await;
    let expected = json!([
        { "kind": "HASHTAG", "name": "càphê", "count": 1 },
        { "kind": "HASHTAG", "name": "cats", "count": 2 }
    ]);
    assert_eq!(found.data(), &expected);
    let first = finds(&ann, "type=hashtag&q=ca&take=1").await;
    assert_eq!(first.after(), Some("càphê"));
    let rest = finds(&ann, "type=hashtag&q=ca&take=1&after=c%C3%A0ph%C3%AA").await;
    assert_eq!(rest.column("name"), ["cats"]);
}

#[tokio::test]
async fn an_invalid_search_is_refused() {
    let (world, [ann]) = World::with(["ann"]).await;
    let long = format!("q={}", "x".repeat(101));
    for (query, field) in [
        ("", "q"),
        ("q=", "q"),
        ("q=+", "q"),
        (long.as_str(), "q"),
        ("q=x&type=circle", "type"),
        ("q=x&take=0", "take"),
        ("q=x&after=nonsense", "after"),
    ] {
        let answer = ann.get(&format!("/search?{query}")).await;
        let message = answer.refused(400, "VALIDATION_FAILED");
        assert!(message.starts_with(field), "{query}: {message}");
    }
    world.anyone.get("/search?q=x").await.refused(401, "UNAUTHORIZED");
}

#[tokio::test]
async fn searches_are_limited_to_thirty_a_minute() {
    let (world, [ann, bob]) = World::with(["ann", "bob"]).await;
    for left in (0..30).rev() {
        let answer = finds(&ann, "q=x").await;
        assert_eq!(answer.header("ratelimit-remaining"), Some(left.to_string().as_str()));
    }
    let refused = ann.get("/search?q=x").await;
    refused.refused(429, "TOO_MANY_REQUESTS");
    assert_eq!(refused.header("retry-after"), Some("60"));
    finds(&bob, "q=x").await;
    world.advance(60).await;
    finds(&ann, "q=x").await;
}
