//! Totals of users, posts and reports.

use serde_json::{Value, json};
use tests::{Fault, Person};

use super::{change, world_with_admin};

/// Returns the numbers of users, active users, banned users, posts, replies and pending reports.
pub(crate) async fn counts(root: &Person) -> [i64; 6] {
    let stats = root.get("/admin/stats").await.ok();
    ["users", "activeUsers", "bannedUsers", "posts", "replies", "reportsPending"]
        .map(|field| stats.data()[field].as_i64().unwrap())
}

#[tokio::test]
async fn totals_are_exact_after_all_messages_are_delivered() {
    let (world, root, [ann, bob, cleo]) = world_with_admin(["ann", "bob", "cleo"]).await;
    let post = ann.writes("hello").await;
    let gone = ann.writes("gone").await;
    let reply = bob.replies(&post, "one").await;
    bob.replies(&reply, "two").await;
    let quote = bob.quotes(&post, "look").await;
    bob.reposts(&post).await;
    let report = json!({ "reason": "spam", "type": "post" });
    for _ in 0..2 {
        bob.post(&post.path("/report"), report.clone()).await.ok();
    }
    world.settle().await;
    assert_eq!(counts(&root).await, [4, 4, 0, 4, 2, 2]);

    ann.deletes(&gone).await;
    bob.deletes(&quote).await;
    bob.deletes(&reply).await;
    for (user, action) in [(&ann, "ban"), (&ann, "ban"), (&cleo, "lock")] {
        change(&root, user, action, Value::Null).await.ok();
    }
    world.settle().await;
    assert_eq!(counts(&root).await, [4, 2, 1, 2, 1, 0], "a permanent ban closes the cases about the user");
    change(&root, &ann, "unlock", Value::Null).await.ok();
    assert_eq!(counts(&root).await, [4, 3, 0, 2, 1, 0]);
}

#[tokio::test]
async fn a_permanent_ban_closes_more_cases_than_fit_in_a_page() {
    let (world, root, [ann, bob]) = world_with_admin(["ann", "bob"]).await;
    for number in 0..26 {
        let post = ann.writes(&format!("post {number}")).await;
        bob.post(&post.path("/report"), json!({ "reason": "spam", "type": "post" })).await.ok();
    }
    world.settle().await;
    assert_eq!(counts(&root).await[5], 26);
    change(&root, &ann, "ban", Value::Null).await.ok();
    world.settle().await;
    assert_eq!(counts(&root).await[5], 0);
}

#[tokio::test]
async fn a_deletion_is_counted_if_a_queue_refuses_its_message() {
    let (world, root, [ann]) = world_with_admin(["ann"]).await;
    let post = ann.writes("hello").await;
    world.settle().await;
    ann.delete(&post.path("")).await.ok();
    world.faults.plan("SendMessageBatch", Fault::Refused, 0, 3);
    world.settle().await;
    assert_eq!(world.faults.calm(), 3);
    assert_eq!(counts(&root).await[3], 0);
}
