//! Application tokens, which let a program act for a user.

use domain::people::users::Role;
use futures::future::join_all;
use reqwest::Method;
use serde_json::{Value, json};
use tests::{Answer, Client, PASSWORD, Person, World, send};

use super::{password, resets_password};
use crate::{admin::administrator, routes::UNKNOWN_ID, scale::all_rows};

const DAY: u64 = 24 * 60 * 60;

/// Issues a token with these scopes, and returns a client that uses it.
pub(crate) async fn program(person: &Person, scopes: &[&str]) -> Client {
    program_of(person, PASSWORD, scopes).await
}

async fn program_of(person: &Person, password: &str, scopes: &[&str]) -> Client {
    let body = json!({ "name": "bot", "scopes": scopes, "password": password });
    let issued = person.post("/auth/tokens", body).await.ok();
    person.with_token(issued.data()["token"].as_str().unwrap())
}

async fn issues(person: &Person, mut body: Value) -> Answer {
    body["password"] = json!(PASSWORD);
    person.post("/auth/tokens", body).await
}

fn hello() -> Value {
    json!({ "content": "hello from a program" })
}

#[tokio::test]
async fn a_program_acts_for_the_user_until_its_token_is_revoked() {
    let (_world, [ann, bob]) = World::with(["ann", "bob"]).await;
    let body = json!({ "name": " Weather bot ", "scopes": ["write:posts", "read", "read"] });
    let issued = issues(&ann, body).await;
    assert_eq!(issued.status, 201);
    let issued = issued.data().clone();
    assert_eq!(json!([issued["name"], issued["scopes"]]), json!(["Weather bot", ["read", "write:posts"]]));
    assert_eq!(issued["expiresAt"], "2027-01-01T00:00:00.000Z");
    let text = issued["token"].as_str().unwrap();
    assert!(text.starts_with("app_") && text.len() > 80, "{text}");

    let bot = ann.with_token(text);
    let post = bot.post("/posts", hello()).await.ok();
    assert_eq!(post.data()["user"]["username"], "ann");
    bot.get("/api/v1/posts/news-feed?type=FOLLOWING").await.ok();

    let listed = ann.get("/auth/tokens").await.ok();
    let mut about = issued.clone();
    about.as_object_mut().unwrap().remove("token");
    about["lastWroteAt"] = json!("2026-01-01T00:00:00.000Z");
    assert_eq!(listed.rows(), [about]);
    assert!(bob.get("/auth/tokens").await.ok().rows().is_empty());

    let path = format!("/auth/tokens/{}", issued["id"].as_str().unwrap());
    bob.delete(&path).await.refused(404, "NOT_FOUND");
    bot.get("/notification").await.ok();
    assert_eq!(ann.delete(&path).await.ok().data(), &json!({ "ended": true }));
    bot.get("/notification").await.refused(401, "UNAUTHORIZED");
    bot.post("/posts", hello()).await.refused(401, "UNAUTHORIZED");
    assert_eq!(ann.delete(&path).await.refused(404, "NOT_FOUND"), "no such application token");
    assert!(ann.get("/auth/tokens").await.ok().rows().is_empty());
}

#[tokio::test]
async fn the_error_for_a_missing_scope_names_the_scope() {
    let (world, [ann]) = World::with(["ann"]).await;
    let [reader, writer] = [program(&ann, &["read"]).await, program(&ann, &["write:posts"]).await];
    let following = "/posts/news-feed?type=FOLLOWING";
    let more = json!({ "name": "more", "scopes": ["write:posts"] });
    for (answer, message) in [
        (reader.post("/posts", hello()).await, "this application token lacks the scope write:posts"),
        (writer.get("/notification").await, "this application token lacks the scope read"),
        (writer.get("/auth/me").await, "this application token lacks the scope read"),
        (writer.get(following).await, "this application token lacks the scope read"),
        (reader.get("/auth/tokens").await, "application tokens cannot use this operation"),
        (reader.post("/auth/tokens", more).await, "application tokens cannot use this operation"),
    ] {
        assert_eq!(answer.refused(403, "FORBIDDEN"), message, "{answer}");
    }
    writer.get("/posts/news-feed").await.ok();
    assert_eq!(world.anyone.get(following).await.refused(401, "UNAUTHORIZED"), "sign in first");
    let me = reader.get("/auth/me").await.ok();
    assert_eq!(json!([me.data()["id"], me.data()["publicId"]]), json!([ann.id, ann.public_id]));
    let logout = reader.request(Method::POST, "/auth/logout").header("x-refresh-token", &ann.refresh_token);
    send(logout).await.refused(401, "UNAUTHORIZED");
}

#[tokio::test]
async fn any_application_token_reads_public_routes() {
    let (_world, [ann, bob]) = World::with(["ann", "bob"]).await;
    let post = ann.writes("hello").await;
    ann.likes(&post).await;
    let [reader, writer] = [program(&ann, &["read"]).await, program(&ann, &["write:posts"]).await];
    let paths = ["", "/replies", "/likes", "/quotes", "/context"].map(|below| post.path(below));
    for path in paths.iter().map(String::as_str).chain(["/user/ann", "/user/ann/posts", "/posts/news-feed"]) {
        writer.get(path).await.ok();
        let tampered = ann.with_token(&format!("{}A", writer.token().unwrap()));
        tampered.get(path).await.refused(401, "UNAUTHORIZED");
    }
    let liked = async |client: &Client| client.get(&post.path("")).await.ok().data()["isLiked"].clone();
    assert_eq!((liked(&reader).await, liked(&writer).await), (json!(true), json!(false)));
    bob.get("/user/ann").await.ok();
}

#[tokio::test]
async fn a_modified_application_token_is_refused() {
    let (_world, [ann]) = World::with(["ann"]).await;
    let bot = program(&ann, &["read", "write:posts"]).await;
    let text = bot.token().unwrap().to_owned();
    let swap = |at: usize| {
        let other = if &text[at..=at] == "A" { "B" } else { "A" };
        format!("{}{other}{}", &text[..at], &text[at + 1..])
    };
    let changed = [10, 30, 60, 80].map(swap).into_iter();
    let cut = ["app_", &text[..40], &text[4..]].map(str::to_owned);
    for wrong in changed.chain(cut).chain([format!("{text}AAAA")]) {
        let wrong = ann.with_token(&wrong);
        wrong.get("/notification").await.refused(401, "UNAUTHORIZED");
        wrong.post("/posts", hello()).await.refused(401, "UNAUTHORIZED");
    }
    assert_eq!(ann.get("/auth/tokens").await.ok().column("lastWroteAt"), [Value::Null]);
    bot.post("/posts", hello()).await.ok();
}

#[tokio::test]
async fn ending_all_sessions_revokes_the_application_tokens() {
    let world = World::new().await;
    let boss = administrator(&world, "boss", Role::SuperAdmin).await;
    for (name, deed, body) in [
        ("ann", "ban", Value::Null),
        ("bob", "lock", Value::Null),
        ("cid", "temp-ban", Value::Null),
        ("dan", "roles", json!({ "roles": ["ADMIN"] })),
    ] {
        let person = world.person(name).await;
        let bot = program(&person, &["read", "write:posts"]).await;
        bot.get("/notification").await.ok();
        boss.patch(&format!("/admin/users/{}/{deed}", person.id), body).await.ok();
        bot.get("/notification").await.refused(401, "UNAUTHORIZED");
        bot.post("/posts", hello()).await.refused(401, "UNAUTHORIZED");
    }
    let eve = world.person("eve").await;
    let bot = program(&eve, &["read"]).await;
    password::changes(&eve, PASSWORD, "another battery").await.ok();
    bot.get("/notification").await.refused(401, "UNAUTHORIZED");
    let bot = program_of(&eve, "another battery", &["read"]).await;
    world.settle().await;
    world.advance(1).await;
    resets_password(&world, "eve", "a third battery").await.ok();
    bot.get("/notification").await.refused(401, "UNAUTHORIZED");
}

#[tokio::test]
async fn an_application_token_can_be_revoked_like_a_session() {
    let (world, [ann]) = World::with(["ann"]).await;
    world.advance(1).await;
    let bot = program(&ann, &["read"]).await;
    let sessions = ann.get("/auth/sessions").await.ok();
    assert_eq!(sessions.column("application"), [json!("bot"), Value::Null]);
    let path = format!("/auth/sessions/{}", sessions.column("sid")[0].as_str().unwrap());
    ann.delete(&path).await.ok();
    bot.get("/notification").await.refused(401, "UNAUTHORIZED");
    assert!(ann.get("/auth/tokens").await.ok().rows().is_empty());
}

#[tokio::test]
async fn an_application_token_outlives_sessions_until_it_expires() {
    let (world, [ann]) = World::builder().without_ticks().start_with(["ann"]).await;
    let body = json!({ "name": "bot", "scopes": ["read"], "expiresAt": "2026-03-02T00:00:00Z" });
    let issued = issues(&ann, body).await.ok();
    let bot = ann.with_token(issued.data()["token"].as_str().unwrap());
    ann.with_refresh("/auth/logout").await.ok();
    bot.get("/notification").await.ok();
    let mut other = ann.signs_in().await;
    for _ in 0..20 {
        world.advance(1).await;
        other = ann.signs_in().await;
    }
    bot.get("/notification").await.ok();
    let sids = other.get("/auth/sessions?take=100").await.ok();
    assert_eq!(sids.column("application")[20], "bot");
    assert!(sids.column("application")[..20].iter().all(Value::is_null));
    let as_token = format!("/auth/tokens/{}", sids.rows()[3]["sid"].as_str().unwrap());
    other.delete(&as_token).await.refused(404, "NOT_FOUND");
    world.advance(59 * DAY).await;
    bot.get("/notification").await.ok();
    world.advance(DAY).await;
    bot.get("/notification").await.refused(401, "UNAUTHORIZED");
    let ann = ann.signs_in().await;
    assert!(ann.get("/auth/tokens").await.ok().rows().is_empty());
}

#[tokio::test]
async fn application_token_requests_count_toward_the_users_limit() {
    let builder = World::builder().settings(&[("WRITE_LIMIT_PER_5_MIN", "60")]);
    let (_world, [ann]) = builder.start_with(["ann"]).await;
    let bot = program(&ann, &["write:people"]).await;
    for used in 1..=60 {
        let answer = bot.post("/user/ann/mute", Value::Null).await;
        assert_eq!(answer.refused(400, "VALIDATION_FAILED"), "username: must not be your own", "{used}");
    }
    bot.post("/user/ann/mute", Value::Null).await.refused(429, "TOO_MANY_REQUESTS");
    ann.post("/auth/profile", json!({ "bio": "x" })).await.ok();
    // Each token can send 10 requests. Together, the tokens exceed the user's limit of 80 requests.
    let bots = join_all((0..4).map(|_| program(&ann, &["write:people"]))).await;
    let answers = join_all(bots.iter().map(|bot| bot.post("/user/ann/mute", Value::Null))).await;
    assert!(answers.iter().any(|answer| answer.status == 429), "{answers:?}");
}

#[tokio::test]
async fn concurrent_requests_issue_at_most_20_application_tokens() {
    let (_world, [ann]) = World::with(["ann"]).await;
    for _ in 0..17 {
        program(&ann, &["read"]).await;
    }
    let body = || json!({ "name": "bot", "scopes": ["read"] });
    let answers = join_all((0..6).map(|_| issues(&ann, body()))).await;
    assert_eq!(answers.iter().filter(|answer| answer.status == 201).count(), 3, "{answers:?}");
    let over = issues(&ann, body()).await;
    let message = "the limit of 20 application tokens is reached. Revoke one first.";
    assert_eq!(over.refused(400, "VALIDATION_FAILED"), message);
    let tokens = ann.get("/auth/tokens").await.ok();
    assert_eq!(tokens.rows().len(), 20);
    let ids = tokens.column("id");
    assert!(ids.is_sorted_by(|a, b| a.as_str() > b.as_str()), "newest first");
    ann.delete(&format!("/auth/tokens/{}", ids[7].as_str().unwrap())).await.ok();
    issues(&ann, body()).await.ok();
}

#[tokio::test]
async fn a_retry_returns_the_same_token_and_stores_no_secret() {
    let (world, [ann]) = World::with(["ann"]).await;
    let body = json!({ "name": "bot", "scopes": ["read"], "password": PASSWORD });
    let both = join_all([1, 2].map(|_| ann.post_once("key", "/auth/tokens", body.clone()))).await;
    let token = both[0].data()["token"].as_str().unwrap().to_owned();
    assert_eq!(both[1].data()["token"], token);
    assert_eq!(ann.post_once("key", "/auth/tokens", body.clone()).await.ok().data()["token"], token);
    assert_eq!(ann.get("/auth/tokens").await.ok().rows().len(), 1);
    let other = ann.post_once("key", "/auth/tokens", json!({ "name": "x", "scopes": ["read"] })).await;
    other.refused(400, "VALIDATION_FAILED");
    ann.with_token(&token).get("/notification").await.ok();
    let stored = format!("{:?}", all_rows(&world).await);
    assert!(stored.contains("secretHash") && stored.contains("nonce"), "the scan found no token row");
    assert!(!stored.contains(&token[50..]), "the table contains the secret in plain text");
}

#[tokio::test]
async fn the_error_for_an_invalid_token_request_names_the_field() {
    let (_world, [ann]) = World::with(["ann"]).await;
    for (body, message) in [
        (json!({ "scopes": ["read"] }), "name: is required"),
        (json!({ "name": " ", "scopes": ["read"] }), "name: must have 1 to 50 characters"),
        (json!({ "name": "bot" }), "scopes: is required"),
        (json!({ "name": "bot", "scopes": [] }), "scopes: must have at least one scope"),
    ] {
        assert_eq!(issues(&ann, body).await.refused(400, "VALIDATION_FAILED"), message);
    }
    issues(&ann, json!({ "name": "bot", "scopes": ["write:everything"] })).await.invalid("scopes");
    for end in
        ["2026-01-01T00:00:00Z", "2025-12-31T00:00:00Z", "2027-01-01T00:00:00.001Z", "9999-01-01T00:00:00Z"]
    {
        let answer = issues(&ann, json!({ "name": "bot", "scopes": ["read"], "expiresAt": end })).await;
        let message = "expiresAt: must be in the future and at most 1 year from now";
        assert_eq!(answer.refused(400, "VALIDATION_FAILED"), message, "{end}");
    }
    ann.delete(&format!("/auth/tokens/{UNKNOWN_ID}")).await.refused(404, "NOT_FOUND");
    ann.delete("/auth/tokens/x").await.refused(404, "NOT_FOUND");
}

#[tokio::test]
async fn an_application_token_cannot_exceed_its_users_role() {
    let (world, [ann]) = World::with(["ann"]).await;
    let refused = issues(&ann, json!({ "name": "bot", "scopes": ["admin:reports"] })).await;
    let message = "only administrators and moderators can use the scope admin:reports";
    assert_eq!(refused.refused(403, "FORBIDDEN"), message);
    let boss = administrator(&world, "boss", Role::Admin).await;
    let bot = program(&boss, &["admin:reports"]).await;
    bot.get("/admin/reports").await.ok();
    let users = bot.get("/admin/users").await;
    assert_eq!(users.refused(403, "FORBIDDEN"), "application tokens cannot use this operation");
}
