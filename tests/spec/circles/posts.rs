//! Posts and comments in circles.

use serde_json::{Value, json};
use tests::{Answer, Person, World};

use super::{
    Circle, UNKNOWN_ID, creates_circle,
    critic::{judged_world, text},
    joins, with_circle,
};

/// Writes a post in a circle.
pub(crate) async fn writes_in(user: &Person, circle: &Circle, content: &str) -> Answer {
    user.post(&circle.path("/posts"), json!({ "content": content })).await
}

/// Comments on a post, and returns the ID of the comment.
pub(crate) async fn comments(user: &Person, circle: &Circle, parent: &str, content: &str) -> String {
    let body = json!({ "content": content, "parentId": parent });
    id(&user.post(&circle.path("/posts"), body).await.ok())
}

/// Edits the text of a post.
pub(crate) async fn edits(user: &Person, post: &str, content: &str) -> Answer {
    user.patch(&format!("/posts/{post}"), json!({ "content": content })).await
}

/// Returns the ID of the post in this response.
pub(crate) fn id(answer: &Answer) -> String {
    answer.data()["publicId"].as_str().unwrap().to_owned()
}

/// Returns the judging status of a post.
pub(crate) async fn judge_status(world: &World, post: &str) -> Value {
    world.anyone.get(&format!("/api/v1/posts/{post}/judge-status")).await.ok().data().clone()
}

#[tokio::test]
async fn a_circle_post_is_stored_at_once_and_judged_later() {
    let (world, [ann], circle) = with_circle(judged_world(["ann"])).await;
    circle.gains(&world, -100, 0).await;
    let written = writes_in(&ann, &circle, &text(7.5, "")).await.ok();
    assert_eq!(written.status, 202);
    let (post, data) = (id(&written), written.data());
    assert_eq!(json!([data["judgeStatus"], data["qualityScore"]]), json!(["pending", null]));
    assert_eq!(json!([data["type"], data["parentId"], data["circleId"]]), json!(["POST", null, circle.id]));
    assert_eq!(data["user"]["username"], "ann");
    assert_eq!(world.anyone.get(&circle.path("/posts")).await.ok().rows(), std::slice::from_ref(data));
    assert_eq!(judge_status(&world, &post).await, json!({ "status": "pending" }));
    assert_eq!(circle.energy(&world).await["lastPostAt"], data["createdAt"]);
    world.settle().await;
    let judged = json!({ "status": "done", "score": 7.5, "category": "solid", "reason": "It says so.",
        "flags": [], "hpDelta": 3, "expDelta": 6 });
    assert_eq!(judge_status(&world, &post).await, judged);
    let listed = world.anyone.get(&circle.path("/posts")).await.ok();
    assert_eq!(listed.column("judgeStatus"), ["done"]);
    assert_eq!(listed.column("qualityScore"), [7.5]);
    assert_eq!(circle.hp_and_exp(&world).await, (403, 6));
    let feed = ann.get("/posts/news-feed").await.ok();
    assert!(feed.rows().is_empty(), "the public feed does not list the post");
}

#[tokio::test]
async fn a_sixth_post_in_a_circle_within_an_hour_is_refused() {
    let (world, [ann, bob], circle) = with_circle(judged_world(["ann", "bob"])).await;
    let other = creates_circle(&ann, "Other").await;
    joins(&bob, &circle, &ann).await;
    for minute in 0..5 {
        writes_in(&ann, &circle, &text(3, minute)).await.ok();
        world.advance(60).await;
    }
    let sixth = writes_in(&ann, &circle, &text(3, 6)).await;
    sixth.refused(429, "TOO_MANY_REQUESTS");
    assert_eq!(sixth.header("retry-after"), Some("3300"), "the seconds until the first post is an hour old");
    writes_in(&ann, &other, &text(3, 7)).await.ok();
    writes_in(&bob, &circle, &text(3, 8)).await.ok();
    world.advance(3300 - 1).await;
    let ann = ann.signs_in().await;
    writes_in(&ann, &circle, &text(3, 9)).await.refused(429, "TOO_MANY_REQUESTS");
    world.advance(1).await;
    writes_in(&ann, &circle, &text(3, 10)).await.ok();
    let again = writes_in(&ann, &circle, &text(3, 11)).await;
    again.refused(429, "TOO_MANY_REQUESTS");
    assert_eq!(again.header("retry-after"), Some("60"), "the limit counts the posts of the last 60 minutes");
    world.settle().await;
}

#[tokio::test]
async fn concurrent_posts_do_not_exceed_the_limit_of_a_circle() {
    let (world, [ann], circle) = with_circle(judged_world(["ann"])).await;
    let texts: Vec<_> = (0..10).map(|n| text(3, n)).collect();
    let all = futures::future::join_all(texts.iter().map(|text| writes_in(&ann, &circle, text))).await;
    let taken = all.iter().filter(|answer| answer.status == 202).count();
    assert!(taken <= 5, "{taken}");
    assert!(all.iter().all(|answer| [202, 409, 429].contains(&answer.status)));
    assert_eq!(world.anyone.get(&circle.path("/posts")).await.ok().rows().len(), taken);
    world.settle().await;
}

#[tokio::test]
async fn an_invalid_post_or_list_of_posts_is_refused() {
    let (world, [ann], circle) = with_circle(judged_world(["ann"])).await;
    let other = creates_circle(&ann, "Other").await;
    let elsewhere = id(&writes_in(&ann, &other, &text(5, "")).await.ok());
    for (body, field) in [
        (json!({}), "content"),
        (json!({ "content": " " }), "content"),
        (json!({ "content": "x".repeat(5001) }), "content"),
        (json!({ "content": "x", "parentId": "y" }), "parentId"),
        (json!({ "content": "x", "parentId": UNKNOWN_ID }), "parentId"),
        (json!({ "content": "x", "parentId": elsewhere }), "parentId"),
    ] {
        ann.post(&circle.path("/posts"), body).await.invalid(field);
    }
    let list = circle.path(&format!("/posts?parentId={elsewhere}"));
    world.anyone.get(&list).await.refused(404, "NOT_FOUND");
    for query in ["limit=0", "cursor=x", "sort=best", "parentId=x"] {
        world.anyone.get(&circle.path(&format!("/posts?{query}"))).await.refused(400, "VALIDATION_FAILED");
    }
    for post in [UNKNOWN_ID, "nonsense"] {
        world.anyone.get(&format!("/posts/{post}/judge-status")).await.refused(404, "NOT_FOUND");
    }
    world.settle().await;
}

#[tokio::test]
async fn posts_are_listed_newest_or_best_first_with_their_comments() {
    let (world, [ann], circle) = with_circle(judged_world(["ann"])).await;
    let mut posts = Vec::new();
    for score in ["5", "9.5", "0"] {
        posts.push(id(&writes_in(&ann, &circle, &text(score, "")).await.ok()));
        world.advance(1).await;
    }
    world.settle().await;
    let pending = id(&writes_in(&ann, &circle, &text(10, "pending")).await.ok());
    let comment = comments(&ann, &circle, &posts[0], &text(10, "comment")).await;
    let latest = [&pending, &posts[2], &posts[1], &posts[0]];
    let best = [&posts[1], &posts[0], &posts[2], &pending];
    for (sort, order) in [("latest", latest), ("quality", best)] {
        let list = circle.path(&format!("/posts?sort={sort}"));
        let seen = world.anyone.all(&list, 3, "publicId").await;
        assert_eq!(seen, order.map(|id| json!(id)), "{sort}");
    }
    let first = world.anyone.get(&circle.path("/posts?limit=3")).await.ok();
    let rest = circle.path(&format!("/posts?limit=3&cursor={}", first.after().unwrap()));
    assert_eq!(world.anyone.get(&rest).await.ok().column("publicId"), [json!(posts[0])]);
    let unknown = circle.path(&format!("/posts?sort=quality&cursor={UNKNOWN_ID}"));
    world.anyone.get(&unknown).await.invalid("cursor: ");
    let below = world.anyone.get(&circle.path(&format!("/posts?parentId={}", posts[0]))).await.ok();
    assert_eq!(json!([below.column("publicId"), below.column("type")]), json!([[comment], ["COMMENT"]]));
    world.settle().await;
}

#[tokio::test]
async fn an_idempotent_retry_of_a_post_is_judged_once() {
    let (world, [ann], circle) = with_circle(judged_world(["ann"])).await;
    circle.gains(&world, -100, 0).await;
    let body = json!({ "content": text(9, "") });
    let first = ann.post_once("key", &circle.path("/posts"), body.clone()).await.ok();
    let (again, cost) = world.cost_of(ann.post_once("key", &circle.path("/posts"), body)).await;
    assert_eq!((first.status, first.data(), cost.messages), (202, again.ok().data(), 0));
    world.settle().await;
    assert_eq!(circle.energy(&world).await["current"], 405);
    assert_eq!(world.anyone.get(&circle.path("/posts")).await.ok().rows().len(), 1);
}
