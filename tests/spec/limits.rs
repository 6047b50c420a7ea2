//! Limits on the requests of a user, counted across all of their sessions.

use serde_json::{Value, json};
use tests::{Answer, Person, World};

use crate::auth::limits::limit_headers;

/// Starts a world with `ann`. Each session can send `limit` writes in 5 minutes.
async fn world_with_limit(limit: &str) -> (World, [Person; 1]) {
    World::builder().settings(&[("WRITE_LIMIT_PER_5_MIN", limit)]).start_with(["ann"]).await
}

async fn writes(person: &Person) -> Answer {
    person.post("/auth/profile", json!({ "bio": "x" })).await
}

#[tokio::test]
async fn a_users_write_limit_is_a_third_above_that_of_a_session() {
    let (world, [ann]) = world_with_limit("120").await;
    let [second, third] = [ann.signs_in().await, ann.signs_in().await];
    for _ in 0..120 {
        writes(&ann).await.ok();
    }
    let answer = writes(&ann).await;
    answer.refused(429, "TOO_MANY_REQUESTS");
    assert_eq!(limit_headers(&answer), [Some("120"), Some("0"), Some("300")]);
    // The limit of the user is 160 requests. Each session reserves ten requests at a time.
    for session in [&second, &third] {
        let mut done = 0;
        while writes(session).await.status == 200 {
            done += 1;
        }
        assert!(done == 29 || done == 9, "{done}");
    }
    let again = world.budget("a write that the limit refuses", writes(&third)).await;
    again.refused(429, "TOO_MANY_REQUESTS");
    assert_eq!(limit_headers(&again), [Some("160"), Some("0"), Some("300")]);
    third.get("/auth/me").await.ok();
    writes(&ann.signs_in().await).await.refused(429, "TOO_MANY_REQUESTS");
    world.advance(300).await;
    writes(&third).await.ok();
}

#[tokio::test]
async fn refreshing_and_signing_out_count_as_writes() {
    let (world, [ann]) = world_with_limit("30").await;
    let mut refreshed = ann.refreshes().await;
    for _ in 0..28 {
        refreshed = refreshed.refreshes().await;
    }
    writes(&refreshed).await.ok();
    for path in ["/auth/refresh-token", "/auth/logout"] {
        let answer = refreshed.with_refresh(path).await;
        answer.refused(429, "TOO_MANY_REQUESTS");
        assert_eq!(answer.header("retry-after"), Some("300"), "{path}");
    }
    world.advance(300).await;
    refreshed = refreshed.refreshes().await;
    refreshed.with_refresh("/auth/logout").await.ok();
    refreshed.with_refresh("/auth/logout").await.ok();
    refreshed.get("/auth/me").await.refused(401, "UNAUTHORIZED");
}

#[tokio::test]
async fn a_user_over_the_limit_cannot_refresh_another_session() {
    let (_world, [ann]) = world_with_limit("30").await;
    let mut other = ann.signs_in().await;
    let mut third = ann.signs_in().await;
    for _ in 0..9 {
        (other, third) = (other.refreshes().await, third.refreshes().await);
    }
    for _ in 0..30 {
        writes(&ann).await;
    }
    third = third.refreshes().await;
    third.with_refresh("/auth/refresh-token").await.refused(429, "TOO_MANY_REQUESTS");
    other.refreshes().await;
}

#[tokio::test]
async fn each_tenth_write_makes_an_extra_aws_call_for_the_limit() {
    let (world, [ann]) = World::with(["ann"]).await;
    let mut calls = Vec::new();
    for _ in 0..20 {
        calls.push(world.cost_of(writes(&ann)).await.1.calls);
    }
    let costly: Vec<_> =
        calls.iter().enumerate().filter(|(_, calls)| **calls > 2).map(|(at, _)| at + 1).collect();
    assert_eq!(costly, [10, 20], "{calls:?}");
}

#[tokio::test]
async fn headers_describe_the_rate_limit_that_is_reached_first() {
    let (_world, [ann, bob]) = World::with(["ann", "bob"]).await;
    assert_eq!(limit_headers(&writes(&ann).await)[..2], [Some("300"), Some("299")]);
    let follow = ann.follows(&bob).await;
    assert_eq!(limit_headers(&follow), [Some("30"), Some("29"), Some("60")]);
    let circle = ann.post("/circles", json!({ "name": "Readers" })).await.ok();
    assert_eq!(limit_headers(&circle)[..2], [Some("3"), Some("2")]);
    let path = format!("/circles/{}/posts", circle.data()["publicId"].as_str().unwrap());
    for left in (0..5).rev() {
        let answer = ann.post(&path, json!({ "content": "a long enough thought" })).await.ok();
        assert_eq!(limit_headers(&answer), [Some("5"), Some(left.to_string().as_str()), Some("3600")]);
    }
    let sixth = ann.post(&path, json!({ "content": "a long enough thought" })).await;
    sixth.refused(429, "TOO_MANY_REQUESTS");
    assert_eq!(limit_headers(&sixth), [Some("5"), Some("0"), Some("3600")]);
    assert_eq!(sixth.header("retry-after"), Some("3600"));
}

#[tokio::test]
async fn a_user_can_report_30_times_an_hour() {
    let (world, [ann, bob]) = World::with(["ann", "bob"]).await;
    let path = ann.writes("hello").await.path("/report");
    check_limit(&bob, 30, &path, |_| json!({ "reason": "spam", "type": "user" })).await;
    world.advance(3600).await;
    let bob = bob.refreshes().await;
    bob.post(&path, json!({ "reason": "spam", "type": "user" })).await.ok();
}

#[tokio::test]
async fn a_user_can_upload_200_files_a_day() {
    let (_world, [ann]) = World::with(["ann"]).await;
    let file = json!({ "filename": "a", "contentType": "image/png", "size": 5 });
    check_limit(&ann, 200, "/upload", |_| file.clone()).await;
}

#[tokio::test]
async fn a_user_can_create_20_groups_an_hour() {
    let (_world, [ann, _, _]) = World::with(["ann", "bob", "cleo"]).await;
    let pair = json!({ "type": "private", "members": ["bob"] });
    for _ in 0..30 {
        ann.post("/message-group", pair.clone()).await.ok();
    }
    let crowd = json!({ "type": "crowd", "members": ["bob", "cleo"] });
    for _ in 0..19 {
        ann.post("/message-group", crowd.clone()).await.ok();
    }
    ann.post("/message-group", crowd).await.refused(429, "TOO_MANY_REQUESTS");
    ann.post("/message-group", pair).await.ok();
}

#[tokio::test]
async fn a_user_can_create_3_circles_a_day() {
    let (world, [ann]) = World::builder().without_ticks().start_with(["ann"]).await;
    check_limit(&ann, 3, "/circles", |n| json!({ "name": format!("Circle {n}") })).await;
    world.advance(24 * 60 * 60).await;
    ann.refreshes().await.post("/circles", json!({ "name": "Tomorrow" })).await.ok();
}

/// Sends as many requests as the limit allows. Then checks that the next request is refused.
async fn check_limit(person: &Person, limit: usize, path: &str, body: impl Fn(usize) -> Value) {
    for number in 0..limit {
        person.post(path, body(number)).await.ok();
    }
    let answer = person.post(path, body(limit)).await;
    answer.refused(429, "TOO_MANY_REQUESTS");
    assert_eq!(limit_headers(&answer)[..2], [Some(limit.to_string().as_str()), Some("0")], "{path}");
}
