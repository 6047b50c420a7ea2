//! Replies: permissions, order and threads.

use serde_json::json;
use tests::World;

use super::counts;

#[tokio::test]
async fn the_parent_posts_permission_decides_who_can_reply() {
    let (_world, [ann, bob]) = World::with(["ann", "bob"]).await;
    for permission in ["NOBODY", "FOLLOWERS"] {
        let post = ann.posts(json!({ "content": "hush", "replyPermission": permission })).await;
        bob.post(&post.path("/reply"), json!({ "content": "but" })).await.refused(403, "FORBIDDEN");
        ann.replies(&post, "the author may").await;
        assert_eq!(counts(&ann.sees(&post).await), [1, 0, 0]);
    }
    let post = ann.posts(json!({ "content": "hush", "replyPermission": "FOLLOWERS" })).await;
    bob.follows(&ann).await;
    bob.replies(&post, "now I may").await;
    bob.unfollows(&ann).await;
    bob.post(&post.path("/reply"), json!({ "content": "but" })).await.refused(403, "FORBIDDEN");
}

#[tokio::test]
async fn replies_are_listed_newest_first() {
    let (world, [_ann, bob], post) = World::with_post(["ann", "bob"]).await;
    let mut written = Vec::new();
    for number in 0..5 {
        written.push(bob.replies(&post, &format!("reply {number}")).await.id);
    }
    written.reverse();
    let first = world.anyone.get(&post.path("/replies?take=2")).await.ok();
    let after = first.after().unwrap().to_owned();
    bob.replies(&post, "in between").await;
    let rest = world.anyone.get(&post.path(&format!("/replies?after={after}"))).await.ok();
    let seen: Vec<_> = first.column("publicId").into_iter().chain(rest.column("publicId")).collect();
    assert_eq!(seen, written.iter().map(|id| json!(id)).collect::<Vec<_>>());
    assert_eq!(rest.after(), None);
}

#[tokio::test]
async fn a_thread_shows_the_ancestors_of_a_reply() {
    let (_world, [ann, bob]) = World::with(["ann", "bob"]).await;
    let top = ann.writes("top").await;
    let middle = bob.replies(&top, "middle").await;
    let bottom = ann.replies(&middle, "bottom").await;
    let thread = bob.get(&bottom.path("/context")).await.ok();
    let ancestors = thread.data()["ancestors"].as_array().unwrap();
    let contents: Vec<_> = ancestors.iter().map(|post| &post["content"]).collect();
    assert_eq!(contents, ["top", "middle"]);
    assert_eq!(thread.data()["post"]["parentPublicId"], json!(middle.id));
    bob.deletes(&middle).await;
    let thread = bob.get(&bottom.path("/context")).await.ok();
    assert_eq!(thread.data()["ancestors"].as_array().unwrap().len(), 1);
}
