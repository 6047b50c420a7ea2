//! Information in a case about its author and its reporters: the author's strikes, and the reporters' upheld reports.

use domain::people::users::Role;
use serde_json::{Value, json};
use tests::{Person, World};

use super::{case, ids, rules, undoes};
use crate::{
    admin::{start_with_root, world_with_root},
    moderation::{decisions, reported_post, reports},
};

const DAY: u64 = 24 * 60 * 60;

#[tokio::test]
async fn a_decision_counts_as_a_strike_for_90_days() {
    let builder = World::builder().without_ticks();
    let (world, root, [ann, bob]) = start_with_root(builder, Role::Moderator, ["ann", "bob"]).await;
    let [first, second] = [ann.writes("buy now").await, ann.writes("buy this").await];
    for post in [&first, &second] {
        reports(&bob, &post.id, json!({})).await;
        rules(&root, &post.id, json!({ "actions": ["hide"] })).await.ok();
    }
    assert_eq!(case(&root, &first.id).await["strikes"], 2);
    assert!(decisions(&ann).await[0]["strikeUntil"].is_string());
    undoes(&root, &second.id).await.ok();
    assert_eq!(case(&root, &first.id).await["strikes"], 1);
    assert_eq!(decisions(&ann).await[0]["strikeUntil"], Value::Null);
    world.advance(90 * DAY).await;
    assert_eq!(case(&root.signs_in().await, &first.id).await["strikes"], 0);
}

#[tokio::test]
async fn an_undone_ban_does_not_count_as_a_strike() {
    let (_world, root, _, post) = reported_post(Role::Admin, "buy now").await;
    rules(&root, &post.id, json!({ "actions": ["hide", "temp-ban"] })).await.ok();
    assert_eq!(case(&root, &post.id).await["strikes"], 2);
    undoes(&root, &post.id).await.ok();
    assert_eq!(case(&root, &post.id).await["strikes"], 0);
}

#[tokio::test]
async fn a_decision_can_be_limited_to_pending_cases() {
    let (_world, root, [ann, bob]) = world_with_root(Role::Moderator, ["ann", "bob"]).await;
    let [first, second] = [ann.writes("one").await, ann.writes("two").await];
    for post in [&first, &second] {
        reports(&bob, &post.id, json!({})).await;
    }
    let dismiss = json!({ "actions": ["dismiss"], "reason": "Fine.", "pendingOnly": true });
    rules(&root, &first.id, json!({ "actions": ["hide"] })).await.ok();
    rules(&root, &first.id, dismiss.clone()).await.refused(400, "VALIDATION_FAILED");
    let mut both = dismiss;
    both["cases"] = json!([first.id, second.id]);
    let results = root.post("/admin/cases/decisions", both).await.ok().column("status");
    assert_eq!(results, [Value::Null, json!("DISMISSED")]);
    assert_eq!(case(&root, &first.id).await["status"], "HIDDEN");
}

#[tokio::test]
async fn a_case_shows_how_many_reports_of_its_reporters_were_upheld() {
    let (world, root, [ann, bob, cleo]) = world_with_root(Role::Moderator, ["ann", "bob", "cleo"]).await;
    let [bad, good, open] = [ann.writes("bad").await, ann.writes("good").await, ann.writes("open").await];
    for post in [&bad, &good, &open] {
        reports(&bob, &post.id, json!({})).await;
    }
    reports(&cleo, &open.id, json!({})).await;
    rules(&root, &bad.id, json!({ "actions": ["hide"] })).await.ok();
    rules(&root, &good.id, json!({ "actions": ["dismiss"] })).await.ok();
    world.settle().await;
    assert_eq!(reporters(&root, &open.id).await, json!([of_bob(&bob, 2, 1)]));
    undoes(&root, &bad.id).await.ok();
    world.settle().await;
    assert_eq!(reporters(&root, &open.id).await, json!([of_bob(&bob, 1, 0)]));
}

#[tokio::test]
async fn a_case_that_closes_by_itself_does_not_count_for_reporters() {
    let (world, root, [ann, bob, dan]) = world_with_root(Role::Admin, ["ann", "bob", "dan"]).await;
    let [bad, other, open] = [ann.writes("bad").await, ann.writes("other").await, dan.writes("open").await];
    for post in [&bad, &other, &open] {
        reports(&bob, &post.id, json!({})).await;
    }
    rules(&root, &bad.id, json!({ "actions": ["ban"] })).await.ok();
    world.settle().await;
    assert_eq!(case(&root, &other.id).await["status"], "RESOLVED", "the ban closed the case");
    assert_eq!(reporters(&root, &open.id).await, json!([of_bob(&bob, 1, 1)]));
    undoes(&root, &other.id).await.ok();
    world.settle().await;
    assert_eq!(reporters(&root, &open.id).await, json!([of_bob(&bob, 1, 1)]));
    rules(&root, &other.id, json!({ "actions": ["dismiss"] })).await.ok();
    world.settle().await;
    assert_eq!(reporters(&root, &open.id).await, json!([of_bob(&bob, 2, 1)]));
}

#[tokio::test]
async fn a_doubtful_reporter_does_not_move_a_case_up_and_can_report_5_times_an_hour() {
    let (world, root, [ann, bob, cleo]) = world_with_root(Role::Moderator, ["ann", "bob", "cleo"]).await;
    for _ in 0..20 {
        let post = ann.writes("fine").await;
        reports(&bob, &post.id, json!({})).await;
        rules(&root, &post.id, json!({ "actions": ["dismiss"] })).await.ok();
    }
    world.settle().await;
    world.advance(60 * 60).await;
    let [root, ann, bob, cleo] =
        [root.signs_in().await, ann.signs_in().await, bob.signs_in().await, cleo.signs_in().await];
    let [noisy, other] = [ann.writes("one").await, ann.writes("two").await];
    for (reporter, post) in [(&bob, &noisy), (&bob, &noisy), (&bob, &noisy), (&cleo, &other)] {
        reports(reporter, &post.id, json!({})).await;
    }
    let listed = root.get("/admin/cases?sort=most").await.ok();
    assert_eq!(listed.column("id"), [json!(other.id), json!(noisy.id)]);
    assert_eq!(listed.column("reportsCount"), [1, 3]);
    for _ in 0..2 {
        reports(&cleo, &noisy.id, json!({})).await;
    }
    assert_eq!(ids(&root, "sort=most").await, [json!(noisy.id), json!(other.id)]);
    for _ in 0..2 {
        reports(&bob, &other.id, json!({})).await;
    }
    let sixth = bob.post(&other.path("/report"), json!({ "reason": "It is bad.", "type": "post" })).await;
    sixth.refused(429, "TOO_MANY_REQUESTS");
}

async fn reporters(root: &Person, id: &str) -> Value {
    case(root, id).await["reporters"].clone()
}

fn of_bob(bob: &Person, decided: i64, upheld: i64) -> Value {
    json!({ "userId": bob.public_id, "decidedCount": decided, "upheldCount": upheld })
}
