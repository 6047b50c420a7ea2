//! Invisible texts are refused.

use serde_json::{Value, json};
use tests::{Person, World};

use crate::{circles::creates_circle, setup::MANY_WRITES, uploads};

const BLANK: [&str; 7] =
    ["\u{200B}", "\u{2800}", "\u{3164}", "\u{202E}", "\u{FFA0}\u{115F}", "\u{AD}\u{FE0F}", "\u{E0041}"];

/// Checks that the field `field` of `body` refuses blank texts and NUL, and accepts a visible text.
async fn refuses_blank(user: &Person, path: &str, field: &str, mut body: Value) {
    let pointer = format!("/{}", field.replace(['.', '['], "/").replace(']', ""));
    let mut with = |text: &str| {
        *body.pointer_mut(&pointer).unwrap() = json!(text);
        body.clone()
    };
    for text in BLANK.into_iter().chain(["a\0b"]) {
        let refused = user.post(path, with(text)).await;
        let message = refused.refused(400, "VALIDATION_FAILED");
        assert!(message.starts_with(&format!("{field}: must")), "{path} {text:?}: {message}");
    }
    user.post(path, with("ok 🙂")).await.ok();
}

#[tokio::test]
async fn an_invisible_text_is_refused() {
    let (_world, [ann, bob]) = World::builder().settings(MANY_WRITES).start_with(["ann", "bob"]).await;
    let post = ann.writes("hello").await;
    let chat = ann.chats_with("bob").await;
    let messages = format!("/message-group/{chat}/messages");
    let poll = json!({ "options": ["b", ""], "durationMinutes": 60 });
    for (user, path, field, body) in [
        (&ann, "/posts", "content", json!({ "content": "" })),
        (&ann, "/posts", "spoiler", json!({ "content": "a", "spoiler": "" })),
        (&bob, &post.path("/reply"), "content", json!({ "content": "" })),
        (&bob, &post.path("/quote"), "content", json!({ "content": "" })),
        (&bob, &post.path("/report"), "reason", json!({ "type": "post", "reason": "" })),
        (&ann, "/posts", "poll.options[1]", json!({ "content": "a", "poll": poll })),
        (&ann, &messages, "content", json!({ "content": "" })),
        (&ann, "/auth/profile", "name", json!({ "name": "" })),
        (&ann, "/auth/profile", "bio", json!({ "bio": "" })),
        (&ann, "/circles", "name", json!({ "name": "" })),
        (&bob, "/circles", "description", json!({ "name": "c", "description": "" })),
        (&ann, "/me/drafts", "content", json!({ "content": "" })),
        (&ann, "/me/muted-words", "word", json!({ "word": "" })),
    ] {
        refuses_blank(user, path, field, body).await;
    }
}

#[tokio::test]
async fn invisible_captions_names_and_circle_posts_are_refused() {
    let (_world, [ann, bob, _]) =
        World::builder().settings(MANY_WRITES).start_with(["ann", "bob", "cleo"]).await;
    let upload = uploads::begins(&ann, "image/png", 100).await;
    let media = json!([{ "id": upload["id"], "alt": "" }]);
    refuses_blank(&ann, "/posts", "media[0].alt", json!({ "content": "a", "media": media })).await;
    let crowd = json!({ "type": "crowd", "name": "", "members": ["bob", "cleo"] });
    refuses_blank(&ann, "/message-group", "name", crowd).await;
    let circle = creates_circle(&bob, "Bridges").await;
    refuses_blank(&bob, &circle.path("/posts"), "content", json!({ "content": "" })).await;
}

#[tokio::test]
async fn poll_options_that_look_alike_are_refused() {
    let (_world, [ann]) = World::with(["ann"]).await;
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
        let why = "poll.options: must not contain options that look the same";
        assert_eq!(refused.refused(400, "VALIDATION_FAILED"), why, "{options:?}");
    }
    for options in [["Trà", "Tra"], ["10²", "102"], ["🏴󠁧󠁢󠁥󠁮󠁧󠁿", "🏴󠁧󠁢󠁷󠁬󠁳󠁿"], ["👩‍💻", "👩💻"], ["①", "1"]]
    {
        poll(options).await.ok();
    }
}
