//! Contents of the console's pages, and the secrets that the pages hide.

use reqwest::Method;
use serde_json::json;
use tests::{PASSWORD, World, send};

use super::opens;
use crate::workers::put;

const EVIL: &str = "<script>alert(1)</script>";
const ESCAPED: &str = "&lt;script&gt;alert(1)&lt;/script&gt;";

/// Returns the links in the navigation of a page.
fn linked(page: &str) -> Vec<String> {
    let navigation = page.split("<nav").nth(1).and_then(|rest| rest.split("</nav>").next()).unwrap();
    let links = navigation.split("href=\"").skip(1).filter_map(|link| link.split('"').next());
    links.filter(|link| link.starts_with("/_local/")).map(str::to_owned).collect()
}

#[tokio::test]
async fn each_console_page_works_without_data() {
    let world = World::new().await;
    let overview = world.anyone.get("/_local/").await;
    let pages = linked(&overview.text);
    assert_eq!(pages.len(), 13, "the home link and twelve pages");
    for page in pages {
        let answer = world.anyone.get(&page).await;
        assert_eq!(answer.status, 200, "{answer}");
        assert!(answer.header("content-type").unwrap().starts_with("text/html"), "{page}");
        assert!(answer.text.contains("<h1>") && answer.text.contains("</html>"), "{page}");
        let policy = answer.header("content-security-policy").unwrap();
        assert!(policy.contains("default-src 'none'") && !policy.contains("unsafe"), "{page}: {policy}");
        assert_eq!(answer.header("cache-control"), Some("no-store"), "{page}");
        let elsewhere = answer.text.matches("src=\"").count() - answer.text.matches("src=\"/_local/").count();
        assert_eq!(elsewhere, 0, "{page} loads files of other origins");
    }
    for file in ["console.css", "console.js", "htmx.min.js"] {
        opens(&world.anyone, &format!("/assets/{file}")).await;
    }
    assert_eq!(world.anyone.get("/_local/console/assets/secret").await.status, 404);
    assert_eq!(world.anyone.get("/_local/console/nothing").await.status, 404);
    assert_eq!(world.anyone.get("/_local").await.header("location"), Some("/_local/"));
}

#[tokio::test]
async fn console_pages_escape_user_input() {
    let world = World::new().await;
    let body = json!({ "name": EVIL, "username": "mallory", "email": "m@example.com", "password": PASSWORD });
    let token = world.anyone.post("/auth/register", body).await.ok().data()["accessToken"].clone();
    let mallory = world.anyone.with_token(token.as_str().unwrap());
    let post = mallory.post("/posts", json!({ "content": EVIL })).await.ok();
    put(&world, "mail", EVIL).await;
    world.anyone.get(&format!("/posts/{EVIL}")).await;

    let key = format!("/table?key=POST%23{}", post.data()["publicId"].as_str().unwrap());
    let asked = format!("/table?key={}", EVIL.replace('<', "%3C"));
    for page in ["/people", "/queues/mail", &key, &asked] {
        let shown = opens(&world.anyone, page).await.text;
        assert!(shown.contains(ESCAPED) && !shown.contains(EVIL), "{page}: {shown}");
    }
    assert!(!opens(&world.anyone, "/requests").await.text.contains(EVIL));
}

#[tokio::test]
async fn the_console_lists_requests_with_costs_but_without_secrets() {
    let (world, [ann]) = World::with(["ann"]).await;
    ann.signs_in().await;
    ann.refreshes().await;
    let (_, cost) = world.cost_of(ann.get("/posts/news-feed?take=5&token=a-secret-of-the-query")).await;
    world.settle().await;

    let page = opens(&world.anyone, "/requests?q=news-feed").await.text;
    assert!(page.contains("<strong>GET</strong> /posts/news-feed"), "{page}");
    assert!(page.contains(&format!("data-label=\"calls\">{}<", cost.calls)), "{cost:?}: {page}");
    let token = ann.token().unwrap();
    for page in ["/requests", "/logs", "/functions", "/functions/auth-api", "/functions/mail", "/events"] {
        let shown = opens(&world.anyone, page).await.text;
        for secret in [PASSWORD, token, &ann.refresh_token, "a-secret-of-the-query"] {
            assert!(!shown.contains(secret), "{page} shows {secret}");
        }
    }
}

#[tokio::test]
async fn the_console_lists_only_the_last_500_requests() {
    let world = World::new().await;
    world.anyone.get("/the-first-of-all").await;
    assert!(opens(&world.anyone, "/requests?q=first-of-all").await.text.contains("/the-first-of-all<"));
    for _ in 0..500 {
        world.anyone.get("/another").await;
    }
    let page = opens(&world.anyone, "/requests?q=first-of-all").await.text;
    assert!(page.contains("No matching requests among the last 500."), "{page}");
    assert_eq!(opens(&world.anyone, "/requests").await.text.matches("/another<").count(), 200);
}

#[tokio::test]
async fn an_open_console_page_reloads_only_after_a_change() {
    let world = World::new().await;
    let page = opens(&world.anyone, "/requests").await.text;
    let next = page.split("hx-get=\"").nth(1).unwrap().split('"').next().unwrap().replace("&amp;", "&");
    let asked = async || send(world.anyone.request(Method::GET, &next).header("hx-request", "true")).await;
    assert_eq!(asked().await.status, 204, "there was no request since the page was loaded");
    world.anyone.get("/something").await;
    let changed = asked().await;
    assert_eq!(changed.status, 200);
    assert!(changed.text.starts_with("<div id=\"live\"") && changed.text.contains("/something"), "{changed}");
    assert!(!opens(&world.anyone, "/requests?live=off").await.text.contains("hx-get"));
}

#[tokio::test]
async fn the_console_shows_the_last_invocations_of_a_function() {
    let world = World::new().await;
    world.registers("ann").await;
    world.settle().await;
    let mail = opens(&world.anyone, "/functions/mail").await.text;
    assert!(mail.contains("of mail") && mail.contains(">done<"), "{mail}");
    let relay = opens(&world.anyone, "/functions/relay").await.text;
    assert!(relay.contains("of the stream"), "{relay}");
    assert!(opens(&world.anyone, "/functions/auth-api").await.text.contains("POST /auth/register"));
    assert_eq!(world.anyone.get("/_local/console/functions/unknown").await.status, 404);
}

#[tokio::test]
async fn the_console_names_the_kind_of_each_table_row() {
    let (world, [ann]) = World::with(["ann"]).await;
    let found = opens(&world.anyone, "/table").await.text;
    assert!(found.contains(&format!("key=USER%23{}", ann.id)), "{found}");
    let rows = opens(&world.anyone, &format!("/table?key=USER%23{}", ann.id)).await.text;
    assert!(rows.contains("<strong>user</strong>") && rows.contains("<strong>session</strong>"), "{rows}");
    let listed = opens(&world.anyone, "/table?key=AUTHOR%23unknown&index=gsi1").await.text;
    assert!(listed.contains("There is no row with this key."), "{listed}");
    let bad = world.anyone.get("/_local/console/table?key=a&after=nonsense").await;
    assert_eq!(bad.status, 400);
}
