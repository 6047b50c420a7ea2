//! Properties that every response has.

use reqwest::Method;
use serde_json::{Value, json};
use tests::{Answer, PASSWORD, World, send};

const LOGIN: &str = "/auth/login";

#[tokio::test]
async fn a_route_works_with_and_without_the_prefix_api_v1() {
    let (_world, [ann]) = World::with(["ann"]).await;
    let post = ann.writes("hello").await;
    for path in ["/openapi.json".to_owned(), post.path(""), "/posts/news-feed".to_owned()] {
        let plain = ann.get(&path).await;
        let prefixed = ann.get(&format!("/api/v1{path}")).await;
        assert_eq!(plain.status, 200, "{plain}");
        assert_eq!(plain.body, prefixed.body);
    }
    ann.post("/api/v1/posts", json!({ "content": "hello again" })).await.ok();
}

#[tokio::test]
async fn errors_of_the_api_gateway_contain_only_a_message() {
    let world = World::builder().settings(&[("GATEWAY_RATE", "1"), ("GATEWAY_BURST", "2")]).start().await;
    let large = world.anyone.request(Method::POST, "/posts").body("x".repeat(10 * 1024 * 1024 + 1));
    let answers =
        [send(large).await, world.anyone.get("/posts/news-feed").await, world.anyone.get("/").await];
    let [too_large, _, too_fast] = &answers;
    for (answer, status, message) in
        [(too_large, 413, "Request Entity Too Large"), (too_fast, 429, "Too Many Requests")]
    {
        assert_eq!((answer.status, &answer.body), (status, &json!({ "message": message })));
        for header in ["x-error-code", "x-request-id", "retry-after"] {
            assert_eq!(answer.header(header), None, "{header}");
        }
    }
}

#[tokio::test]
async fn unknown_paths_and_unsupported_methods_are_refused() {
    let world = World::new().await;
    for path in
        ["/nothing", "/api/v1/nothing", "/auth/nothing", "/posts/1/2/3", "/api/v2/posts", "/docs/nothing"]
    {
        let answer = world.anyone.get(path).await;
        let message = answer.refused(404, "NOT_FOUND");
        assert!(["no such route", "no such file"].contains(&message), "{answer}");
    }
    for (method, path) in [
        (Method::DELETE, "/openapi.json"),
        (Method::GET, "/auth/login"),
        (Method::PATCH, "/api/v1/auth/register"),
        (Method::PUT, "/posts"),
    ] {
        let answer = send(world.anyone.request(method, path)).await;
        assert_eq!(answer.refused(405, "METHOD_NOT_ALLOWED"), "this path does not support this method");
    }
}

#[tokio::test]
async fn the_error_for_an_unreadable_body_names_the_problem() {
    let world = World::new().await;
    let request = || world.anyone.request(Method::POST, LOGIN);
    let login = async |kind: &str, body: &str| {
        send(request().header("content-type", kind).body(body.to_owned())).await
    };
    for text in [r"\ud83d", r"\udc00 x", r"\ud83d\u0041", r"\u12"] {
        let body = format!(r#"{{"identifier":"{text}"}}"#);
        let escape = "the body must be valid JSON, but has an invalid or incomplete escape, such as half of a surrogate pair";
        assert_eq!(message(login("application/json", &body).await), escape, "{text}");
    }
    for answer in [login("text/plain", "{}").await, send(request().body("{}")).await] {
        assert_eq!(message(answer), "content-type: must be application/json");
    }
    let ok = json!({ "identifier": "ann", "password": PASSWORD }).to_string();
    login("Application/JSON; charset=utf-8", &ok).await.refused(401, "UNAUTHORIZED");
}

#[tokio::test]
async fn a_field_of_the_wrong_type_is_refused() {
    let (_world, [ann]) = World::with(["ann"]).await;
    let posts = async |body: Value| message(ann.post("/posts", body).await);
    assert!(posts(json!({ "content": 7 })).await.starts_with("content: "));
    assert!(posts(json!({ "content": "x", "mentions": "ann" })).await.starts_with("mentions: "));
    assert!(posts(json!({ "content": "x", "visibility": "NOBODY" })).await.starts_with("visibility: "));
    assert_eq!(posts(json!({})).await, "content: is required");
}

#[tokio::test]
async fn a_body_above_64_kib_is_too_large() {
    let (_world, [ann]) = World::with(["ann"]).await;
    let content = "x".repeat(200 * 1024);
    let answer = ann.post("/posts", json!({ "content": content })).await;
    assert_eq!(answer.refused(413, "PAYLOAD_TOO_LARGE"), "the body must have at most 65536 bytes");
}

#[tokio::test]
async fn every_response_has_its_own_request_id() {
    let world = World::new().await;
    let paths = ["/", "/docs", "/openapi.json", "/asyncapi.json", "/nothing", "/posts/news-feed", "/auth/me"];
    let answers = futures::future::join_all(paths.map(|path| world.anyone.get(path))).await;
    let mut ids: Vec<_> = answers.iter().filter_map(|answer| answer.header("x-request-id")).collect();
    assert!(ids.iter().all(|id| !id.is_empty()), "{ids:?}");
    ids.sort_unstable();
    ids.dedup();
    assert_eq!(ids.len(), paths.len());
}

#[tokio::test]
async fn a_token_forged_from_parts_of_other_tokens_is_refused() {
    let (world, [ann, bob]) = World::with(["ann", "bob"]).await;
    let mine: Vec<_> = ann.token().unwrap().split('.').collect();
    let theirs: Vec<_> = bob.token().unwrap().split('.').collect();
    let unsigned = "eyJhbGciOiJub25lIiwidHlwIjoiSldUIn0";
    for token in [
        "nonsense".to_owned(),
        [mine[0], theirs[1], mine[2]].join("."),
        [mine[0], mine[1], theirs[2]].join("."),
        [unsigned, mine[1], ""].join("."),
        ann.refresh_token.clone(),
    ] {
        let thief = world.anyone.with_token(&token);
        thief.get("/auth/me").await.refused(401, "UNAUTHORIZED");
        thief.post("/posts", json!({ "content": "stolen" })).await.refused(401, "UNAUTHORIZED");
    }
    world.anyone.get("/auth/me").await.refused(401, "UNAUTHORIZED");
    ann.get("/auth/me").await.ok();
}

fn message(answer: Answer) -> String {
    answer.refused(400, "VALIDATION_FAILED").to_owned()
}
