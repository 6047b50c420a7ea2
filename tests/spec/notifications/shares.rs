//! Notifications about reposts and quotes to the author of the original post.

use serde_json::{Value, json};
use tests::World;

use super::{notifications, ticks};
use crate::posts::are_friends;

#[tokio::test]
async fn reposts_and_quotes_notify_the_original_author() {
    let (world, [ann, bob, cleo], post) = World::with_post(["ann", "bob", "cleo"]).await;
    let repost = bob.reposts(&post).await;
    world.advance(1).await;
    cleo.reposts(&repost).await;
    world.advance(1).await;
    bob.quotes(&repost, "look").await;
    ann.quotes(&post, "my own").await;
    ann.reposts(&post).await;
    ticks(&world).await;
    let rows = notifications(&ann).await;
    let fields = |row: &Value| ["type", "targetId", "count", "message"].map(|field| row[field].clone());
    let quoted = json!(["QUOTE", post.id, 1, "bob quoted your post"]);
    let reposted = json!(["REPOST", post.id, 2, "cleo and bob reposted your post"]);
    assert_eq!(json!(rows.iter().map(fields).collect::<Vec<_>>()), json!([quoted, reposted]));
    assert!(notifications(&bob).await.is_empty(), "a reposter is not notified");
}

#[tokio::test]
async fn a_repeated_like_or_repost_notifies_once() {
    let (world, [ann, bob], post) = World::with_post(["ann", "bob"]).await;
    for _ in 0..3 {
        bob.likes(&post).await;
        let repost = bob.reposts(&post).await;
        ticks(&world).await;
        bob.unlikes(&post).await;
        world.settle().await;
        bob.deletes(&repost).await;
    }
    assert_eq!(ann.get("/notification").await.ok().column("count"), [1, 1]);
}

#[tokio::test]
async fn shares_by_muted_or_blocked_users_do_not_notify() {
    let (world, [ann, bob, cleo, dan]) = World::with(["ann", "bob", "cleo", "dan"]).await;
    let (post, muted) = (ann.writes("hello").await, ann.writes("noise").await);
    ann.post(&bob.path("/mute"), Value::Null).await.ok();
    ann.post(&muted.path("/mute"), Value::Null).await.ok();
    ann.post("/me/muted-words", json!({ "word": "ugly" })).await.ok();
    for sharer in [&bob, &cleo] {
        sharer.reposts(&post).await;
        sharer.quotes(&post, "look").await;
    }
    cleo.blocks(&ann).await;
    dan.reposts(&muted).await;
    dan.quotes(&muted, "look").await;
    dan.quotes(&post, "how ugly").await;
    ticks(&world).await;
    assert_eq!(notifications(&ann).await, Vec::<Value>::new());
}

#[tokio::test]
async fn a_quote_that_the_author_may_not_see_does_not_notify() {
    let (world, [ann, bob, cleo], post) = World::with_post(["ann", "bob", "cleo"]).await;
    are_friends(&ann, &cleo).await;
    for (quoter, visibility) in [(&bob, "PRIVATE"), (&bob, "FRIEND"), (&cleo, "PRIVATE"), (&cleo, "FRIEND")] {
        quoter.post(&post.path("/quote"), json!({ "content": "look", "visibility": visibility })).await.ok();
    }
    ticks(&world).await;
    let groups = notifications(&ann).await;
    let quotes: Vec<_> = groups.iter().filter(|row| row["type"] == "QUOTE").collect();
    assert_eq!(quotes.len(), 1);
    assert_eq!(json!([quotes[0]["count"], quotes[0]["actorIds"]]), json!([1, [cleo.public_id]]));
}

#[tokio::test]
async fn share_requests_stay_within_their_cost_budgets() {
    let (world, [ann, bob]) = World::with(["ann", "bob"]).await;
    let post = ann.writes(&"x".repeat(1000)).await;
    world.budget("repost", bob.reposts(&post)).await;
    world.budget("quote", bob.quotes(&post, &"x".repeat(1000))).await;
}
