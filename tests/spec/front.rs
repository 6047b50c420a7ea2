//! The API behind a proxy. Only the proxy may call the API, and it forwards each client's IP address.

use reqwest::{Method, RequestBuilder};
use serde_json::json;
use tests::{Answer, PASSWORD, Person, World, send};

use crate::auth::{form, login, rotation::rotate};

const SECRET: &str = "the secret of the front, which has 32 bytes";
const NEWER: &str = "a newer secret of the front, which has 32 bytes";
const NEWEST: &str = "the newest secret of the front, which has 32 bytes";
const FEED: &str = "/posts/news-feed";
const VIEWER: &str = "203.0.113.7";
const TWO_REQUESTS: (&str, &str) = ("AUTH_LIMIT_PER_5_MIN", "2");

#[tokio::test]
async fn requests_that_bypass_the_proxy_are_refused() {
    let world = behind_a_front(&[]).await;
    let running = world.stack.running().functions.iter();
    let routes = running.flat_map(|(_, called_by)| called_by).filter(|route| route.starts_with('/'));
    let mut asked = 0;
    for route in routes.map(|route| route.replace("{proxy+}", "nothing")).chain(["/nowhere".to_owned()]) {
        let answer = world.anyone.get(&route).await;
        let message = answer.refused(403, "FORBIDDEN");
        assert_eq!(message, "the API is available only at its own domain", "{answer}");
        assert!(answer.header("x-request-id").is_some(), "{answer}");
        asked += 1;
    }
    assert!(asked > 30, "only {asked} routes");
}

#[tokio::test]
async fn only_the_exact_proxy_secret_gives_access_to_the_api() {
    let world = behind_a_front(&[]).await;
    for wrong in ["", " ", "wrong", &SECRET[1..], &format!("{SECRET}x"), &SECRET.to_uppercase()] {
        with_secret(&world, FEED, wrong).await.refused(403, "FORBIDDEN");
    }
    with_secret(&world, FEED, SECRET).await.ok();
    assert_eq!(with_secret(&world, "/docs", SECRET).await.status, 200);
    with_secret(&world, "/nowhere", SECRET).await.refused(404, "NOT_FOUND");
}

#[tokio::test]
async fn the_previous_proxy_secret_works_after_a_rotation() {
    let world = behind_a_front(&[]).await;
    with_secret(&world, FEED, SECRET).await.ok();
    rotate(&world, "origin-key", NEWER).await;
    with_secret(&world, FEED, NEWER).await.ok();
    with_secret(&world, FEED, SECRET).await.ok();
    rotate(&world, "origin-key", NEWEST).await;
    world.advance(400).await;
    with_secret(&world, FEED, NEWEST).await.ok();
    with_secret(&world, FEED, NEWER).await.ok();
    with_secret(&world, FEED, SECRET).await.refused(403, "FORBIDDEN");
}

#[tokio::test]
async fn rate_limits_count_each_client_address_behind_a_proxy() {
    let world = behind_a_front(&[TWO_REQUESTS]).await;
    // Invalid addresses count as one address.
    let invalid = ["", "unknown", "203.0.113.8,203.0.113.9"];
    for viewers in [[VIEWER; 3], ["2001:db8::7", "2001:db8::7", "2001:DB8:0::7"], invalid] {
        check_shared_limit(&world, viewers).await;
    }
}

#[tokio::test]
async fn without_a_proxy_clients_cannot_choose_their_ip_address() {
    let world = World::builder().settings(&[TWO_REQUESTS]).start().await;
    check_shared_limit(&world, [VIEWER, "203.0.113.8", "203.0.113.9"]).await;
}

/// Sends a request from each IP address. Panics unless the third exceeds the limit of [`TWO_REQUESTS`].
async fn check_shared_limit(world: &World, [one, other, third]: [&str; 3]) {
    for viewer in [one, other] {
        checks_username(world, viewer).await.ok();
    }
    checks_username(world, third).await.refused(429, "TOO_MANY_REQUESTS");
}

#[tokio::test]
async fn uploads_go_to_the_bucket_and_are_read_via_the_proxy() {
    let world = behind_a_front(&[]).await;
    let ann = signed_up(&world).await;
    let file = json!({ "filename": "a.png", "contentType": "image/png", "size": 5 });
    let ticket = at(VIEWER, ann.request(Method::POST, "/upload").json(&file)).await.ok();
    let key = ticket.data()["key"].as_str().unwrap();
    assert_eq!(ticket.data()["url"], format!("https://api.example.com/{key}"));
    assert!(ticket.data()["uploadUrl"].as_str().unwrap().contains("upload-bucket"), "{ticket}");
}

#[tokio::test]
async fn links_have_the_generated_address_of_a_proxy_without_a_domain() {
    let world = behind(&[("FRONT_ENABLED", "on"), ("FRONT_ONLY", "on")]).await;
    let ann = signed_up(&world).await;
    world.confirms(&ann).await;
    let export = ann.request(Method::POST, "/auth/export").json(&json!({ "password": PASSWORD }));
    at(VIEWER, export).await.ok();
    world.settle().await;
    let request = ann.request(Method::GET, "/auth/export").header("x-viewer-host", "d111.cloudfront.net");
    let found = at(VIEWER, request).await.ok();
    let url = found.data()["url"].as_str().unwrap();
    assert!(url.starts_with("https://d111.cloudfront.net/auth/export/"), "{url}");
}

#[tokio::test]
async fn without_a_proxy_clients_cannot_choose_the_host_of_links() {
    let (world, [ann]) = World::with(["ann"]).await;
    ann.post("/auth/export", json!({ "password": PASSWORD })).await.ok();
    world.settle().await;
    let request = ann.request(Method::GET, "/auth/export").header("x-viewer-host", "evil.example");
    let found = send(request).await.ok();
    let url = found.data()["url"].as_str().unwrap();
    assert!(url.starts_with(world.stack.url()), "{url}");
}

/// Starts a world that accepts only requests with the secret of the proxy.
pub(crate) async fn behind_a_front(settings: &[(&str, &str)]) -> World {
    behind(&[&[("FRONT_DOMAIN", "api.example.com"), ("FRONT_ONLY", "on")], settings].concat()).await
}

async fn behind(settings: &[(&str, &str)]) -> World {
    let world = World::builder().settings(settings).start().await;
    rotate(&world, "origin-key", SECRET).await;
    world
}

/// Registers the user `ann` from the IP address [`VIEWER`].
async fn signed_up(world: &World) -> Person {
    let session = registers(world, VIEWER, "ann").await.ok();
    Person::of_tokens(&world.anyone, "ann", session.data())
}

async fn with_secret(world: &World, path: &str, secret: &str) -> Answer {
    send(world.anyone.request(Method::GET, path).header("x-origin-secret", secret)).await
}

async fn checks_username(world: &World, viewer: &str) -> Answer {
    let request = world.anyone.request(Method::POST, "/auth/validate/username");
    at(viewer, request.json(&json!({ "username": "ann" }))).await
}

/// Signs in from the IP address `viewer`.
pub(crate) async fn signs_in(world: &World, viewer: &str, identifier: &str, password: &str) -> Answer {
    let request = world.anyone.request(Method::POST, "/auth/login");
    at(viewer, request.json(&login(identifier, password))).await
}

/// Sends a request from the IP address `viewer`.
pub(crate) async fn at(viewer: &str, request: RequestBuilder) -> Answer {
    send(request.header("x-origin-secret", SECRET).header("x-viewer-address", viewer)).await
}

/// Registers from the IP address `viewer`.
pub(crate) async fn registers(world: &World, viewer: &str, name: &str) -> Answer {
    at(viewer, world.anyone.request(Method::POST, "/auth/register").json(&form(name))).await
}
