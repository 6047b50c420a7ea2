//! Posts that other users hide from lists. The author is notified and can appeal.

use domain::people::users::Role;
use serde_json::{Value, json};
use tests::{Person, Post, World};

use super::{
    appeals::{appeals, decides},
    decisions, hides, notices, reports,
};
use crate::{admin::world_with_root, notifications::ticks};

async fn sets_ghost(user: &Person, post: &Post, is_ghost: bool) {
    user.post(&post.path("/hide"), json!({ "isGhost": is_ghost })).await.ok();
}

/// Returns `isGhost` (hidden from lists) of each post that `reader` sees in the profile of `ann`.
async fn profile(reader: &Person) -> Vec<Value> {
    reader.get("/user/ann/posts").await.ok().column("isGhost")
}

#[tokio::test]
async fn the_author_of_a_hidden_post_still_sees_it_and_is_notified() {
    let (world, [ann, bob]) = World::with(["ann", "bob"]).await;
    let [post, quote] = [ann.writes("hello").await, ann.quotes(&bob.writes("one").await, "two").await];
    world.budget("hide a post", sets_ghost(&bob, &post, true)).await;
    world.budget("hide a quote or repost", sets_ghost(&bob, &quote, true)).await;
    assert_eq!((profile(&ann).await, profile(&bob).await), (vec![json!(true), json!(true)], vec![]));
    ann.writes("third").await;
    assert_eq!(profile(&ann).await, [json!(false), json!(true), json!(true)]);
    let pages = ann.columns("/user/ann/posts", 2, "publicId").await;
    assert_eq!(pages[1], [json!(post.id)]);
    ticks(&world).await;
    assert_eq!(notices(&ann).await.len(), 2);
    let of_post = async || decisions(&ann).await.into_iter().find(|row| row["id"] == json!(post.id)).unwrap();
    let decision = of_post().await;
    assert_eq!(json!([decision["decider"], decision["measure"]]), json!(["USER", "HIDDEN"]));
    sets_ghost(&bob, &post, false).await;
    let of_post = of_post().await;
    assert!(of_post["restoredAt"].is_string(), "{of_post}");
    assert_eq!(profile(&bob).await, [json!(false), json!(false)]);
}

#[tokio::test]
async fn a_post_that_a_user_hid_can_be_appealed_until_it_is_deleted() {
    let (world, root, [ann, bob]) = world_with_root(Role::Admin, ["ann", "bob"]).await;
    let post = ann.writes("hello").await;
    sets_ghost(&bob, &post, true).await;
    let appeal = appeals(&ann, &post.id).await.ok();
    let row = root.get("/admin/appeals?status=PENDING").await.ok().rows()[0].clone();
    assert_eq!(json!([row["decider"], row["hiddenBy"]]), json!(["USER", bob.public_id]));
    decides(&root, &appeal, "grant").await.ok();
    world.settle().await;
    assert_eq!(profile(&bob).await, [json!(false)]);
    assert_eq!(bob.get("/posts/news-feed").await.ok().rows().len(), 1);
    let deleted = ann.writes("gone").await;
    sets_ghost(&bob, &deleted, true).await;
    ann.deletes(&deleted).await;
    appeals(&ann, &deleted.id).await.refused(400, "VALIDATION_FAILED");
}

#[tokio::test]
async fn moderators_see_who_hides_most() {
    let (world, moderator, [ann, bob, cleo]) = world_with_root(Role::Moderator, ["ann", "bob", "cleo"]).await;
    let path = "/admin/statistics/moderation";
    let seen = async |query: &str| {
        let statistics = moderator.get(&format!("{path}{query}")).await.ok();
        let hiders = statistics.data()["topHiders"].as_array().unwrap().clone();
        hiders.iter().map(|hider| json!([hider["user"]["username"], hider["hides"]])).collect::<Vec<_>>()
    };
    assert_eq!(seen("").await, Vec::<Value>::new());
    let [one, other] = [ann.writes("one").await, ann.writes("other").await];
    sets_ghost(&cleo, &one, true).await;
    for post in [&one, &other] {
        sets_ghost(&bob, post, true).await;
        sets_ghost(&bob, post, false).await;
    }
    sets_ghost(&bob, &other, true).await;
    assert_eq!(seen("").await, [json!(["bob", 2]), json!(["cleo", 1])], "the first post was already hidden");
    assert_eq!(seen("?month=2020-01").await, Vec::<Value>::new());
    bob.leaves().await;
    world.settle().await;
    assert_eq!(seen("").await, [json!(["cleo", 1])]);
    ann.get(path).await.refused(403, "FORBIDDEN");
}

#[tokio::test]
async fn a_user_cannot_override_a_moderation_decision() {
    let (_world, root, [ann, bob]) = world_with_root(Role::Admin, ["ann", "bob"]).await;
    let post = ann.writes("hello").await;
    sets_ghost(&bob, &post, true).await;
    hides(&root, &reports(&bob, &post.id, json!({})).await).await;
    assert_eq!(decisions(&ann).await[0]["decider"], "ADMINISTRATOR");
    for is_ghost in [false, true] {
        sets_ghost(&bob, &post, is_ghost).await;
        let row = &decisions(&ann).await[0];
        assert_eq!(json!([row["decider"], row["restoredAt"]]), json!(["ADMINISTRATOR", null]));
    }
    assert_eq!(ann.sees(&post).await["isHidden"], true);
}
