//! Trending hashtags for anonymous readers.

use serde_json::{Value, json};
use tests::World;

const TRENDING: &str = "/hashtags/trending";

#[tokio::test]
async fn trending_hashtags_are_public_and_reveal_no_authors() {
    for features in ["on", "off"] {
        let (world, [ann, bob]) =
            World::builder().settings(&[("PROPOSED_FEATURES", features)]).start_with(["ann", "bob"]).await;
        ann.writes("#tea").await;
        bob.writes("#tea too").await;
        bob.writes("#coffee").await;
        world.settle().await;
        let answer = world.anyone.get(TRENDING).await.ok();
        let expected = json!([
            { "name": "tea", "count": 2, "score": 2.0 },
            { "name": "coffee", "count": 1, "score": 1.0 },
        ]);
        assert_eq!(answer.data(), &expected);
    }
}

#[tokio::test]
async fn hashtags_of_deleted_or_hidden_posts_stop_trending() {
    let (world, [ann, bob]) = World::with(["ann", "bob"]).await;
    let posts = [ann.writes("#one").await, ann.writes("#two").await, ann.writes("#three").await];
    world.settle().await;
    let trends = async || world.anyone.get(TRENDING).await.ok().column("name");
    assert_eq!(trends().await.len(), 3);
    ann.deletes(&posts[0]).await;
    bob.post(&posts[1].path("/hide"), Value::Null).await.ok();
    world.settle().await;
    assert_eq!(trends().await.len(), 3, "the list of trending hashtags is cached for a minute");
    world.advance(60).await;
    assert_eq!(trends().await, ["three"]);
}
