//! Posts in feed shards that only another release writes.

use platform::table::{Index, Key, Write};
use serde_json::json;
use tests::{Post, World};

/// Moves a post to the feed shard `shard`, which this release does not write.
async fn moved_to_shard(world: &World, post: &Post, shard: u8) {
    let feed = Key::new(format!("FEED#{shard}"), &post.id);
    let row = Key::new(format!("POST#{}", post.id), "POST");
    let moved = Write::update(row).set("shard", shard).index_key(Index::Gsi2, Some(feed));
    world.app().table.write(moved).await.unwrap();
    let version = Key::new("FEED", format!("VERSION#{shard}"));
    world.app().table.write(Write::update(version).add("version", 1)).await.unwrap();
}

#[tokio::test]
async fn feed_posts_in_unknown_shards_are_listed_in_order() {
    let (world, [ann, bob]) = World::with(["ann", "bob"]).await;
    let mut written = Vec::new();
    for number in 0..20 {
        let post = ann.writes(&format!("post {number}")).await;
        if number % 3 == 0 {
            moved_to_shard(&world, &post, 4 + number % 12).await;
        }
        written.insert(0, json!(post.id));
    }
    world.settle().await;
    world.advance(1).await;
    assert_eq!(bob.all("/posts/news-feed", 4, "publicId").await, written);
}
