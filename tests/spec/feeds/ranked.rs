//! The ranked FOR_YOU feed: posts written or liked by followed users, highest score first.

use serde_json::{Value, json};
use tests::{Person, World, check_cost};

use crate::{
    hashtags::contents,
    setup::{MANY_WRITES, crowd},
};

const RANKED: &str = "/posts/news-feed?type=FOR_YOU&sort=ranked";
const LATEST: &str = "/posts/news-feed?sort=latest";

async fn follows_all(reader: &Person, others: &[&Person]) {
    for other in others {
        reader.follows(other).await;
    }
}

#[tokio::test]
async fn the_ranked_feed_without_follows_equals_the_latest_feed() {
    let (world, [ann, bob]) = World::with(["ann", "bob"]).await;
    for number in 0..5 {
        bob.writes(&format!("post {number}")).await;
    }
    let path = "sort=ranked&take=3";
    for reader in [&*ann, &world.anyone] {
        let latest = reader.get("/posts/news-feed?take=3").await.ok();
        let ranked = reader.get(&format!("/posts/news-feed?{path}")).await.ok();
        assert_eq!(ranked.body, latest.body);
        let next = format!("/posts/news-feed?{path}&after={}", latest.after().unwrap());
        assert_eq!(reader.get(&next).await.ok().column("content"), ["post 1", "post 0"]);
    }
    assert_eq!(ann.get(LATEST).await.ok().body, ann.get("/posts/news-feed").await.ok().body);
    ann.writes("her own").await;
    world.settle().await;
    assert_eq!(ann.get(RANKED).await.ok().body, ann.get(LATEST).await.ok().body);
}

#[tokio::test]
async fn posts_liked_by_several_followed_users_rank_first() {
    let (world, [ann, bob, eve, dan, cleo]) = World::with(["ann", "bob", "eve", "dan", "cleo"]).await;
    follows_all(&ann, &[&bob, &eve, &dan]).await;
    let liked = cleo.writes("liked by two").await;
    cleo.writes("without likes").await;
    eve.likes(&liked).await;
    dan.likes(&liked).await;
    bob.writes("old").await;
    world.settle().await;
    // The ranking divides by (age in hours + 2)^1.8. After half an hour, two likes still outweigh a new post.
    world.advance(30 * 60).await;
    let [ann, bob] = [ann.signs_in().await, bob.signs_in().await];
    bob.writes("fresh").await;
    world.settle().await;
    assert_eq!(contents(&ann, RANKED).await, ["liked by two", "fresh", "old"]);
    world.advance(90 * 60).await;
    let [ann, bob] = [ann.signs_in().await, bob.signs_in().await];
    bob.writes("fresher").await;
    world.settle().await;
    assert_eq!(contents(&ann, RANKED).await, ["fresher", "liked by two", "fresh", "old"]);
}

#[tokio::test]
async fn the_ranked_feed_omits_hidden_private_and_own_posts() {
    let (world, [ann, bob, eve, dan, cleo, fay]) =
        World::with(["ann", "bob", "eve", "dan", "cleo", "fay"]).await;
    follows_all(&ann, &[&bob, &dan]).await;
    follows_all(&bob, &[&ann]).await;
    ann.writes("own").await;
    let post = bob.writes("shown").await;
    bob.posts(json!({ "content": "for friends", "visibility": "FRIEND" })).await;
    bob.quotes(&post, "quote").await;
    bob.replies(&post, "reply").await;
    bob.writes("a spoiler").await;
    let gone = bob.writes("gone").await;
    for (author, text) in [(&eve, "of a blocked one"), (&cleo, "of a muted one"), (&fay, "of a stranger")] {
        bob.likes(&author.writes(text).await).await;
    }
    dan.writes("no longer followed").await;
    world.settle().await;
    bob.deletes(&gone).await;
    ann.blocks(&eve).await;
    ann.post(&cleo.path("/mute"), json!({ "isMuted": true })).await.ok();
    ann.post("/me/muted-words", json!({ "word": "spoiler" })).await.ok();
    ann.unfollows(&dan).await;
    world.settle().await;
    let mut seen = contents(&ann, RANKED).await;
    seen.sort_by_key(Value::to_string);
    assert_eq!(seen, ["of a stranger", "shown"]);
}

#[tokio::test]
async fn ranked_feed_pages_have_no_duplicates_or_gaps() {
    let (world, [ann, bob, eve]) =
        World::builder().settings(MANY_WRITES).start_with(["ann", "bob", "eve"]).await;
    follows_all(&ann, &[&bob, &eve]).await;
    let mut written = Vec::new();
    for number in 0..25 {
        written.push(json!(bob.writes(&format!("post {number}")).await.id));
    }
    world.settle().await;
    let (mut seen, mut path) = (Vec::new(), format!("{RANKED}&take=7"));
    loop {
        let page = ann.get(&path).await.ok();
        seen.extend(page.column("publicId"));
        let like = format!("/posts/{}/like", seen[0].as_str().unwrap());
        eve.post(&like, json!({ "isLiked": true })).await.ok();
        bob.writes("meanwhile").await;
        world.settle().await;
        world.advance(100).await;
        let Some(after) = page.after() else { break };
        assert_eq!(page.rows().len(), 7);
        path = format!("{RANKED}&take=7&after={after}");
    }
    written.reverse();
    assert_eq!(seen, written, "later pages keep the order of the first page");
    assert!(contents(&ann, RANKED).await.contains(&json!("meanwhile")));
}

#[tokio::test]
async fn a_ranked_feed_cursor_is_valid_only_for_one_user_and_order() {
    let (world, [ann, bob, eve]) =
        World::builder().settings(MANY_WRITES).start_with(["ann", "bob", "eve"]).await;
    for reader in [&ann, &eve] {
        reader.follows(&bob).await;
    }
    for number in 0..4 {
        bob.writes(&format!("post {number}")).await;
    }
    world.settle().await;
    let page = ann.get(&format!("{RANKED}&take=2")).await.ok();
    let after = page.after().unwrap();
    let changed = format!("A{}", &after[1..]);
    let cut = &after[..after.len() - 3];
    for (reader, order, after) in [
        (&eve, "sort=ranked", after),
        (&ann, "sort=latest", after),
        (&ann, "type=FOLLOWING&sort=ranked", after),
        (&ann, "sort=ranked", if changed == after { cut } else { &changed }),
        (&ann, "sort=ranked", cut),
        (&ann, "sort=ranked", "nonsense"),
        (&ann, "sort=latest", "nonsense"),
    ] {
        let answer = reader.get(&format!("/posts/news-feed?{order}&after={after}")).await;
        assert_eq!(answer.refused(400, "VALIDATION_FAILED"), "after: must be an id", "{order} {after}");
    }
    ann.get("/posts/news-feed?sort=best").await.invalid("sort: ");
    assert_eq!(contents(&ann, &format!("{RANKED}&take=2&after={after}")).await, ["post 1", "post 0"]);
}

#[tokio::test]
async fn a_ranked_feed_page_costs_at_most_1_5_times_a_plain_page() {
    let (world, [ann]) = World::builder().settings(MANY_WRITES).start_with(["ann"]).await;
    let followed = crowd(&world, "author", 0..10).await;
    follows_all(&ann, &followed.iter().collect::<Vec<_>>()).await;
    let mut costs = Vec::new();
    for _ in 0..2 {
        for _ in 0..6 {
            for author in &followed {
                let post = author.writes(&"x".repeat(1000)).await;
                followed[0].likes(&post).await;
                followed[1].likes(&post).await;
            }
        }
        world.settle().await;
        world.advance(120).await;
        let (_, following) = world.cost_of(ann.get("/posts/news-feed?type=FOLLOWING")).await;
        let (first, ranked) = world.cost_of(ann.get(RANKED)).await;
        assert_eq!(first.rows().len(), 20);
        let (_, next) = world.cost_of(ann.get(&format!("{RANKED}&after={}", first.after().unwrap()))).await;
        assert!(ranked.rru <= 1.5 * following.rru, "{ranked:?}, and {following:?}");
        assert!(next.rru <= following.rru, "{next:?}, and {following:?}");
        check_cost("FOR_YOU, ranked", &ranked);
        check_cost("FOR_YOU, ranked, a later page", &next);
        costs.push((ranked.calls, ranked.rru));
    }
    assert_eq!(costs[0], costs[1], "the cost does not depend on the number of posts");
}
