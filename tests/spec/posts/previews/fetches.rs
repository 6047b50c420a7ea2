//! How often pages are fetched for previews, and which addresses are never fetched.

use futures::future::join_all;
use serde_json::Value;
use tests::{PageServer, Person, World};

use super::{PAGE, PRIVATE_URLS, bridge, world};
use crate::circles::{creates_circle, posts::writes_in};

#[tokio::test]
async fn a_link_in_several_posts_is_fetched_anonymously_once_a_week() {
    let (world, server, [ann, bob]) = world(["ann", "bob"]).await;
    let url = server.has("/bridge", PAGE);
    let together = [ann.writes(&url).await, bob.writes(&format!("{url}#part")).await];
    world.settle().await;
    let later = bob.writes(&url).await;
    world.settle().await;
    for post in together.iter().chain([&later]) {
        assert_eq!(ann.sees(post).await["preview"]["title"], "A bridge & a river");
    }
    assert_eq!(server.asks("/bridge"), 1, "fetched once, despite duplicate messages");
    let headers = server.last_headers("/bridge");
    assert!(headers["user-agent"].to_str().unwrap().contains("link previews"));
    for name in ["cookie", "referer", "authorization"] {
        assert!(!headers.contains_key(name), "{name}");
    }
    world.advance(8 * 24 * 3600).await;
    ann.signs_in().await.writes(&url).await;
    world.settle().await;
    assert_eq!(server.asks("/bridge"), 2);
}

#[tokio::test]
async fn a_link_in_concurrent_posts_is_fetched_once() {
    let (world, server, [ann]) = world(["ann"]).await;
    let url = server.has("/bridge", PAGE);
    let texts: Vec<_> = (0..10).map(|number| format!("{number}: {url}")).collect();
    let posts = join_all(texts.iter().map(|text| ann.writes(text))).await;
    world.settle().await;
    assert_eq!(server.asks("/bridge"), 1);
    for post in &posts {
        assert_eq!(ann.sees(post).await["preview"], bridge(&url));
    }
}

#[tokio::test]
async fn an_author_gets_a_limited_number_of_previews_an_hour() {
    let settings = [PRIVATE_URLS, ("PREVIEW_LIMIT_PER_HOUR", "2")];
    let world = World::builder().settings(&settings).start().await;
    let server = PageServer::new().await;
    let [ann, bob] = world.people(["ann", "bob"]).await;
    let title = async |user: &Person, path: &str| {
        let post = user.writes(&server.has(path, "<title>Page</title>")).await;
        world.settle().await;
        user.sees(&post).await["preview"]["title"].clone()
    };
    assert_eq!(title(&ann, "/1").await, "Page");
    assert_eq!(title(&ann, "/1").await, "Page", "a stored page does not count toward the limit");
    assert_eq!(title(&ann, "/2").await, "Page");
    assert_eq!(title(&ann, "/3").await, Value::Null);
    assert_eq!(title(&bob, "/3").await, "Page", "the limit of one author does not affect other authors");
    world.advance(3600).await;
    let ann = ann.signs_in().await;
    assert_eq!(title(&ann, "/4").await, "Page");
}

#[tokio::test]
async fn previews_send_a_host_at_most_60_requests_a_minute() {
    let (world, server, people) = world(["ann", "bob", "cleo"]).await;
    for number in 0..63 {
        let url = server.has(&format!("/{number}"), "<title>Page</title>");
        people[number % 3].writes(&url).await;
    }
    world.settle().await;
    let asked = (0..63).map(|number| server.asks(&format!("/{number}"))).sum::<usize>();
    assert_eq!(asked, 60);
}

#[tokio::test]
async fn a_private_ip_address_is_never_fetched() {
    let (world, server) = (World::new().await, PageServer::new().await);
    let ann = world.person("ann").await;
    let inner = server.has("/bridge", PAGE);
    let secure = inner.replace("http://", "https://");
    for link in [inner.as_str(), &secure, "https://127.0.0.1/", "http://169.254.169.254/latest/meta-data"] {
        let post = ann.writes(&format!("see {link}")).await;
        world.settle().await;
        assert_eq!(ann.sees(&post).await["preview"], Value::Null, "{link}");
    }
    assert_eq!(server.asks("/bridge"), 0);
}

#[tokio::test]
async fn a_redirect_is_followed_only_to_public_urls() {
    let (world, server, [ann]) = world(["ann"]).await;
    let url = server.has("/bridge", PAGE);
    let good = ann.writes(&server.redirects("/short", "/bridge")).await;
    let inside = url.replace("http://", "http://ann:secret@");
    let bad = ann.writes(&server.redirects("/bad", &inside)).await;
    let circle = ann.writes(&server.redirects("/circle", "/circle")).await;
    world.settle().await;
    assert_eq!(ann.sees(&good).await["preview"], bridge(&server.address("/short")));
    assert_eq!(ann.sees(&bad).await["preview"], Value::Null);
    assert_eq!(ann.sees(&circle).await["preview"], Value::Null);
    assert_eq!((server.asks("/bridge"), server.asks("/circle")), (1, 4));
}

#[tokio::test]
async fn a_page_without_a_preview_is_fetched_once_an_hour() {
    let (world, server, [ann]) = world(["ann"]).await;
    let late = format!("<html>{}<title>too late</title>", " ".repeat(1024 * 1024));
    let links = [
        server.has_file("/text", "text/plain", PAGE),
        server.has_file("/picture", "image/png", PAGE),
        server.has("/untitled", "<p>hello"),
        server.has("/late", &late),
        server.address("/missing"),
    ];
    for link in links.iter().chain(&links) {
        let post = ann.writes(link).await;
        world.settle().await;
        assert_eq!(ann.sees(&post).await["preview"], Value::Null, "{link}");
    }
    let paths = ["/text", "/picture", "/untitled", "/late", "/missing"];
    assert_eq!(paths.map(|path| server.asks(path)), [1; 5]);
    world.advance(3601).await;
    server.has("/untitled", "<title>now</title>");
    let post = ann.signs_in().await.writes(&server.address("/untitled")).await;
    world.settle().await;
    assert_eq!(ann.signs_in().await.sees(&post).await["preview"]["title"], "now");
}

#[tokio::test]
async fn a_failing_server_gets_at_most_three_requests() {
    let (world, server, [ann]) = world(["ann"]).await;
    server.fails(&[503, 429]);
    let soon = ann.writes(&server.has("/soon", PAGE)).await;
    world.settle().await;
    assert_eq!(ann.sees(&soon).await["preview"]["title"], "A bridge & a river");
    assert_eq!(server.asks("/soon"), 3);
    server.fails(&[500; 100]);
    let never = ann.writes(&server.has("/never", PAGE)).await;
    let nowhere = ann.writes("http://127.0.0.1:1/nothing-listens").await;
    world.settle().await;
    assert_eq!(ann.sees(&never).await["preview"], Value::Null);
    assert_eq!(ann.sees(&nowhere).await["preview"], Value::Null);
    assert_eq!(server.asks("/never"), 3);
}

/// A URL at which no server listens.
fn silent(number: usize) -> String {
    format!("http://127.0.0.1:1/{number}")
}

#[tokio::test]
async fn an_unresponsive_host_gets_no_requests_for_5_minutes() {
    let (world, server, [ann]) = world(["ann"]).await;
    for number in 0..2 {
        ann.writes(&silent(number)).await;
    }
    world.settle().await;
    let url = server.has("/skipped", PAGE);
    let skipped = ann.writes(&url).await;
    world.settle().await;
    assert_eq!((&ann.sees(&skipped).await["preview"], server.asks("/skipped")), (&Value::Null, 0));
    world.advance(300).await;
    let later = ann.writes(&server.has("/later", PAGE)).await;
    world.settle().await;
    assert_eq!(ann.sees(&later).await["preview"]["title"], "A bridge & a river");
    assert_eq!(ann.sees(&skipped).await["preview"], bridge(&url), "the skipped preview is fetched later");
}

#[tokio::test]
async fn a_preview_waits_until_the_limits_allow_its_fetch() {
    let world = World::builder().settings(&[PRIVATE_URLS, ("PREVIEW_LIMIT_PER_HOUR", "1")]).start().await;
    let server = PageServer::new().await;
    let ann = world.person("ann").await;
    let circle = creates_circle(&ann, "Bridges").await;
    ann.writes(&server.has("/first", PAGE)).await;
    world.settle().await;
    let url = server.has("/second", PAGE);
    let post = ann.writes(&url).await;
    let in_circle = writes_in(&ann, &circle, &format!("What do you think of {url} today?")).await.ok();
    let in_circle = format!("/posts/{}", in_circle.data()["publicId"].as_str().unwrap());
    world.settle().await;
    assert_eq!((&ann.sees(&post).await["preview"], server.asks("/second")), (&Value::Null, 0));
    world.advance_and_settle(3600).await;
    let ann = ann.signs_in().await;
    assert_eq!(ann.sees(&post).await["preview"], bridge(&url));
    assert_eq!(ann.get(&in_circle).await.ok().data()["preview"], bridge(&url));
}

#[tokio::test]
async fn an_answer_resets_the_count_of_unanswered_requests() {
    let (world, server, [ann]) = world(["ann"]).await;
    for number in 0..3 {
        let path = format!("/{number}");
        ann.writes(&silent(number)).await;
        world.settle().await;
        ann.writes(&server.has(&path, PAGE)).await;
        world.settle().await;
        assert_eq!(server.asks(&path), 1, "each silent page causes only 3 requests without an answer");
    }
}
