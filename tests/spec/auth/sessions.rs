//! The user's sessions.

use reqwest::Method;
use serde_json::json;
use tests::{World, send};

use super::form;

const DAY: u64 = 24 * 60 * 60;

#[tokio::test]
async fn a_user_can_list_their_sessions() {
    let world = World::new().await;
    let register = world.anyone.request(Method::POST, "/auth/register").header("user-agent", "Ann's phone");
    let answer = send(register.json(&form("ann"))).await.ok();
    let ann = world.anyone.with_token(answer.data()["accessToken"].as_str().unwrap());
    let list = ann.get("/auth/sessions").await.ok();
    let session = json!({
        "sid": list.rows()[0]["sid"], "userAgent": "Ann's phone", "application": null, "isCurrent": true,
        "createdAt": "2026-01-01T00:00:00.000Z", "lastUsedAt": "2026-01-01T00:00:00.000Z",
        "expiresAt": "2026-01-31T00:00:00.000Z",
    });
    let pagination = json!({ "after": null, "hasMore": false });
    assert_eq!(list.body, json!({ "success": true, "data": [session], "pagination": pagination }));
}

#[tokio::test]
async fn session_pages_are_full_and_newest_first() {
    let (world, [ann]) = World::with(["ann"]).await;
    world.person("bob").await;
    for _ in 0..4 {
        world.advance(1).await;
        ann.signs_in().await;
    }
    let sids = ann.get("/auth/sessions").await.ok().column("sid");
    assert_eq!(sids.len(), 5);
    assert!(sids.is_sorted_by(|a, b| a.as_str() > b.as_str()));
    assert_eq!(ann.all_in_full_pages("/auth/sessions", 2, "sid").await, sids);
    ann.get("/auth/sessions?after=x").await.refused(400, "VALIDATION_FAILED");
    ann.get("/auth/sessions?take=0").await.refused(400, "VALIDATION_FAILED");
}

#[tokio::test]
async fn an_expired_session_is_not_listed() {
    let (world, [mut ann]) = World::builder().without_ticks().start_with(["ann"]).await;
    for _ in 0..3 {
        ann.signs_in().await;
    }
    world.advance(20 * DAY).await;
    ann = ann.refreshes().await;
    world.advance(11 * DAY).await;
    ann = ann.refreshes().await;
    let list = ann.get("/auth/sessions?take=1").await.ok();
    assert_eq!(json!([list.column("isCurrent"), list.after()]), json!([[true], null]));
}

#[tokio::test]
async fn the_21st_session_ends_the_oldest_session() {
    let (world, [ann]) = World::with(["ann"]).await;
    world.advance(1).await;
    let second = ann.signs_in().await;
    let mut newest = second.clone();
    for _ in 0..18 {
        world.advance(1).await;
        newest = ann.signs_in().await;
    }
    ann.get("/auth/me").await.ok();
    world.advance(1).await;
    newest.signs_in().await;
    ann.get("/auth/me").await.refused(401, "UNAUTHORIZED");
    ann.with_refresh("/auth/refresh-token").await.refused(401, "UNAUTHORIZED");
    second.get("/auth/me").await.ok();
    assert_eq!(newest.get("/auth/sessions?take=100").await.ok().rows().len(), 20);
}

#[tokio::test]
async fn a_session_ends_180_days_after_its_sign_in() {
    let (world, [mut ann]) = World::builder().without_ticks().start_with(["ann"]).await;
    for _ in 0..6 {
        world.advance(29 * DAY).await;
        ann = ann.refreshes().await;
    }
    let list = ann.get("/auth/sessions").await.ok();
    assert_eq!(list.column("expiresAt"), ["2026-06-30T00:00:00.000Z"]);
    world.advance(6 * DAY - 60).await;
    ann = ann.refreshes().await;
    ann.get("/auth/me").await.ok();
    world.advance(60).await;
    ann.get("/auth/me").await.refused(401, "UNAUTHORIZED");
    ann.with_refresh("/auth/refresh-token").await.refused(401, "UNAUTHORIZED");
}

#[tokio::test]
async fn a_user_can_end_one_of_their_other_sessions() {
    let (_world, [ann, bob]) = World::with(["ann", "bob"]).await;
    let phone = ann.signs_in().await;
    let list = ann.get("/auth/sessions").await.ok();
    let other = list.rows().iter().find(|session| session["isCurrent"] == false).unwrap();
    let path = format!("/auth/sessions/{}", other["sid"].as_str().unwrap());
    bob.delete(&path).await.refused(404, "NOT_FOUND");
    phone.get("/auth/me").await.ok();
    ann.delete(&path).await.ok();
    phone.get("/auth/me").await.refused(401, "UNAUTHORIZED");
    phone.with_refresh("/auth/refresh-token").await.refused(401, "UNAUTHORIZED");
    assert_eq!(ann.delete(&path).await.refused(404, "NOT_FOUND"), "no such session");
    ann.delete("/auth/sessions/x").await.refused(404, "NOT_FOUND");
    assert_eq!(ann.get("/auth/sessions").await.ok().rows().len(), 1);
}
