//! A block prevents likes, replies and shares of the other user's posts.

use serde_json::json;
use tests::{Person, Post, World};

/// Asserts that `user` cannot like, share or answer the author's post.
async fn assert_refused(user: &Person, author: &Person, post: &Post) {
    for (path, body) in [
        ("/like", json!({ "isLiked": true })),
        ("/save", json!({ "isSaved": true })),
        ("/repost", json!({})),
        ("/quote", json!({ "content": "look" })),
        ("/reply", json!({ "content": "hi" })),
        ("/hide", json!({ "isGhost": true })),
        ("/vote", json!({ "options": [0] })),
    ] {
        user.post(&post.path(path), body).await.refused(403, "FORBIDDEN");
    }
    let mention = json!({ "content": "hello", "mentions": [author.id] });
    user.post("/posts", mention).await.refused(403, "FORBIDDEN");
}

#[tokio::test]
async fn a_block_prevents_new_engagements_in_both_directions() {
    let (_world, [ann, bob]) = World::with(["ann", "bob"]).await;
    let poll = json!({ "content": "Tea?", "poll": { "options": ["yes", "no"], "durationMinutes": 60 } });
    let (of_ann, of_bob) = (ann.posts(poll.clone()).await, bob.posts(poll).await);
    let liked = ann.writes("before the block").await;
    bob.likes(&liked).await.ok();
    bob.post(&liked.path("/save"), json!({ "isSaved": true })).await.ok();
    let reply = bob.replies(&liked, "hi").await;
    bob.post(&liked.path("/hide"), json!({ "isGhost": true })).await.ok();
    bob.blocks(&ann).await;
    assert_refused(&bob, &ann, &of_ann).await;
    assert_refused(&ann, &bob, &of_bob).await;
    assert_eq!(bob.unlikes(&liked).await.ok().data()["isLiked"], false);
    let unsaved = bob.post(&liked.path("/save"), json!({ "isSaved": false })).await.ok();
    assert_eq!(unsaved.data()["saved"], false);
    let shown = bob.post(&liked.path("/hide"), json!({})).await.ok();
    assert_eq!(shown.data()["isGhost"], false);
    bob.deletes(&reply).await.ok();
    bob.post(&ann.path("/block"), json!({ "isBlocked": false })).await.ok();
    bob.likes(&of_ann).await.ok();
}
