//! Content warnings, and the permission to quote a post.

use serde_json::json;
use tests::World;

#[tokio::test]
async fn posts_replies_and_quotes_can_have_a_content_warning() {
    let (_world, [ann, bob]) = World::with(["ann", "bob"]).await;
    let warned = json!({ "content": "He dies", "sensitive": true, "spoiler": " The end of the film " });
    let post = ann.posts(warned.clone()).await;
    let reply = bob.post(&post.path("/reply"), warned.clone()).await.ok();
    let quote = bob.post(&post.path("/quote"), warned).await.ok();
    for seen in [&post.json, reply.data(), quote.data(), &quote.data()["origin"], &bob.sees(&post).await] {
        assert_eq!(json!([seen["sensitive"], seen["spoiler"]]), json!([true, "The end of the film"]));
    }
}

#[tokio::test]
async fn an_edit_keeps_the_earlier_warning_in_the_history() {
    let (world, [ann]) = World::with(["ann"]).await;
    let post = ann.posts(json!({ "content": "He dies", "spoiler": "The end" })).await;
    world.advance(1).await;
    ann.patch(&post.path(""), json!({ "sensitive": true })).await.ok();
    world.advance(1).await;
    ann.patch(&post.path(""), json!({ "spoiler": "", "sensitive": false })).await.ok();
    let seen = ann.sees(&post).await;
    assert_eq!(json!([seen["sensitive"], seen["spoiler"], seen["content"]]), json!([false, null, "He dies"]));
    let history = ann.get(&post.path("/history")).await.ok();
    assert_eq!(history.column("sensitive"), [json!(true), json!(false)]);
    assert_eq!(history.column("spoiler"), [json!("The end"), json!("The end")]);
}

#[tokio::test]
async fn a_content_warning_has_at_most_200_characters() {
    let (_world, [ann]) = World::with(["ann"]).await;
    ann.posts(json!({ "content": "a", "spoiler": "ế".repeat(200) })).await;
    let answer = ann.post("/posts", json!({ "content": "a", "spoiler": "x".repeat(201) })).await;
    assert_eq!(answer.refused(400, "VALIDATION_FAILED"), "spoiler: must have at most 200 characters");
    ann.post("/posts", json!({ "content": "a", "sensitive": "yes" })).await.invalid("sensitive: ");
    let post = ann.posts(json!({ "content": "a", "spoiler": "  " })).await;
    assert_eq!(post.json["spoiler"], json!(null));
}

#[tokio::test]
async fn a_muted_word_in_a_content_warning_hides_the_post() {
    let (_world, [ann, bob]) = World::with(["ann", "bob"]).await;
    bob.post("/me/muted-words", json!({ "word": "spiders" })).await.ok();
    ann.posts(json!({ "content": "Look", "spoiler": "Spiders!" })).await;
    assert_eq!(bob.get("/posts/news-feed").await.ok().rows().len(), 0);
}

#[tokio::test]
async fn a_quote_does_not_show_the_warning_of_a_private_original() {
    let (_world, [ann, bob]) = World::with(["ann", "bob"]).await;
    let post = ann.posts(json!({ "content": "He dies", "spoiler": "The end" })).await;
    let quote = bob.quotes(&post, "look").await;
    ann.patch(&post.path(""), json!({ "visibility": "PRIVATE" })).await.ok();
    assert!(!bob.sees(&quote).await.to_string().contains("The end"));
    ann.deletes(&post).await;
    assert!(!ann.sees(&quote).await.to_string().contains("The end"));
}

#[tokio::test]
async fn the_original_posts_permission_decides_who_can_quote() {
    let (_world, [ann, bob, cid]) = World::with(["ann", "bob", "cid"]).await;
    bob.follows(&ann).await;
    for (permission, follower) in [("nobody", 403), ("FOLLOWERS", 201)] {
        let post = ann.posts(json!({ "content": "hush", "quotePermission": permission })).await;
        assert_eq!(bob.post(&post.path("/quote"), json!({ "content": "but" })).await.status, follower);
        cid.post(&post.path("/quote"), json!({ "content": "but" })).await.refused(403, "FORBIDDEN");
        let repost = cid.reposts(&post).await;
        cid.post(&repost.path("/quote"), json!({ "content": "but" })).await.refused(403, "FORBIDDEN");
        ann.quotes(&post, "the author may").await;
        cid.replies(&post, "a reply is another thing").await;
    }
}
