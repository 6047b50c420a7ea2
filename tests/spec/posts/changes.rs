//! Edits, deletions and counts of posts.

use serde_json::{Value, json};
use tests::World;

use super::{counts, world_enforcing, writes_with};

#[tokio::test]
async fn an_edit_keeps_the_earlier_version() {
    let (world, [ann, bob]) = World::with(["ann", "bob"]).await;
    let post = ann.writes("one #a").await;
    world.advance(60).await;
    let edited = ann.patch(&post.path(""), json!({ "content": "two #b" })).await.ok();
    assert_eq!(json!([edited.data()["content"], edited.data()["topic"]]), json!(["two #b", "b"]));
    assert_eq!(edited.data()["updatedAt"], "2026-01-01T00:01:00.000Z");
    ann.patch(&post.path(""), json!({ "visibility": "PRIVATE" })).await.ok();

    bob.get(&post.path("/history")).await.refused(404, "NOT_FOUND");
    ann.patch(&post.path(""), json!({ "visibility": "PUBLIC" })).await.ok();
    for (take, pages) in [(20, json!([["two #b", "one #a"]])), (1, json!([["two #b"], ["one #a"]]))] {
        assert_eq!(json!(bob.columns(&post.path("/history"), take, "content").await), pages);
    }

    let other = bob.patch(&post.path(""), json!({ "content": "mine" })).await;
    other.refused(403, "FORBIDDEN");
    for body in [json!({}), json!({ "content": null }), json!({ "other": 1 })] {
        ann.patch(&post.path(""), body).await.refused(400, "VALIDATION_FAILED");
    }
    let repost = bob.reposts(&post).await;
    bob.patch(&repost.path(""), json!({ "content": "x" })).await.refused(400, "VALIDATION_FAILED");
}

#[tokio::test]
async fn changing_the_visibility_adds_or_removes_a_post_in_feeds() {
    let (_world, [ann], post) = World::with_post(["ann"]).await;
    for (visibility, shown) in [("FRIEND", 0), ("PUBLIC", 1), ("private", 0)] {
        ann.patch(&post.path(""), json!({ "visibility": visibility })).await.ok();
        assert_eq!(ann.get("/posts/news-feed").await.ok().rows().len(), shown, "{visibility}");
    }
}

#[tokio::test]
async fn a_deleted_post_can_no_longer_be_read_or_used() {
    let (_world, [ann, bob], post) = World::with_post(["ann", "bob"]).await;
    let quote = bob.quotes(&post, "look").await;
    bob.delete(&post.path("")).await.refused(403, "FORBIDDEN");
    let deleted = ann.deletes(&post).await;
    assert_eq!(deleted.data()["isDeleted"], true);

    ann.delete(&post.path("")).await.refused(404, "NOT_FOUND");
    bob.get(&post.path("")).await.refused(404, "NOT_FOUND");
    bob.get(&post.path("/replies")).await.refused(404, "NOT_FOUND");
    for (route, body) in writes_with(&post) {
        bob.post(&route, body).await.refused(404, "NOT_FOUND");
    }
    assert_eq!(ann.get("/posts/news-feed").await.ok().rows().len(), 0);
    let quote = bob.sees(&quote).await;
    assert_eq!(json!([quote["origin"], quote["originPublicId"]]), json!([null, post.id]));
}

#[tokio::test]
async fn counts_equal_the_number_of_stored_rows() {
    let (_world, [ann, bob], post) = World::with_post(["ann", "bob"]).await;
    let reply = bob.replies(&post, "one").await;
    ann.replies(&post, "two").await;
    let repost = bob.reposts(&post).await;
    let quote = bob.quotes(&post, "look").await;
    bob.quotes(&post, "look again").await;
    assert_eq!(counts(&bob.sees(&post).await), [2, 1, 2]);
    assert_eq!(bob.sees(&post).await["isQuoted"], true);

    for written in [&reply, &repost, &quote] {
        bob.deletes(written).await;
    }
    assert_eq!(counts(&bob.sees(&post).await), [1, 0, 1]);
    assert_eq!(bob.sees(&post).await["isQuoted"], true, "bob still has one quote");
    let again = bob.reposts(&post).await;
    assert_ne!(again.id, repost.id);
    assert_eq!(counts(&bob.sees(&post).await), [1, 1, 1]);
}

#[tokio::test]
async fn a_hidden_post_is_not_listed_but_stays_readable() {
    let (_world, [ann, bob], post) = World::with_post(["ann", "bob"]).await;
    let reply = ann.replies(&post, "me too").await;
    ann.post(&post.path("/hide"), Value::Null).await.refused(400, "VALIDATION_FAILED");
    for (hidden, shown) in [(true, 0), (false, 1)] {
        for target in [&post, &reply] {
            let answer = bob.post(&target.path("/hide"), Value::Null).await.ok();
            assert_eq!(answer.data(), &json!({ "publicId": target.id, "isGhost": hidden }));
        }
        assert_eq!(bob.get("/posts/news-feed").await.ok().rows().len(), shown);
        assert_eq!(bob.get(&post.path("/replies")).await.ok().rows().len(), shown);
        assert_eq!(bob.sees(&post).await["isGhost"], hidden);
    }
}

#[tokio::test]
async fn enforced_visibility_hides_private_posts_from_other_users() {
    let (world, [ann, bob]) = world_enforcing("on", ["ann", "bob"]).await;
    let post = ann.writes("hello").await;
    for visibility in ["PRIVATE", "FRIEND"] {
        let hidden = ann.posts(json!({ "content": "mine", "visibility": visibility })).await;
        bob.get(&hidden.path("")).await.refused(404, "NOT_FOUND");
        world.anyone.get(&hidden.path("")).await.refused(404, "NOT_FOUND");
        ann.sees(&hidden).await;
        ann.post(&post.path("/reply"), json!({ "content": "r", "visibility": visibility })).await.ok();
    }
    assert_eq!(bob.get(&post.path("/replies")).await.ok().rows().len(), 0);
    assert_eq!(ann.get(&post.path("/replies")).await.ok().rows().len(), 2);
    assert_eq!(bob.get("/posts/news-feed?take=1").await.ok().column("content"), ["hello"]);
    let friendly = ann.posts(json!({ "content": "ours", "visibility": "FRIEND" })).await;
    let quote = ann.quotes(&friendly, "see").await;
    bob.follows(&ann).await;
    bob.get(&friendly.path("")).await.refused(404, "NOT_FOUND");
    assert!(bob.sees(&quote).await["origin"].is_null());
    ann.follows(&bob).await;
    assert_eq!(bob.sees(&friendly).await["content"], "ours", "mutual followers count as friends");
    assert_eq!(bob.sees(&quote).await["origin"]["content"], "ours");
    world.settle().await;
    let feed = bob.get("/posts/news-feed?type=FOLLOWING").await.ok();
    assert_eq!(feed.column("content"), ["see", "ours", "mine", "hello"], "only the private post is hidden");
}
