//! Saved posts.

use serde_json::{Value, json};
use tests::World;

#[tokio::test]
async fn saved_posts_are_listed_most_recently_saved_first() {
    let (_world, [ann, bob]) = World::with(["ann", "bob"]).await;
    let posts = [ann.writes("one").await, ann.writes("two").await, ann.writes("three").await];
    for post in [&posts[2], &posts[0], &posts[1]] {
        let answer = bob.post(&post.path("/save"), Value::Null).await.ok();
        assert_eq!(answer.data(), &json!({ "saved": true }));
    }
    bob.post(&posts[0].path("/save"), json!({ "isSaved": true })).await.ok();
    let first = bob.get("/posts/me/saved?take=1").await.ok();
    assert_eq!(first.column("content"), ["two"]);
    let after = first.after().unwrap().to_owned();
    bob.post(&posts[1].path("/save"), json!({ "isSaved": false })).await.ok();
    let rest = bob.get(&format!("/posts/me/saved?after={after}")).await.ok();
    assert_eq!(rest.column("content"), ["one", "three"], "an unsaved post is still a cursor");
    ann.deletes(&posts[0]).await;
    assert_eq!(bob.get("/posts/me/saved").await.ok().column("content"), ["three"]);
    assert!(ann.get("/posts/me/saved").await.ok().rows().is_empty());
}
