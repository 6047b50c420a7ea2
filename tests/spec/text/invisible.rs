//! Invisible texts are refused.

use serde_json::{Value, json};
use tests::{Person, World};

use crate::circles::creates_circle;

const BLANK: [&str; 7] =
    ["\u{200B}", "\u{2800}", "\u{3164}", "\u{202E}", "\u{FFA0}\u{115F}", "\u{AD}\u{FE0F}", "\u{E0041}"];

/// Asserts that a field refuses blank texts and NUL, and accepts a visible text.
async fn refuses_blank(user: &Person, path: &str, field: &str, body: impl Fn(&str) -> Value) {
    for text in BLANK.into_iter().chain(["a\0b"]) {
        let refused = user.post(path, body(text)).await;
        let message = refused.refused(400, "VALIDATION_FAILED");
        assert!(message.starts_with(&format!("{field}: must")), "{path} {text:?}: {message}");
    }
    user.post(path, body("ok 🙂")).await.ok();
}

#[tokio::test]
async fn an_invisible_text_is_refused() {
    let world = World::builder().settings(&[("WRITE_LIMIT_PER_5_MIN", "1000")]).start().await;
    let [ann, bob] = world.people(["ann", "bob"]).await;
    let post = ann.writes("hello").await;
    let chat = ann.chats_with("bob").await;
    refuses_blank(&ann, "/posts", "content", |text| json!({ "content": text })).await;
    refuses_blank(&ann, "/posts", "spoiler", |text| json!({ "content": "a", "spoiler": text })).await;
    refuses_blank(&bob, &post.path("/reply"), "content", |text| json!({ "content": text })).await;
    refuses_blank(&bob, &post.path("/quote"), "content", |text| json!({ "content": text })).await;
    refuses_blank(&bob, &post.path("/report"), "reason", |text| json!({ "type": "post", "reason": text }))
        .await;
    refuses_blank(
        &ann,
        "/posts",
        "poll.options[1]",
        |text| json!({ "content": "a", "poll": { "options": ["b", text], "durationMinutes": 60 } }),
    )
    .await;
    refuses_blank(
        &ann,
        &format!("/message-group/{chat}/messages"),
        "content",
        |text| json!({ "content": text }),
    )
    .await;
    refuses_blank(&ann, "/auth/profile", "name", |text| json!({ "name": text })).await;
    refuses_blank(&ann, "/auth/profile", "bio", |text| json!({ "bio": text })).await;
    refuses_blank(&ann, "/circles", "name", |text| json!({ "name": text })).await;
    refuses_blank(&bob, "/circles", "description", |text| json!({ "name": "c", "description": text })).await;
    refuses_blank(&ann, "/me/drafts", "content", |text| json!({ "content": text })).await;
    refuses_blank(&ann, "/me/muted-words", "word", |text| json!({ "word": text })).await;
}

#[tokio::test]
async fn invisible_captions_names_and_circle_posts_are_refused() {
    let world = World::builder().settings(&[("WRITE_LIMIT_PER_5_MIN", "1000")]).start().await;
    let [ann, bob, _] = world.people(["ann", "bob", "cleo"]).await;
    let upload = ann
        .post("/upload", json!({ "filename": "a.png", "contentType": "image/png", "size": 100 }))
        .await
        .ok();
    let media = |text: &str| json!([{ "id": upload.data()["id"], "alt": text }]);
    refuses_blank(&ann, "/posts", "media[0].alt", |text| json!({ "content": "a", "media": media(text) }))
        .await;
    let crowd = |name: &str| json!({ "type": "crowd", "name": name, "members": ["bob", "cleo"] });
    refuses_blank(&ann, "/message-group", "name", crowd).await;
    let circle = creates_circle(&bob, "Bridges").await;
    let text = |text: &str| json!({ "content": text });
    refuses_blank(&bob, &circle.path("/posts"), "content", text).await;
}

#[tokio::test]
async fn poll_options_that_look_alike_are_refused() {
    let world = World::new().await;
    let ann = world.person("ann").await;
    let poll = async |options: [&str; 2]| {
        ann.post("/posts", json!({ "content": "?", "poll": { "options": options, "durationMinutes": 60 } }))
            .await
    };
    for options in [
        ["Trà", "Tra\u{300}"],
        ["Tea", "TEA"],
        ["Tea", "Ｔｅａ"],
        ["a b", "a  b"],
        ["tea", "te\u{200B}a"],
        ["ΟΔΟΣ", "οδος"],
        ["STRASSE", "straße"],
    ] {
        let refused = poll(options).await;
        assert_eq!(
            refused.refused(400, "VALIDATION_FAILED"),
            "poll.options: must not contain options that look the same",
            "{options:?}"
        );
    }
    poll(["Trà", "Tra"]).await.ok();
}
