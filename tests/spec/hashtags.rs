//! Hashtags: posts, follows, trends.

mod costs;
mod following;
mod trends;

use serde_json::{Value, json};
use tests::{Person, World};

use crate::setup::{MANY_WRITES, ids_of_full_pages};

/// Returns the texts on the first page of a list of posts.
pub(crate) async fn contents(client: &tests::Client, path: &str) -> Vec<Value> {
    client.get(path).await.ok().column("content")
}

async fn follows_tag(user: &Person, tag: &str) {
    let path = format!("/hashtags/{tag}/follow");
    user.post(&path, json!({ "isFollowing": true })).await.ok();
}

#[tokio::test]
async fn a_hashtag_lists_public_posts_and_quotes_newest_first() {
    let (world, [ann, bob]) = World::with(["ann", "bob"]).await;
    let post = ann.writes("one #tea").await;
    ann.writes("other #coffee").await;
    bob.quotes(&post, "quote #Tea").await;
    bob.replies(&post, "reply #tea").await;
    bob.reposts(&post).await;
    for visibility in ["PRIVATE", "FRIEND"] {
        ann.posts(json!({ "content": "for few #tea", "visibility": visibility })).await;
    }
    ann.posts(json!({ "content": "named", "topic": "TEA" })).await;
    for reader in [&world.anyone, &*ann, &*bob] {
        let page = reader.get("/hashtags/tea/posts").await.ok();
        assert_eq!(page.column("content"), ["named", "quote #Tea", "one #tea"]);
        assert_eq!(page.after(), None);
    }
}

#[tokio::test]
async fn a_hashtag_ignores_case_and_unicode_composition() {
    let (world, [ann]) = World::with(["ann"]).await;
    ann.writes("sáng nay #Cà_Phê").await;
    let composed = "C%C3%80_PH%C3%8A";
    let decomposed = "ca%CC%80_phe%CC%82";
    for tag in [composed, decomposed, "%23c%C3%A0_ph%C3%AA"] {
        let posts = contents(&world.anyone, &format!("/hashtags/{tag}/posts")).await;
        assert_eq!(posts, ["sáng nay #Cà_Phê"], "{tag}");
    }
    let without_accents = contents(&ann, "/hashtags/ca_phe/posts").await;
    assert!(without_accents.is_empty(), "a tag without accents is a different tag");
}

#[tokio::test]
async fn an_unknown_tag_has_no_posts_and_an_invalid_tag_is_refused() {
    let (_world, [ann]) = World::with(["ann"]).await;
    let page = ann.get("/hashtags/unknown_tag/posts").await.ok();
    assert_eq!((page.rows().len(), page.after()), (0, None));
    let long = "a".repeat(101);
    let why = "tag: must be one hashtag of 1 to 100 letters, digits or underscores, including a letter";
    for tag in ["%20", "two%20words", "%23", long.as_str(), "a%00b"] {
        for answer in [
            ann.get(&format!("/hashtags/{tag}/posts")).await,
            ann.post(&format!("/hashtags/{tag}/follow"), Value::Null).await,
        ] {
            assert_eq!(answer.refused(400, "VALIDATION_FAILED"), why, "{tag}");
        }
    }
}

#[tokio::test]
async fn hashtag_pages_have_no_duplicates_or_gaps() {
    let (_world, [ann, bob]) = World::builder().settings(MANY_WRITES).start_with(["ann", "bob"]).await;
    let mut written = Vec::new();
    for number in 0..30 {
        written.insert(0, json!(ann.writes(&format!("#tea {number}")).await.id));
    }
    let meanwhile = async || drop(ann.writes("#tea meanwhile").await);
    let seen = ids_of_full_pages(&bob, "/hashtags/tea/posts", 7, meanwhile).await;
    assert_eq!(seen, written);
}

#[tokio::test]
async fn hashtag_pages_omit_hidden_blocked_and_muted_posts() {
    let (world, [ann, bob, eve, dan]) = World::with(["ann", "bob", "eve", "dan"]).await;
    for author in [&ann, &bob, &eve, &dan] {
        author.writes(&format!("of {} #tea", author.name)).await;
    }
    ann.writes("a spoiler #tea").await;
    bob.blocks(&ann).await;
    ann.post(&eve.path("/mute"), json!({ "isMuted": true })).await.ok();
    ann.post("/me/muted-words", json!({ "word": "spoiler" })).await.ok();
    let hidden = dan.writes("hidden #tea").await;
    eve.post(&hidden.path("/hide"), Value::Null).await.ok();
    ann.deletes(&ann.writes("deleted #tea").await).await;
    world.advance(10).await;
    assert_eq!(contents(&ann, "/hashtags/tea/posts").await, ["a spoiler #tea", "of dan #tea", "of ann #tea"]);
    assert_eq!(contents(&bob, "/hashtags/tea/posts").await, ["of dan #tea", "of eve #tea", "of bob #tea"]);
}

#[tokio::test]
async fn an_author_sees_new_and_edited_hashtags_at_once() {
    let (_world, [ann]) = World::with(["ann"]).await;
    let post = ann.writes("#tea").await;
    assert_eq!(contents(&ann, "/hashtags/tea/posts").await, ["#tea"]);
    ann.writes("#tea again").await;
    assert_eq!(contents(&ann, "/hashtags/tea/posts").await, ["#tea again", "#tea"]);
    ann.patch(&post.path(""), json!({ "content": "#coffee" })).await.ok();
    assert_eq!(contents(&ann, "/hashtags/tea/posts").await, ["#tea again"]);
    assert_eq!(contents(&ann, "/hashtags/coffee/posts").await, ["#coffee"]);
}
