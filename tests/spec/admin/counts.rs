//! How much there is, counted as it happens.

use serde_json::{Value, json};
use tests::{Person, World};

use super::admin;

async fn counts(root: &Person) -> [i64; 6] {
    let stats = root.get("/admin/stats").await.ok();
    ["users", "activeUsers", "bannedUsers", "posts", "replies", "reportsPending"]
        .map(|it| stats.data()[it].as_i64().unwrap())
}

#[tokio::test]
async fn counts_equal_what_there_is_once_the_queues_are_empty() {
    let world = World::new().await;
    let root = admin(&world).await;
    let [ann, bob, cleo] = world.people(["ann", "bob", "cleo"]).await;
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
    for (whom, what) in [(&ann, "ban"), (&ann, "ban"), (&cleo, "lock")] {
        root.patch(&format!("/admin/users/{}/{what}", whom.id), Value::Null).await.ok();
    }
    world.settle().await;
    assert_eq!(counts(&root).await, [4, 2, 1, 2, 1, 2]);
    root.patch(&format!("/admin/users/{}/unlock", ann.id), Value::Null).await.ok();
    assert_eq!(counts(&root).await, [4, 3, 0, 2, 1, 2]);
}

#[tokio::test]
async fn a_delete_whose_message_no_queue_takes_at_first_is_counted() {
    let world = World::new().await;
    let root = admin(&world).await;
    let ann = world.person("ann").await;
    let post = ann.writes("hello").await;
    world.settle().await;
    ann.delete(&post.path("")).await.ok();
    world.faults.plan("SendMessageBatch", tests::Fault::Refused, 0, 3);
    world.settle().await;
    assert_eq!(world.faults.calm(), 3);
    assert_eq!(counts(&root).await[3], 0);
}
