//! Reports and administrators' decisions on them.

use serde_json::{Value, json};

use super::world_with_admin;
use crate::{
    moderation::{HARMFUL, reports},
    routes::UNKNOWN_ID,
};

#[tokio::test]
async fn reports_are_listed_newest_first_and_by_status() {
    let (_world, root, [ann, bob]) = world_with_admin(["ann", "bob"]).await;
    let post = ann.writes("buy now").await;
    let first = reports(&bob, &post.id, json!({})).await;
    for kind in ["circle", "user"] {
        reports(&bob, &post.id, json!({ "type": kind })).await;
    }
    let page = root.get("/admin/reports?take=2").await.ok();
    assert_eq!(page.column("targetType"), ["USER", "CIRCLE"]);
    assert_eq!(page.column("targetId"), [json!(ann.public_id), json!(post.id)]);
    let rest = root.get(&format!("/admin/reports?after={}", page.after().unwrap())).await.ok();
    let row = &rest.rows()[0];
    let found = json!([row["targetType"], row["reporterId"], row["reason"]]);
    assert_eq!(found, json!(["POST", bob.public_id, "It is bad."]));
    for field in ["confidence", "assistantNote", "adminNote"] {
        assert_eq!(row.get(field), Some(&Value::Null), "{field} of {row}");
    }
    root.patch(&first, json!({ "action": "dismiss", "adminNote": "fine" })).await.ok();
    assert_eq!(root.get("/admin/reports?status=PENDING").await.ok().rows().len(), 2);
    let dismissed = root.get("/admin/reports?status=DISMISSED").await.ok();
    assert_eq!(dismissed.column("adminNote"), ["fine"]);
    assert_eq!(root.get("/admin/reports").await.ok().rows().len(), 3);
    for query in ["status=OPEN", "after=x", "take=0"] {
        root.get(&format!("/admin/reports?{query}")).await.refused(400, "VALIDATION_FAILED");
    }
}

#[tokio::test]
async fn a_hidden_post_leaves_feeds_until_its_report_is_dismissed() {
    let (world, root, [ann, bob]) = world_with_admin(["ann", "bob"]).await;
    let post = ann.writes("buy now").await;
    assert_eq!(bob.get("/posts/news-feed").await.ok().rows().len(), 1);
    let report = reports(&bob, &post.id, json!({})).await;
    let decided = root.patch(&report, json!({ "action": "hide" })).await.ok();
    assert_eq!(decided.data()["status"], "HIDDEN");
    world.settle().await;
    assert!(bob.get("/posts/news-feed").await.ok().rows().is_empty(), "feeds omit a hidden post");
    assert_eq!(bob.sees(&post).await["isHidden"], true, "a hidden post can be read by its ID");
    root.patch(&report, json!({ "action": "dismiss" })).await.ok();
    world.settle().await;
    assert_eq!(bob.get("/posts/news-feed").await.ok().rows().len(), 1);
}

#[tokio::test]
async fn dismissing_a_decided_report_shows_the_post_again() {
    let (world, root, [ann, bob, cleo]) = world_with_admin(["ann", "bob", "cleo"]).await;
    let post = ann.writes("buy now").await;
    let (first, second) =
        (reports(&bob, &post.id, json!({})).await, reports(&cleo, &post.id, json!({})).await);
    root.patch(&first, json!({ "action": "hide" })).await.ok();
    world.settle().await;
    assert_eq!(root.get("/admin/reports?status=HIDDEN").await.ok().rows().len(), 2);
    root.patch(&second, json!({ "action": "dismiss" })).await.ok();
    world.settle().await;
    assert_eq!(root.get("/admin/reports").await.ok().column("status"), ["DISMISSED"; 2]);
    assert_eq!(bob.sees(&post).await["isHidden"], false);
}

#[tokio::test]
async fn a_repeated_delete_decision_deletes_a_reply_once() {
    let (_world, root, [ann, bob]) = world_with_admin(["ann", "bob"]).await;
    let post = ann.writes("hello").await;
    let reply = bob.replies(&post, "buy now").await;
    let report = reports(&ann, &reply.id, json!({})).await;
    for _ in 0..2 {
        let decided = root.patch(&report, json!({ "action": "delete", "adminNote": "no" })).await.ok();
        assert_eq!(json!([decided.data()["status"], decided.data()["adminNote"]]), json!(["DELETED", "no"]));
    }
    bob.get(&reply.path("")).await.refused(404, "NOT_FOUND");
    assert_eq!(ann.sees(&post).await["repliesCount"], 0);
    let stats = root.get("/admin/stats").await.ok();
    assert_eq!(json!([stats.data()["reportsPending"], stats.data()["replies"]]), json!([0, 0]));
}

/// The ID of a reply or report selects one of 16 counter rows. If both IDs select the same row, one write must change
/// both counters. A transaction can write a row only once.
#[tokio::test]
async fn a_reply_can_share_a_counter_shard_with_its_report() {
    let (world, root, [ann, bob]) = world_with_admin(["ann", "bob"]).await;
    let reply = bob.replies(&ann.writes("hello").await, "buy now").await;
    let (mut count, mut reporter) = (1, ann);
    let mut path = reports(&reporter, &reply.id, json!({})).await;
    while shard_of(&path) != shard_of(&reply.id) {
        // IDs generated within one millisecond are consecutive.
        world.advance(1).await;
        // A user can report at most 30 times an hour.
        if count % 30 == 0 {
            reporter = world.person(&format!("reporter{count}")).await;
        }
        path = reports(&reporter, &reply.id, json!({})).await;
        count += 1;
    }
    root.patch(&path, json!({ "action": "delete" })).await.ok();
    let stats = root.get("/admin/stats").await.ok();
    assert_eq!(json!([stats.data()["reportsPending"], stats.data()["replies"]]), json!([count - 1, 0]));
}

/// Returns the shard (0 to 15) that an ID selects: its last four bits.
fn shard_of(id: &str) -> u128 {
    id.rsplit('/').next().and_then(|id| id.parse::<domain::ids::PostId>().ok()).expect("an id").random() % 16
}

#[tokio::test]
async fn an_invalid_decision_is_refused() {
    let (_world, root, [ann, bob]) = world_with_admin(["ann", "bob"]).await;
    let post = ann.writes("hello").await;
    let path = reports(&bob, &post.id, json!({})).await;
    for body in [json!({}), json!({ "action": "HIDE" }), json!({ "action": "hide", "adminNote": " " })] {
        root.patch(&path, body).await.refused(400, "VALIDATION_FAILED");
    }
    for id in [UNKNOWN_ID, "nonsense"] {
        let path = format!("/admin/reports/{id}");
        root.patch(&path, json!({ "action": "hide" })).await.refused(404, "NOT_FOUND");
    }
    let person = reports(&bob, &post.id, json!({ "type": "user" })).await;
    root.patch(&person, json!({ "action": "hide" })).await.refused(400, "VALIDATION_FAILED");
    root.patch(&person, json!({ "action": "dismiss" })).await.ok();
    assert_eq!(bob.sees(&post).await["isHidden"], false);
}

#[tokio::test]
async fn a_post_edited_after_a_dismissal_is_evaluated_again() {
    let (world, root, [ann, bob]) = world_with_admin(["ann", "bob"]).await;
    let post = ann.writes(HARMFUL).await;
    let first = reports(&bob, &post.id, json!({})).await;
    root.patch(&first, json!({ "action": "dismiss" })).await.ok();
    reports(&bob, &post.id, json!({})).await;
    world.settle().await;
    assert_eq!(bob.sees(&post).await["isHidden"], false, "an administrator accepted this text");
    ann.patch(&post.path(""), json!({ "content": format!("{HARMFUL} thật đấy") })).await.ok();
    reports(&bob, &post.id, json!({})).await;
    world.settle().await;
    assert_eq!(bob.sees(&post).await["isHidden"], true, "no administrator accepted this text");
}
