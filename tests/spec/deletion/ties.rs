//! Posts, likes, follows and notifications of deleted users.

use serde_json::{Value, json};
use tests::World;

use super::{flush_notifications, runs_deletions};
use crate::recounts::drifts;

#[tokio::test]
async fn account_deletion_keeps_counts_of_likes_and_replies_exact() {
    let (world, [ann, bob, eve]) = World::builder().without_ticks().start_with(["ann", "bob", "eve"]).await;
    let (post, mine) = (bob.writes("liked, answered, quoted, passed on").await, ann.writes("look").await);
    ann.likes(&post).await;
    eve.likes(&post).await;
    let answer = ann.replies(&post, "yes").await;
    let below = eve.replies(&answer, "no").await;
    let quote = ann.quotes(&post, "this").await;
    let repost = ann.reposts(&post).await;
    eve.quotes(&mine, "that").await;
    for (one, other) in [(&ann, &bob), (&bob, &ann), (&eve, &ann), (&eve, &bob)] {
        one.follows(other).await;
    }
    ann.befriends(&bob).await;
    eve.befriends(&ann).await;
    world.settle().await;
    ann.leaves().await;
    world.settle().await;
    let seen = bob.sees(&post).await;
    for (count, left) in [("likesCount", 1), ("repliesCount", 0), ("quotesCount", 0), ("repostsCount", 0)] {
        assert_eq!(seen[count], left, "{count}");
    }
    for gone in [&mine, &answer, &quote, &repost] {
        bob.get(&gone.path("")).await.refused(404, "NOT_FOUND");
    }
    assert_eq!(bob.get(&post.path("/replies")).await.ok().rows().len(), 0);
    assert_eq!(bob.sees(&below).await["content"], "no", "a reply by another user is not deleted");
    assert_eq!(
        bob.get("/posts/news-feed").await.ok().column("content"),
        [json!("liked, answered, quoted, passed on")]
    );
    let met = eve.meets(&bob).await;
    assert_eq!((&met["followersCount"], &met["followingCount"]), (&json!(1), &json!(0)));
    assert_eq!(bob.meets(&eve).await["followingCount"], 1);
    assert_eq!(bob.get("/notification/friend-request").await.ok().data()["count"], 0);
    assert!(bob.get("/me/friend-requests/received").await.ok().rows().is_empty());
    assert!(eve.get("/me/friend-requests/sent").await.ok().rows().is_empty());
    runs_deletions(&world).await;
    let eve = eve.signs_in().await;
    assert_eq!(drifts(&world.app(), &[]).await, []);
    eve.deletes(&below).await;
    assert_eq!(drifts(&world.app(), &[]).await, [], "all counters stay exact");
}

#[tokio::test]
async fn account_deletion_removes_the_user_from_notifications() {
    let (world, [ann, bob, eve]) = World::builder().without_ticks().start_with(["ann", "bob", "eve"]).await;
    let post = bob.writes("hello").await;
    ann.likes(&post).await;
    eve.likes(&post).await;
    ann.replies(&post, "hi").await;
    ann.follows(&bob).await;
    ann.posts(json!({ "content": "you", "mentions": [bob.id] })).await;
    ann.befriends(&bob).await;
    let group = ann.chats_with("bob").await;
    ann.post(&format!("/message-group/{group}/messages"), json!({ "content": "psst" })).await.ok();
    flush_notifications(&world).await;
    assert_eq!(bob.get("/notification").await.ok().rows().len(), 6);
    ann.leaves().await;
    runs_deletions(&world).await;
    let bob = bob.signs_in().await;
    let left = bob.get("/notification").await.ok();
    assert_eq!(left.column("type"), [json!("LIKE")]);
    assert_eq!(left.rows()[0]["actorIds"], json!([eve.public_id]));
    assert_eq!(
        (&left.rows()[0]["count"], &left.rows()[0]["message"]),
        (&json!(1), &json!("eve liked your post"))
    );
    assert_eq!(bob.get("/notification/unread").await.ok().data()["unreadCount"], 1);
}

#[tokio::test]
async fn a_deleted_user_is_not_notified() {
    let (world, [ann, bob, eve]) = World::builder().without_ticks().start_with(["ann", "bob", "eve"]).await;
    let post = ann.writes("the head of a thread").await;
    let answer = bob.replies(&post, "one").await;
    ann.leaves().await;
    runs_deletions(&world).await;
    let eve = eve.signs_in().await;
    eve.replies(&answer, "two").await;
    flush_notifications(&world).await;
    let query = platform::table::Query::partition(format!("USER#{}", ann.id));
    let left: Vec<platform::table::KeyOnly> = world.app().table.query(&query).await.unwrap();
    assert!(left.is_empty(), "{left:?}");
}

#[tokio::test]
async fn account_deletion_erases_deleted_and_hidden_posts() {
    let (world, [ann, bob]) = World::builder().without_ticks().start_with(["ann", "bob"]).await;
    let origin = bob.writes("origin").await;
    let all = [
        ann.writes("zanzibar one").await,
        ann.replies(&origin, "zanzibar two").await,
        ann.quotes(&origin, "zanzibar three").await,
        ann.reposts(&origin).await,
    ];
    let ghost = ann.quotes(&origin, "zanzibar four").await;
    for post in &all {
        ann.deletes(post).await;
    }
    bob.post(&ghost.path("/hide"), Value::Null).await.ok();
    ann.leaves().await;
    runs_deletions(&world).await;
    assert_eq!(super::traces::rows_with(&world, &["zanzibar", &ann.id]).await, Vec::<String>::new());
    assert_eq!(drifts(&world.app(), &[]).await, []);
}
