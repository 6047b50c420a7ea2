//! Reports and administrators' decisions on them.

use serde_json::{Value, json};
use tests::{Person, Post, World};

use super::{UNKNOWN_ID, admin};

async fn report(reporter: &Person, post: &Post, kind: &str) -> String {
    let body = json!({ "reason": format!("{kind} is spam"), "type": kind });
    let answer = reporter.post(&post.path("/report"), body).await.ok();
    format!("/admin/reports/{}", answer.data()["id"].as_str().unwrap())
}

#[tokio::test]
async fn reports_are_listed_newest_first_and_by_status() {
    let world = World::new().await;
    let root = admin(&world).await;
    let [ann, bob] = world.people(["ann", "bob"]).await;
    let post = ann.writes("buy now").await;
    let first = report(&bob, &post, "post").await;
    for kind in ["circle", "user"] {
        report(&bob, &post, kind).await;
    }
    let page = root.get("/admin/reports?take=2").await.ok();
    assert_eq!(page.column("targetType"), ["USER", "CIRCLE"]);
    assert_eq!(page.column("targetId"), [json!(ann.public_id), json!(post.id)]);
    let rest = root.get(&format!("/admin/reports?after={}", page.after().unwrap())).await.ok();
    let row = &rest.rows()[0];
    assert_eq!((&row["reporterId"], &row["reason"]), (&json!(bob.public_id), &json!("post is spam")));
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
    let world = World::new().await;
    let root = admin(&world).await;
    let [ann, bob] = world.people(["ann", "bob"]).await;
    let post = ann.writes("buy now").await;
    assert_eq!(bob.get("/posts/news-feed").await.ok().rows().len(), 1);
    let report = report(&bob, &post, "post").await;
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
    let world = World::new().await;
    let root = admin(&world).await;
    let [ann, bob] = world.people(["ann", "bob"]).await;
    let post = ann.writes("buy now").await;
    let (first, second) = (report(&bob, &post, "post").await, report(&bob, &post, "post").await);
    root.patch(&first, json!({ "action": "hide" })).await.ok();
    world.settle().await;
    assert_eq!(root.get("/admin/reports?status=HIDDEN").await.ok().rows().len(), 2);
    root.patch(&second, json!({ "action": "dismiss" })).await.ok();
    assert_eq!(bob.sees(&post).await["isHidden"], false);
}

#[tokio::test]
async fn a_repeated_delete_decision_deletes_a_reply_once() {
    let world = World::new().await;
    let root = admin(&world).await;
    let [ann, bob] = world.people(["ann", "bob"]).await;
    let post = ann.writes("hello").await;
    let reply = bob.replies(&post, "buy now").await;
    let report = report(&ann, &reply, "post").await;
    for _ in 0..2 {
        let decided = root.patch(&report, json!({ "action": "delete", "adminNote": "no" })).await.ok();
        assert_eq!(
            (&decided.data()["status"], &decided.data()["adminNote"]),
            (&json!("DELETED"), &json!("no"))
        );
    }
    bob.get(&reply.path("")).await.refused(404, "NOT_FOUND");
    assert_eq!(ann.sees(&post).await["repliesCount"], 0);
    assert_eq!(root.get("/admin/stats").await.ok().data()["reportsPending"], 0);
    assert_eq!(root.get("/admin/stats").await.ok().data()["replies"], 0);
}

/// The ID of a reply or report selects one of 16 counter rows. If both IDs select the same row, one write must change
/// both counters. A transaction can write a row only once.
#[tokio::test]
async fn a_reply_can_share_a_counter_shard_with_its_report() {
    let world = World::new().await;
    let root = admin(&world).await;
    let [ann, bob] = world.people(["ann", "bob"]).await;
    let reply = bob.replies(&ann.writes("hello").await, "buy now").await;
    let (mut reports, mut reporter) = (1, ann);
    let mut path = report(&reporter, &reply, "post").await;
    while shard_of(&path) != shard_of(&reply.id) {
        // IDs generated within one millisecond are consecutive.
        world.advance(1).await;
        // A user can report at most 30 times an hour.
        if reports % 30 == 0 {
            reporter = world.person(&format!("reporter{reports}")).await;
        }
        path = report(&reporter, &reply, "post").await;
        reports += 1;
    }
    root.patch(&path, json!({ "action": "delete" })).await.ok();
    let stats = root.get("/admin/stats").await.ok();
    assert_eq!((&stats.data()["reportsPending"], &stats.data()["replies"]), (&json!(reports - 1), &json!(0)));
}

/// Returns the shard (0 to 15) that an ID selects: its last four bits.
fn shard_of(id: &str) -> u128 {
    id.rsplit('/').next().and_then(|id| id.parse::<domain::ids::PostId>().ok()).expect("an id").random() % 16
}

#[tokio::test]
async fn an_invalid_decision_is_refused() {
    let world = World::new().await;
    let root = admin(&world).await;
    let [ann, bob] = world.people(["ann", "bob"]).await;
    let post = ann.writes("hello").await;
    let path = report(&bob, &post, "post").await;
    for body in [json!({}), json!({ "action": "HIDE" }), json!({ "action": "hide", "adminNote": " " })] {
        root.patch(&path, body).await.refused(400, "VALIDATION_FAILED");
    }
    for id in [UNKNOWN_ID, "nonsense"] {
        let answer = root.patch(&format!("/admin/reports/{id}"), json!({ "action": "hide" })).await;
        answer.refused(404, "NOT_FOUND");
    }
    let person = report(&bob, &post, "user").await;
    root.patch(&person, json!({ "action": "hide" })).await.refused(400, "VALIDATION_FAILED");
    root.patch(&person, json!({ "action": "dismiss" })).await.ok();
    assert_eq!(bob.sees(&post).await["isHidden"], false);
}

#[tokio::test]
async fn a_post_edited_after_a_dismissal_is_evaluated_again() {
    let world = World::new().await;
    let root = admin(&world).await;
    let [ann, bob] = world.people(["ann", "bob"]).await;
    let post = ann.writes("Tao sẽ giết mày").await;
    let first = report(&bob, &post, "post").await;
    root.patch(&first, json!({ "action": "dismiss" })).await.ok();
    report(&bob, &post, "post").await;
    world.settle().await;
    assert_eq!(bob.sees(&post).await["isHidden"], false, "an administrator accepted this text");
    ann.patch(&post.path(""), json!({ "content": "Tao sẽ giết mày thật đấy" })).await.ok();
    report(&bob, &post, "post").await;
    world.settle().await;
    assert_eq!(bob.sees(&post).await["isHidden"], true, "no administrator accepted this text");
}
