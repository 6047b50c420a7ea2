//! Hashtags in texts and in paths.

use serde_json::json;
use tests::World;

use super::encoded;

#[tokio::test]
async fn a_hashtag_follows_the_rules_of_unicode() {
    let (world, [ann]) = World::with(["ann"]).await;
    for (text, topic) in [
        ("keycap #️⃣ only", None),
        ("number #1 and #2024", None),
        ("https://en.wikipedia.org/wiki/Rust_(language)#History #rust", Some("rust")),
        ("#می\u{200C}خواهم", Some("می\u{200C}خواهم")),
        ("#col·lecció", Some("col·lecció")),
        ("#スター・ウォーズ", Some("スター・ウォーズ")),
        ("＃東京", Some("東京")),
        ("#1 is #second", Some("second")),
        ("#ＲＵＳＴ", Some("ｒｕｓｔ")),
        ("#love❤️", Some("love")),
        ("#ΣΊΣΥΦΟΣ", Some("σίσυφος")),
    ] {
        let post = ann.writes(text).await;
        assert_eq!(ann.sees(&post).await["topic"], json!(topic), "{text}");
        let Some(topic) = topic else { continue };
        world.settle().await;
        let listed = ann.get(&format!("/hashtags/{}/posts", encoded(topic))).await.ok();
        assert!(listed.column("publicId").contains(&json!(post.id)), "{text}");
    }
}

#[tokio::test]
async fn a_topic_that_would_break_a_path_is_refused() {
    let (_world, [ann]) = World::with(["ann"]).await;
    for topic in [".", "..", "a/b", "a?b", "a b", "100%", "1", "_", "#️⃣", "\u{200D}"] {
        let refused = ann.post("/posts", json!({ "content": "x", "topic": topic })).await;
        let message = refused.refused(400, "VALIDATION_FAILED");
        assert!(message.starts_with("topic: must be one hashtag"), "{topic}: {message}");
    }
}

#[tokio::test]
async fn a_percent_encoded_path_is_decoded() {
    let (world, [ann]) = World::with(["ann"]).await;
    for (tag, content) in
        [("c%C3%A0_ph%C3%AA", "#cà_phê"), ("%23rust", "#rust"), ("%E7%81%AB%E9%94%85", "#火锅")]
    {
        ann.writes(content).await;
        world.settle().await;
        let found = ann.get(&format!("/hashtags/{tag}/posts")).await.ok();
        assert_eq!(found.rows().len(), 1, "{tag}");
    }
    // After decoding, these names are invalid, or the path has more segments.
    for path in ["/user/a%20b", "/user/100%25", "/user/a%2Fb", "/user/%00", "/user/a%3Fb", "/posts/%7B%22%7D"]
    {
        assert_eq!(ann.get(path).await.status, 404, "{path}");
    }
}
