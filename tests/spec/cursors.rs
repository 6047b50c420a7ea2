//! A cursor stays valid if the row that it names moves or is deleted. A page reads a limited number of rows.

use futures::future::join_all;
use serde_json::json;
use tests::{Person, Post, World};

/// Number of hidden posts: more than one request reads.
const HIDDEN: usize = 240;

#[tokio::test]
async fn a_feed_page_has_bounded_cost_among_many_hidden_posts() {
    let (world, [ann, bob, cleo]) = World::with(["ann", "bob", "cleo"]).await;
    bob.follows(&ann).await;
    bob.follows(&cleo).await;
    let first = cleo.writes("the first of all").await;
    world.advance(1).await;
    let texts: Vec<_> = (0..HIDDEN).map(|number| format!("number {number}")).collect();
    join_all(texts.iter().map(|text| ann.writes(text))).await;
    world.settle().await;
    bob.post(&ann.path("/mute"), json!({ "isMuted": true })).await.ok();
    world.advance(10).await;

    let (mut pages, mut path) = (0, "/posts/news-feed?type=FOLLOWING".to_owned());
    let found = loop {
        let page = world.budget("FOLLOWING, hidden posts", bob.get(&path)).await.ok();
        pages += 1;
        match page.after() {
            Some(after) if page.rows().is_empty() => {
                path = format!("/posts/news-feed?type=FOLLOWING&after={after}");
            }
            _ => break page,
        }
    };
    assert_eq!((found.column("publicId"), found.after()), (vec![json!(first.id)], None));
    assert!(pages > 1, "one request reads fewer than {HIDDEN} hidden posts");
}

#[tokio::test]
async fn the_cursor_of_a_post_stays_valid_when_it_is_saved_again() {
    let (world, [ann, bob]) = World::with(["ann", "bob"]).await;
    let mut posts = Vec::new();
    for number in 0..4 {
        let post = ann.writes(&format!("number {number}")).await;
        saves(&bob, &post, true).await;
        world.advance(1).await;
        posts.push(post);
    }
    let page = bob.get("/posts/me/saved?take=2").await.ok();
    assert_eq!(page.column("publicId"), [json!(posts[3].id), json!(posts[2].id)]);
    for is_saved in [false, true] {
        saves(&bob, &posts[2], is_saved).await;
    }
    let rest = bob.get(&format!("/posts/me/saved?take=2&after={}", page.after().unwrap())).await.ok();
    assert_eq!(rest.column("publicId"), [json!(posts[1].id), json!(posts[0].id)]);
}

async fn saves(user: &Person, post: &Post, is_saved: bool) {
    user.post(&post.path("/save"), json!({ "isSaved": is_saved })).await.ok();
}

#[tokio::test]
async fn a_search_cursor_stays_valid_after_its_user_was_renamed() {
    let (world, people) = World::with(["anna1", "anna2", "anna3", "anna4"]).await;
    world.settle().await;
    let search = "/api/v1/search?type=user&q=anna&take=2";
    let page = people[0].get(search).await.ok();
    assert_eq!(page.column("username"), ["anna1", "anna2"]);
    people[1].post("/auth/profile", json!({ "name": "zoe", "username": "zoe" })).await.ok();
    world.settle().await;
    let rest = people[0].get(&format!("{search}&after={}", page.after().unwrap())).await.ok();
    assert_eq!((rest.column("username"), rest.after()), (vec![json!("anna3"), json!("anna4")], None));
    let by_id = people[0].get(&format!("{search}&after={}", people[2].id)).await.ok();
    assert_eq!(by_id.column("username"), ["anna4"]);
    people[0].get(&format!("{search}&after=x")).await.refused(400, "VALIDATION_FAILED");
}

#[tokio::test]
async fn an_id_of_more_than_128_bits_is_refused() {
    let (_world, [ann]) = World::with(["ann"]).await;
    let (above, highest) = (format!("8{}", "Z".repeat(25)), format!("7{}", "Z".repeat(25)));
    for list in ["/posts/news-feed", "/posts/me/saved", "/user/ann/followers", "/message-group"] {
        ann.get(&format!("{list}?after={above}")).await.refused(400, "VALIDATION_FAILED");
    }
    ann.get(&format!("/posts/news-feed?after={highest}")).await.ok();
    ann.get(&format!("/posts/{above}")).await.refused(404, "NOT_FOUND");
}
