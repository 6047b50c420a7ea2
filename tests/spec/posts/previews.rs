//! Previews of the first link of a post.

mod fetches;
mod images;

use domain::jobs::OutboundJob;
use platform::outbox::outbox_record_write;
use serde_json::{Value, json};
use tests::{Fault, PageServer, Person, World, check_cost};

use crate::circles::{creates_circle, posts::writes_in};

/// Setting that permits links to private IP addresses, because test servers have such addresses.
const PRIVATE_URLS: (&str, &str) = ("INNER_ADDRESSES", "allowed");
const PAGE: &str = r#"<!doctype html><html><head><title>A bridge &amp; a river</title>
    <meta name="description" content="It opened."></head>"#;

/// Starts a page server, and a world with these users that fetches its pages.
async fn world<const N: usize>(names: [&str; N]) -> (World, PageServer, [Person; N]) {
    let (world, people) = World::builder().settings(&[PRIVATE_URLS]).start_with(names).await;
    (world, PageServer::new().await, people)
}

/// Returns the preview of [`PAGE`].
fn bridge(url: &str) -> Value {
    json!({ "url": url, "title": "A bridge & a river", "description": "It opened.", "image": null })
}

#[tokio::test]
async fn a_post_shows_a_preview_of_its_first_link() {
    let (world, server, [ann, bob]) = world(["ann", "bob"]).await;
    let (url, other) = (server.has("/bridge", PAGE), server.has("/other", "<title>Other</title>"));
    let post = ann.writes(&format!("Look ({url}#top), and {other}!")).await;
    assert_eq!(post.json["preview"], Value::Null, "the preview is not ready");
    let reply = ann.replies(&post, &format!("again: {url}.")).await;
    let quote = bob.quotes(&post, &other).await;
    let secret = json!({ "content": url, "visibility": "PRIVATE" });
    let secret = ann.posts(secret).await;
    let plain = ann.writes("no link, but ftp://example.com").await;
    world.settle().await;
    assert_eq!(bob.sees(&post).await["preview"], bridge(&format!("{url}#top")));
    assert_eq!(bob.sees(&reply).await["preview"], bridge(&url));
    let quote = bob.sees(&quote).await;
    let shown = json!({ "url": other, "title": "Other", "description": null, "image": null });
    assert_eq!(quote["preview"], shown);
    assert_eq!(quote["origin"]["preview"]["title"], "A bridge & a river");
    assert_eq!(ann.sees(&secret).await["preview"], bridge(&url));
    assert_eq!(bob.sees(&plain).await["preview"], Value::Null);
    let listed = bob.get("/posts/news-feed?type=FOR_YOU").await.ok().column("preview");
    assert!(listed.contains(&bridge(&format!("{url}#top"))), "{listed:?}");
}

#[tokio::test]
async fn a_circle_post_shows_a_preview_until_an_edit() {
    let (world, server, [ann]) = world(["ann"]).await;
    let (url, other) = (server.has("/bridge", PAGE), server.has("/other", "<title>Other</title>"));
    let circle = creates_circle(&ann, "Bridges").await;
    let written = writes_in(&ann, &circle, &format!("What do you think of {url} in the evening?")).await.ok();
    assert_eq!(written.data()["preview"], Value::Null, "the preview is not ready");
    let post = format!("/posts/{}", written.data()["publicId"].as_str().unwrap());
    world.settle().await;
    let preview = async || ann.get(&post).await.ok().data()["preview"].clone();
    assert_eq!(preview().await, bridge(&url));
    let listed = ann.get(&circle.path("/posts")).await.ok();
    assert_eq!(listed.rows()[0]["preview"], bridge(&url));
    for (text, title) in [
        (format!("I say again: {url}"), json!("A bridge & a river")),
        (format!("No, {other}"), json!("Other")),
        ("No link".to_owned(), Value::Null),
    ] {
        world.advance(31).await;
        ann.patch(&post, json!({ "content": text })).await.ok();
        world.settle().await;
        assert_eq!(preview().await["title"], title, "{text}");
    }
    assert_eq!((server.asks("/bridge"), server.asks("/other")), (1, 1));
}

#[tokio::test]
async fn a_preview_reads_encodings_and_ignores_end_tags_in_scripts() {
    let (world, server, [ann]) = world(["ann"]).await;
    let long = |start: &str, filler: usize| {
        format!("<head>{start}<style>{}</style><title>Long</title></head>", "a".repeat(filler)).into_bytes()
    };
    for (path, kind, page, title) in [
        ("/jp", "text/html; charset=shift_jis", b"<title>\x93\xfa\x96{</title>".to_vec(), "日本"),
        ("/kr", "text/html", b"<meta charset=euc-kr><title>\xc7\xd1</title>".to_vec(), "한"),
        ("/tw", "application/xhtml+xml", b"<?xml encoding='big5'?><title>\xa4\xa4</title>".to_vec(), "中"),
        ("/long", "text/html", long("", 900_000), "Long"),
        ("/script", "text/html", long("<script>'</head>'</script>", 200_000), "Long"),
        ("/comment", "text/html; charset=utf-8", long("<!-- </head> -->", 200_000), "Long"),
        ("/empty", "application/xhtml+xml", long("<script src='/a.js'/>", 200_000), "Long"),
    ] {
        let post = ann.writes(&server.has_file(path, kind, page)).await;
        world.settle().await;
        assert_eq!(ann.sees(&post).await["preview"]["title"], title, "{path}");
    }
}

#[tokio::test]
async fn a_link_ends_before_punctuation_and_invisible_characters() {
    let (world, server, [ann]) = world(["ann"]).await;
    let url = server.has("/bridge", PAGE);
    for (before, after) in [
        ("「", "」と"),
        ("（", "）"),
        ("見て ", "\u{3000}と"),
        ("", "\u{A0}now"),
        ("看", "。好"),
        ("انظر ", "، ثم"),
        ("【", "】、"),
        ("(see ", "), or"),
        ("“", "”!"),
        ("", "\u{200B}now"),
        ("\u{2066}", "\u{2069}"),
        ("", "\u{200E}"),
        ("", "\u{FEFF} and"),
        ("", "\u{200D}"),
        ("", "_"),
        ("", "፧"),
        ("", "៕"),
    ] {
        let text = format!("{before}{url}{after}");
        let post = ann.writes(&text).await;
        world.settle().await;
        assert_eq!(ann.sees(&post).await["preview"]["url"], json!(url), "{text:?}");
    }
}

#[tokio::test]
async fn a_link_without_a_path_ends_before_signs_and_other_scripts() {
    let (world, server, [ann]) = world(["ann"]).await;
    let page = server.has("/", PAGE);
    let url = page.trim_end_matches('/');
    for after in ["•", "→ see", "’s page", "'s page", "—x", "에서 봤다", "を見て", "ค่ะ", ",too", "✨", "²"]
    {
        let text = format!("look: {url}{after}");
        let post = ann.writes(&text).await;
        world.settle().await;
        assert_eq!(ann.sees(&post).await["preview"]["url"], json!(url), "{text}");
    }
}

#[tokio::test]
async fn editing_the_link_changes_the_preview() {
    let (world, server, [ann]) = world(["ann"]).await;
    let (url, other) = (server.has("/bridge", PAGE), server.has("/other", "<title>Other</title>"));
    let post = ann.writes(&url).await;
    let edited = async |content: &str| {
        let at_once = ann.patch(&post.path(""), json!({ "content": content })).await.ok();
        world.settle().await;
        let later = ann.sees(&post).await["preview"]["title"].clone();
        (at_once.data()["preview"]["title"].clone(), later)
    };
    let title = json!("A bridge & a river");
    world.settle().await;
    assert_eq!(edited(&format!("look: {url}")).await, (title.clone(), title));
    assert_eq!(edited(&other).await, (Value::Null, json!("Other")));
    assert_eq!(edited("none").await, (Value::Null, Value::Null));
    assert_eq!(edited(&other).await, (Value::Null, json!("Other")), "the earlier preview was stored");
    assert_eq!((server.asks("/bridge"), server.asks("/other")), (1, 1));
}

#[tokio::test]
async fn a_post_edited_during_the_fetch_shows_no_old_preview() {
    let (world, server, [ann]) = world(["ann"]).await;
    let url = server.has("/bridge", PAGE);
    let (edited, deleted) = (ann.writes(&url).await, ann.writes(&url).await);
    ann.patch(&edited.path(""), json!({ "content": "no link" })).await.ok();
    ann.deletes(&deleted).await;
    world.settle().await;
    assert_eq!(ann.sees(&edited).await["preview"], Value::Null);
    ann.get(&deleted.path("")).await.refused(404, "NOT_FOUND");
    assert_eq!(server.asks("/bridge"), 0);

    let late = ann.writes(&url).await;
    let edit = async { ann.patch(&late.path(""), json!({ "content": "no link" })).await.ok() };
    // The edit occurs after the worker reads the post and before it stores the preview.
    world.faults.while_held("PutItem", world.settle(), edit).await;
    world.settle().await;
    assert_eq!((&ann.sees(&late).await["preview"], server.asks("/bridge")), (&Value::Null, 1));
}

#[tokio::test]
async fn a_preview_is_shown_despite_a_worker_crash() {
    for (operation, crash) in [
        ("PutItem", Fault::Crash),
        ("PutItem", Fault::CrashAfter),
        ("UpdateItem", Fault::Crash),
        ("UpdateItem", Fault::CrashAfter),
    ] {
        let (world, server, [ann]) = world(["ann"]).await;
        let url = server.has("/bridge", PAGE);
        let post = ann.writes("nothing yet").await;
        world.settle().await;
        ann.patch(&post.path(""), json!({ "content": url })).await.ok();
        world.faults.next(operation, crash);
        world.settle().await;
        assert_eq!(world.faults.calm(), 1, "{operation} {crash:?}");
        assert_eq!(ann.sees(&post).await["preview"], bridge(&url));
    }
}

#[tokio::test]
async fn posts_with_links_stay_within_their_cost_budgets() {
    let (world, server, [ann]) = world(["ann"]).await;
    let url = server.has("/bridge", PAGE);
    let (_, plain) = world.cost_of(ann.writes("hello")).await;
    let (post, linked) = world.cost_of(ann.writes(&url)).await;
    assert_eq!((linked.calls, linked.rru, linked.wru), (plain.calls, plain.rru, plain.wru));
    let (_, reply) = world.cost_of(ann.replies(&post, "hello")).await;
    let (_, linked) = world.cost_of(ann.replies(&post, &url)).await;
    check_cost("reply with a link, more", &(linked - reply));
    let missing = server.address("/later");
    let (first, second) = (ann.writes(&missing).await, ann.writes(&missing).await);
    world.settle().await;
    server.has("/later", PAGE);
    world.advance_and_settle(3601).await;
    let app = world.app();
    let job = async |post: &str| {
        let job = OutboundJob::Preview { post: post.parse().unwrap() };
        app.table.write(outbox_record_write(&app).then(&job)).await.unwrap();
        world.cost_of(world.stack.settle(None)).await.1
    };
    for (budget, post) in [
        ("fetch the page of a link (job)", &first),
        ("add the stored preview of a link to a post (job)", &second),
        ("add the preview of a link again (job)", &post),
    ] {
        check_cost(budget, &job(&post.id).await);
    }
}
