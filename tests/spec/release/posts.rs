//! Stored posts with their counts, versions, likes and saves.

use serde_json::{Value, json};
use tests::{Person, Post};

use super::Past;

const COUNTS: [&str; 4] = ["likesCount", "repliesCount", "quotesCount", "repostsCount"];

async fn counts(user: &Person, post: &Post) -> [i64; 4] {
    let seen = user.sees(post).await;
    COUNTS.map(|field| seen[field].as_i64().unwrap())
}

#[tokio::test]
async fn stored_likes_are_counted() {
    let past = Past::stored().await;
    stored_likes_show_before_and_after_counting(&past).await;
    stored_counts_continue(&past).await;
}

async fn stored_likes_show_before_and_after_counting(past: &Past) {
    let post = past.post("liked");
    let people = ["ann", "bob", "dan"].map(|name| past.user(name));
    for (settled, expected) in [(false, [2, 1, 3]), (true, [2, 2, 2])] {
        if settled {
            past.world.settle().await;
        }
        for (person, likes) in people.iter().zip(expected) {
            assert_eq!(counts(person, &post).await, [likes, 2, 1, 1], "{} settled: {settled}", person.name);
        }
    }
    let liked = [past.user("bob").sees(&post).await, past.user("dan").sees(&post).await];
    assert_eq!(liked.map(|post| post["isLiked"].clone()), [json!(false), json!(true)]);
}

async fn stored_counts_continue(past: &Past) {
    let [ann, bob, cleo, dan] = ["ann", "bob", "cleo", "dan"].map(|name| past.user(name));
    let post = past.post("liked");
    ann.likes(&post).await;
    cleo.unlikes(&post).await;
    bob.deletes(&past.post("reply")).await;
    cleo.deletes(&past.post("quote")).await;
    let again = dan.post(&post.path("/repost"), Value::Null).await.ok();
    assert_eq!(again.data()["publicId"], *past.known("repost"));
    bob.reposts(&post).await;
    past.world.settle().await;
    assert_eq!(counts(&dan, &post).await, [2, 1, 0, 2]);
}

#[tokio::test]
async fn stored_posts_can_be_read_and_changed() {
    let past = Past::stored().await;
    a_stored_thread_can_be_read(&past).await;
    stored_saves_can_be_listed_and_removed(&past).await;
    stored_versions_are_kept(&past).await;
    stored_visibility_is_kept(&past).await;
    stored_reply_permissions_are_kept(&past).await;
    an_idempotent_post_repeats_its_answer(&past).await;
}

async fn a_stored_thread_can_be_read(past: &Past) {
    let bob = past.user("bob");
    let context = bob.get(&past.post("deepReply").path("/context")).await.ok().data().clone();
    let ids = |rows: &Value| -> Vec<_> {
        rows.as_array().unwrap().iter().map(|post| post["publicId"].clone()).collect()
    };
    assert_eq!(ids(&context["ancestors"]), past.ids(["liked", "reply"]));
    let replies = bob.get(&past.post("liked").path("/replies")).await.ok();
    assert_eq!(replies.column("content"), ["Not yet heard of", "I like cats"]);
    assert_eq!(bob.sees(&past.post("liked")).await["topic"], "cats");
    let quote = bob.sees(&past.post("quote")).await;
    assert_eq!((&quote["origin"]["publicId"], &quote["type"]), (past.known("liked"), &json!("QUOTE")));
    assert_eq!(past.user("cleo").sees(&past.post("liked")).await["isQuoted"], true);
}

async fn stored_versions_are_kept(past: &Past) {
    let (bob, post) = (past.user("bob"), past.post("edited"));
    bob.patch(&post.path(""), json!({ "content": "Third words" })).await.ok();
    assert_eq!(bob.sees(&post).await["topic"], Value::Null);
    let history = bob.get(&post.path("/history")).await.ok();
    assert_eq!(history.column("content"), ["Second words #dogs", "First words #cats"]);
}

async fn stored_visibility_is_kept(past: &Past) {
    let (ann, eve) = (past.user("ann"), past.user("eve"));
    ann.get(&past.post("deleted").path("")).await.refused(404, "NOT_FOUND");
    ann.get(&past.post("removed").path("")).await.refused(404, "NOT_FOUND");
    assert_eq!(ann.sees(&past.post("hidden")).await["isHidden"], true);
    assert_eq!(ann.sees(&past.post("ghost")).await["isGhost"], true);
    let shown = eve.post(&past.post("ghost").path("/hide"), Value::Null).await.ok();
    assert_eq!(shown.data()["isGhost"], false);
    for (name, visibility) in [("private", "PRIVATE"), ("forFriends", "FRIEND")] {
        assert_eq!(eve.sees(&past.post(name)).await["visibility"], visibility);
    }
    eve.patch(&past.post("private").path(""), json!({ "visibility": "PUBLIC" })).await.ok();
    let feed = ann.get("/posts/news-feed").await.ok().column("publicId");
    assert!(feed.contains(past.known("private")) && !feed.contains(past.known("forFriends")));
}

async fn stored_reply_permissions_are_kept(past: &Past) {
    let (bob, eve, post) = (past.user("bob"), past.user("eve"), past.post("mention"));
    assert_eq!(bob.sees(&post).await["mentions"], json!([bob.public_id]));
    bob.post(&post.path("/reply"), json!({ "content": "Hello" })).await.refused(403, "FORBIDDEN");
    bob.follows(&eve).await;
    bob.replies(&post, "Hello").await;
}

async fn stored_saves_can_be_listed_and_removed(past: &Past) {
    let bob = past.user("bob");
    let saved = async || bob.get("/posts/me/saved").await.ok().column("publicId");
    assert_eq!(saved().await, past.ids(["liked", "quote"]));
    let after = bob.get(&format!("/posts/me/saved?after={}", past.id("liked"))).await.ok();
    assert_eq!(after.column("publicId"), past.ids(["quote"]));
    assert!(past.user("cleo").get("/posts/me/saved").await.ok().rows().is_empty());
    bob.post(&past.post("liked").path("/save"), json!({ "isSaved": false })).await.ok();
    bob.post(&past.post("edited").path("/save"), Value::Null).await.ok();
    assert_eq!(saved().await, past.ids(["edited", "quote"]));
}

async fn an_idempotent_post_repeats_its_answer(past: &Past) {
    let cleo = past.user("cleo");
    let again = cleo.post_once("a key", "/posts", json!({ "content": "Said once" })).await.ok();
    assert_eq!(again.status, 201);
    // Later releases can add fields.
    for (field, value) in past.known("onceAnswer")["data"].as_object().unwrap() {
        assert_eq!((field, &again.data()[field]), (field, value));
    }
    let other = cleo.post_once("a key", "/posts", json!({ "content": "Said twice" })).await;
    other.refused(400, "VALIDATION_FAILED");
    assert_eq!(past.user("ann").get("/user/cleo/posts").await.ok().column("type"), ["POST", "QUOTE"]);
}
