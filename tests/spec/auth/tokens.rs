//! Access and refresh tokens: refresh, expiry and sign-out.

use base64::{Engine, prelude::BASE64_URL_SAFE_NO_PAD};
use domain::{
    accounts,
    people::users::{Email, Role, Status},
};
use futures::future::join_all;
use reqwest::Method;
use serde_json::{Value, json};
use tests::{Client, PASSWORD, World, claims, send};

use super::{ban, login};

const MINUTE: u64 = 60;
const DAY: u64 = 24 * 60 * MINUTE;

/// Returns the token with changed claims and the original signature.
fn forged(token: &str, change: impl Fn(&mut Value)) -> String {
    let parts: Vec<_> = token.split('.').collect();
    let mut claims = claims(token);
    change(&mut claims);
    let claims = BASE64_URL_SAFE_NO_PAD.encode(claims.to_string());
    format!("{}.{claims}.{}", parts[0], parts[2])
}

#[tokio::test]
async fn an_access_token_has_the_documented_claims() {
    let (_world, [ann]) = World::with(["ann"]).await;
    let claims = claims(ann.token().unwrap());
    let mut names: Vec<_> = claims.as_object().unwrap().keys().map(String::as_str).collect();
    names.sort_unstable();
    assert_eq!(names, ["aud", "exp", "iat", "iss", "roles", "sid", "status", "sub", "typ", "userId"]);
    assert_eq!(claims["exp"].as_i64().unwrap() - claims["iat"].as_i64().unwrap(), 900);
    let values = (&claims["typ"], &claims["status"], &claims["roles"]);
    assert_eq!(values, (&json!("access"), &json!("ACTIVE"), &json!(["USER"])));
}

#[tokio::test]
async fn concurrent_refreshes_return_the_same_pair() {
    let (world, [ann]) = World::with(["ann"]).await;
    world.advance(MINUTE).await;
    let answers = join_all((0..6).map(|_| ann.with_refresh("/auth/refresh-token"))).await;
    for answer in &answers {
        assert_eq!((answer.status, answer.data()), (200, answers[0].data()), "{answer}");
    }
    assert_ne!(answers[0].data()["refreshToken"], ann.refresh_token);
    world.advance(29).await;
    assert_eq!(ann.with_refresh("/auth/refresh-token").await.ok().data(), answers[0].data());
}

#[tokio::test]
async fn a_used_refresh_token_returns_the_newest_pair_for_30_seconds() {
    let (world, [ann]) = World::with(["ann"]).await;
    let second = ann.refreshes().await;
    world.advance(20).await;
    let newest = second.with_refresh("/auth/refresh-token").await.ok();
    world.advance(9).await;
    for earlier in [&ann, &second] {
        assert_eq!(earlier.with_refresh("/auth/refresh-token").await.ok().data(), newest.data());
    }
    world.advance(2).await;
    assert_eq!(second.with_refresh("/auth/refresh-token").await.ok().data(), newest.data());
    ann.with_refresh("/auth/refresh-token").await.refused(401, "UNAUTHORIZED");
    second.with_refresh("/auth/refresh-token").await.refused(401, "UNAUTHORIZED");
}

#[tokio::test]
async fn a_refresh_token_reused_later_ends_the_session() {
    let (world, [ann]) = World::with(["ann"]).await;
    let next = ann.refreshes().await;
    next.get("/auth/me").await.ok();
    world.advance(MINUTE).await;
    ann.with_refresh("/auth/refresh-token").await.refused(401, "UNAUTHORIZED");
    for ended in [&ann, &next] {
        ended.get("/auth/me").await.refused(401, "UNAUTHORIZED");
        ended.with_refresh("/auth/refresh-token").await.refused(401, "UNAUTHORIZED");
    }
    ann.signs_in().await;
}

#[tokio::test]
async fn a_refresh_extends_a_session_by_30_days() {
    let (world, [mut ann]) = World::builder().without_ticks().start_with(["ann"]).await;
    for _ in 0..3 {
        world.advance(29 * DAY).await;
        ann.get("/auth/me").await.refused(401, "UNAUTHORIZED");
        ann = ann.refreshes().await;
        ann.get("/auth/me").await.ok();
    }
    world.advance(30 * DAY).await;
    ann.with_refresh("/auth/refresh-token").await.refused(401, "UNAUTHORIZED");
}

#[tokio::test]
async fn an_access_token_expires_after_15_minutes() {
    let (world, [ann]) = World::with(["ann"]).await;
    world.advance(15 * MINUTE - 1).await;
    ann.get("/auth/me").await.ok();
    world.advance(1).await;
    ann.get("/auth/me").await.refused(401, "UNAUTHORIZED");
}

#[tokio::test]
async fn access_and_refresh_tokens_are_not_interchangeable() {
    let (world, [ann]) = World::with(["ann"]).await;
    world.anyone.with_token(&ann.refresh_token).get("/auth/me").await.refused(401, "UNAUTHORIZED");
    let access = ann.token().unwrap();
    let refresh = world.anyone.request(Method::POST, "/auth/refresh-token").header("x-refresh-token", access);
    send(refresh).await.refused(401, "UNAUTHORIZED");
    send(world.anyone.request(Method::POST, "/auth/refresh-token")).await.refused(401, "UNAUTHORIZED");
    for path in ["/auth/refresh-token", "/api/v1/auth/refresh-token"] {
        ann.post(path, Value::Null).await.refused(401, "UNAUTHORIZED");
    }
}

#[tokio::test]
async fn a_forged_token_is_refused() {
    let (world, [ann, bob]) = World::with(["ann", "bob"]).await;
    let access = ann.token().unwrap();
    let unsigned = BASE64_URL_SAFE_NO_PAD.encode(r#"{"typ":"JWT","alg":"none"}"#);
    let claims = access.split('.').nth(1).unwrap();
    for token in [
        forged(access, |claims| claims["sub"] = json!(bob.id)),
        forged(access, |claims| claims["roles"] = json!(["SUPER_ADMIN"])),
        forged(access, |claims| claims["exp"] = json!(4_000_000_000_i64)),
        format!("{unsigned}.{claims}."),
        format!("{access}x"),
        "x".to_owned(),
        String::new(),
    ] {
        world.anyone.with_token(&token).get("/auth/me").await.refused(401, "UNAUTHORIZED");
    }
    ann.get("/auth/me").await.ok();
}

#[tokio::test]
async fn a_logout_revokes_both_tokens_and_can_be_repeated() {
    let (_world, [ann]) = World::with(["ann"]).await;
    let elsewhere = ann.signs_in().await;
    for _ in 0..2 {
        ann.with_refresh("/auth/logout").await.ok();
        ann.get("/auth/me").await.refused(401, "UNAUTHORIZED");
        ann.post("/auth/profile", json!({ "bio": "x" })).await.refused(401, "UNAUTHORIZED");
        ann.with_refresh("/auth/refresh-token").await.refused(401, "UNAUTHORIZED");
    }
    elsewhere.get("/auth/me").await.ok();
}

#[tokio::test]
async fn a_logout_requires_both_tokens_of_one_session() {
    let (world, [ann, bob]) = World::with(["ann", "bob"]).await;
    let elsewhere = ann.signs_in().await;
    for path in ["/auth/logout", "/api/v1/auth/logout"] {
        let logout = async |client: &Client, refresh_token: &str| {
            send(client.request(Method::POST, path).header("x-refresh-token", refresh_token)).await
        };
        for refresh_token in [&bob.refresh_token, &elsewhere.refresh_token, ann.token().unwrap(), "x"] {
            logout(&ann, refresh_token).await.refused(401, "UNAUTHORIZED");
        }
        ann.post(path, Value::Null).await.refused(401, "UNAUTHORIZED");
        logout(&world.anyone, &ann.refresh_token).await.refused(401, "UNAUTHORIZED");
    }
    for person in [ann, bob, elsewhere] {
        person.get("/auth/me").await.ok();
    }
}

#[tokio::test]
async fn a_refresh_reports_the_ban_that_ended_the_session() {
    let (world, [ann]) = World::with(["ann"]).await;
    ban(&world.app(), &ann, Status::Banned).await;
    ann.get("/auth/me").await.refused(401, "UNAUTHORIZED");
    let answer = ann.with_refresh("/auth/refresh-token").await;
    assert_eq!(answer.refused(403, "FORBIDDEN"), "this account is banned");
}

#[tokio::test]
async fn a_granted_role_ends_existing_sessions() {
    let (world, [ann]) = World::with(["ann"]).await;
    let email = Email::try_from("ann@example.com".to_owned()).unwrap();
    accounts::appoint(&world.app(), &email, Role::SuperAdmin, false).await.unwrap();
    ann.get("/auth/me").await.refused(401, "UNAUTHORIZED");
    let answer = world.anyone.post("/auth/login", login("ann", PASSWORD)).await.ok();
    let roles = &claims(answer.data()["accessToken"].as_str().unwrap())["roles"];
    assert_eq!(roles, &json!(["USER", "ADMIN", "SUPER_ADMIN"]));
    let unknown = Email::try_from("unknown@example.com".to_owned()).unwrap();
    assert!(accounts::appoint(&world.app(), &unknown, Role::Admin, false).await.is_err());
}
