//! The canary uses the API over HTTP, and fails if a request fails.

use std::sync::{Arc, Mutex};

use axum::{
    Router,
    body::Bytes,
    extract::State,
    http::{HeaderMap, Method, StatusCode, Uri, header::HOST},
};
use platform::{App, clock::system_clock, settings::Settings};
use serde_json::json;
use tests::{Client, PASSWORD, Person, World, serve};

/// The requests of the canary. `ID` stands for the ID of the draft.
const REQUESTS: [&str; 5] =
    ["POST /auth/login", "POST /me/drafts", "GET /me/drafts/ID", "DELETE /me/drafts/ID", "POST /auth/logout"];

const DRAFTS: &str = "/me/drafts";
const SESSIONS: &str = "/auth/sessions";

/// A server in front of the API. It records requests, and can refuse one of them.
struct Proxy {
    api: Client,
    refused: Option<&'static str>,
    seen: Mutex<Vec<String>>,
}

#[tokio::test]
async fn the_canary_signs_in_writes_reads_and_deletes() {
    let (world, [ann]) = World::with(["ann"]).await;
    let (proxy, url) = Proxy::starts(&world, None).await;
    let before = count(&ann, SESSIONS).await;
    canary::work(&canary_app(&world, &url, &credentials(PASSWORD))).await.unwrap();
    assert_eq!(*proxy.seen.lock().unwrap(), REQUESTS);
    assert_eq!((count(&ann, DRAFTS).await, count(&ann, SESSIONS).await), (0, before));
}

#[tokio::test]
async fn the_canary_names_the_request_that_failed() {
    for refused in REQUESTS {
        let (world, [ann]) = World::with(["ann"]).await;
        let (proxy, url) = Proxy::starts(&world, Some(refused)).await;
        let failed = canary::work(&canary_app(&world, &url, &credentials(PASSWORD))).await.unwrap_err();
        let platform::Error::Internal(cause) = failed else { panic!("{failed:?}") };
        let text = format!("{cause:#}");
        assert!(text.starts_with(refused.trim_end_matches("ID")) && text.contains("503"), "{text}");
        if refused != REQUESTS[0] {
            let seen = proxy.seen.lock().unwrap().clone();
            assert_eq!(seen.last().unwrap(), REQUESTS[4], "the canary stays signed in");
        }
        assert_eq!(count(&ann, DRAFTS).await, usize::from(refused == REQUESTS[3]), "{refused}");
    }
}

#[tokio::test]
async fn the_errors_of_the_canary_omit_its_password() {
    let (world, [_ann]) = World::with(["ann"]).await;
    let (_proxy, url) = Proxy::starts(&world, None).await;
    for secret in
        [credentials("wrong horse battery"), "wrong horse battery".to_owned(), json!({}).to_string()]
    {
        let failed = canary::work(&canary_app(&world, &url, &secret)).await.unwrap_err();
        assert!(!format!("{failed:?}").contains("wrong horse"), "{failed:?}");
    }
}

/// Returns the app of a canary with this secret, which sends its requests to `url`.
fn canary_app(world: &World, url: &str, secret: &str) -> App {
    let settings = Settings::read(|name| match name {
        "API_URL" => Some(url.to_owned()),
        "CANARY_SECRET" => Some(secret.to_owned()),
        _ => None,
    });
    App::new(world.clients(), settings.unwrap(), system_clock())
}

fn credentials(password: &str) -> String {
    json!({ "identifier": "ann", "password": password }).to_string()
}

/// Returns the number of rows in a list.
async fn count(person: &Person, list: &str) -> usize {
    person.get(list).await.ok().rows().len()
}

impl Proxy {
    async fn starts(world: &World, refused: Option<&'static str>) -> (Arc<Self>, String) {
        let proxy = Arc::new(Self { api: world.anyone.clone(), refused, seen: Mutex::default() });
        let routes = Router::new().fallback(forward).with_state(Arc::clone(&proxy));
        (proxy, serve(routes).await)
    }

    /// Records a request, and returns whether it is refused.
    fn refuses(&self, method: &Method, path: &str) -> bool {
        let path = if path.starts_with("/me/drafts/") { "/me/drafts/ID" } else { path };
        let request = format!("{method} {path}");
        let is_refused = self.refused == Some(&*request);
        self.seen.lock().unwrap().push(request);
        is_refused
    }
}

async fn forward(
    State(proxy): State<Arc<Proxy>>,
    method: Method,
    uri: Uri,
    mut headers: HeaderMap,
    body: Bytes,
) -> (StatusCode, Bytes) {
    if proxy.refuses(&method, uri.path()) {
        return (StatusCode::SERVICE_UNAVAILABLE, Bytes::new());
    }
    headers.remove(HOST);
    let response = proxy.api.request(method, uri.path()).headers(headers).body(body).send().await.unwrap();
    (response.status(), response.bytes().await.unwrap())
}
