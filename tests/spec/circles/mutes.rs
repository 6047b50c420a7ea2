//! Muted words and threads in circles.

use serde_json::{Value, json};
use tests::{Person, World};

use super::{
    Circle, THOUGHT,
    notices::ticks,
    posts::{comments, id, writes_in},
    with_members,
};
use crate::notifications::notifications;

async fn texts(user: &Person, circle: &Circle, query: &str) -> Vec<Value> {
    user.get(&circle.path(&format!("/posts{query}"))).await.ok().column("content")
}

async fn mutes(user: &Person, post: &str, body: Value) -> Value {
    user.post(&format!("/posts/{post}/mute"), body).await.ok().data()["isMuted"].clone()
}

async fn comment_count(user: &Person) -> usize {
    notifications(user).await.iter().filter(|notification| notification["type"] == "CIRCLE_COMMENT").count()
}

#[tokio::test]
async fn a_muted_word_hides_matching_posts_by_other_members() {
    let (_world, [ann, bob], circle) = with_members(World::with(["ann", "bob"])).await;
    let post = id(&writes_in(&ann, &circle, THOUGHT).await.ok());
    for (user, text) in [(&ann, "The SPOILER of it all"), (&bob, "My own spoiler")] {
        writes_in(user, &circle, text).await.ok();
        comments(user, &circle, &post, text).await;
    }
    let all = texts(&bob, &circle, "").await.len();
    bob.post("/me/muted-words", json!({ "word": "spoiler" })).await.ok();
    for query in ["", "?sort=quality", &format!("?parentId={post}")] {
        let seen = texts(&bob, &circle, query).await;
        assert!(!seen.contains(&json!("The SPOILER of it all")), "{query}: {seen:?}");
        assert!(seen.contains(&json!("My own spoiler")), "{query}: {seen:?}");
    }
    assert_eq!(texts(&ann, &circle, "").await.len(), all, "a mute affects only its owner");
}

#[tokio::test]
async fn muted_threads_and_words_prevent_comment_notifications() {
    let (world, [ann, bob], circle) = with_members(World::with(["ann", "bob"])).await;
    let post = id(&writes_in(&bob, &circle, THOUGHT).await.ok());
    let comment = comments(&bob, &circle, &post, "A first word on it").await;
    for (body, is_muted) in [(Value::Null, true), (Value::Null, false), (json!({ "isMuted": true }), true)] {
        assert_eq!(mutes(&bob, &post, body).await, is_muted);
    }
    for parent in [&post, &comment] {
        comments(&ann, &circle, parent, THOUGHT).await;
    }
    ticks(&world).await;
    assert_eq!(comment_count(&bob).await, 0);
    let is_muted = mutes(&bob, &comment, json!({ "isMuted": false })).await;
    assert_eq!(is_muted, false, "unmuting a comment unmutes its thread");
    bob.post("/me/muted-words", json!({ "word": "evening" })).await.ok();
    comments(&ann, &circle, &post, THOUGHT).await;
    ticks(&world).await;
    assert_eq!(comment_count(&bob).await, 0);
    comments(&ann, &circle, &post, "Something else that can be said of it").await;
    ticks(&world).await;
    assert_eq!(comment_count(&bob).await, 1);
}
