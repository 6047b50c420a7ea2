//! Cases about users who deleted their accounts.

use domain::people::users::Role;
use serde_json::{Value, json};
use tests::{Person, World};

use super::{MONTH_SECONDS, case, ids, rules, undoes};
use crate::{
    admin::{start_with_root, world_with_root},
    auth::second_factor::lost::later,
    deletion::{flush_notifications, runs_deletions},
    moderation::{notices, reported_post, reports},
};

/// Returns the statuses of the user's reports, newest first.
async fn statuses(reporter: &Person) -> Vec<Value> {
    reporter.get("/me/reports").await.ok().column("status")
}

#[tokio::test]
async fn a_case_about_a_deleted_user_can_be_decided() {
    let (world, root, [ann, bob], post) = reported_post(Role::Moderator, "buy now").await;
    reports(&bob, &post.id, json!({ "type": "user" })).await;
    ann.leaves().await.ok();
    runs_deletions(&world).await;
    let (root, bob) = (root.signs_in().await, bob.signs_in().await);
    assert_eq!(case(&root, &post.id).await["reports"].as_array().map(Vec::len), Some(1));
    let filtered = root.get(&format!("/admin/reports?targetId={}", post.id)).await.ok();
    assert_eq!(filtered.rows().len(), 1);
    for id in [&post.id, &ann.public_id] {
        rules(&root, id, json!({ "actions": ["dismiss"] })).await.ok();
    }
    world.settle().await;
    assert_eq!(statuses(&bob).await, ["DISMISSED", "DISMISSED"]);
    undoes(&root, &ann.public_id).await.ok();
    world.settle().await;
    assert_eq!(statuses(&bob).await, ["PENDING", "DISMISSED"]);
    later(&world, MONTH_SECONDS + 60).await;
    assert_eq!(statuses(&bob.signs_in().await).await, ["RESOLVED", "DISMISSED"]);
}

#[tokio::test]
async fn cases_about_a_deleted_user_close_after_30_days() {
    let builder = World::builder().without_ticks();
    let (world, root, [ann, bob, cleo]) = start_with_root(builder, Role::Admin, ["ann", "bob", "cleo"]).await;
    let post = ann.writes("buy now").await;
    for reporter in [&bob, &cleo] {
        reports(reporter, &post.id, json!({})).await;
    }
    reports(&bob, &post.id, json!({ "type": "user" })).await;
    ann.leaves().await.ok();
    runs_deletions(&world).await;
    later(&world, MONTH_SECONDS - 3 * 3600).await;
    let bob = bob.signs_in().await;
    assert_eq!(statuses(&bob).await, ["PENDING", "PENDING"]);
    assert_eq!(notices(&bob).await.len(), 0);
    later(&world, 3 * 3600).await;
    later(&world, 3600).await;
    flush_notifications(&world).await;
    let (root, bob, cleo) = (root.signs_in().await, bob.signs_in().await, cleo.signs_in().await);
    assert_eq!(statuses(&bob).await, ["RESOLVED", "RESOLVED"]);
    assert_eq!(statuses(&cleo).await, ["RESOLVED"]);
    let counts = |notices: Vec<[Value; 3]>| notices.into_iter().map(|[.., count]| count).collect::<Vec<_>>();
    assert_eq!(counts(notices(&bob).await), [1, 1]);
    assert_eq!(counts(notices(&cleo).await), [1]);
    let closed = case(&root, &post.id).await;
    assert_eq!(json!([closed["status"], closed["reportedContent"]]), json!(["RESOLVED", null]));
    let outcome = &closed["outcome"];
    assert_eq!(json!([outcome["actions"], outcome["decidedBy"]]), json!([[], null]));
    assert_eq!(ids(&root, "").await, Vec::<Value>::new());
    assert_eq!(root.get("/admin/stats").await.ok().data()["reportsPending"], 0);
}

#[tokio::test]
async fn a_warning_to_a_deleted_account_is_not_an_action() {
    let (world, root, [ann, bob]) = world_with_root(Role::Admin, ["ann", "bob"]).await;
    reports(&bob, &ann.writes("buy now").await.id, json!({ "type": "user" })).await;
    ann.leaves().await.ok();
    for is_erased in [false, true] {
        if is_erased {
            runs_deletions(&world).await;
        }
        let root = root.signs_in().await;
        let body = json!({ "actions": ["warn"], "warning": "Stop it." });
        let decided = rules(&root, &ann.public_id, body).await.ok();
        let (status, outcome) = (&decided.data()["status"], &decided.data()["outcome"]);
        let fields = json!([status, outcome["actions"], outcome["warning"]]);
        assert_eq!(fields, json!(["RESOLVED", [], null]), "{is_erased}");
        let counts = root.get("/admin/statistics/moderation").await.ok().data()["byAction"].clone();
        let warnings = counts.as_array().unwrap().iter().find(|row| row["action"] == "warn").unwrap();
        assert_eq!(warnings["count"], 0);
        undoes(&root, &ann.public_id).await.ok();
    }
}

/// The decision is made while the erasure has removed the author from the case, but not yet from the reports.
#[tokio::test]
async fn a_decision_during_an_erasure_settles_all_reports() {
    let (world, root, [ann, bob], post) = reported_post(Role::Moderator, "buy now").await;
    ann.leaves().await.ok();
    let (author, id) = (ann.id.parse().unwrap(), post.id.parse().unwrap());
    domain::moderation::cases::erase_author(&world.app(), author, id).await.unwrap();
    rules(&root, &post.id, json!({ "actions": ["dismiss"] })).await.ok();
    world.settle().await;
    assert_eq!(statuses(&bob).await, ["PENDING"], "the report is still listed under its author");
    runs_deletions(&world).await;
    assert_eq!(statuses(&bob.signs_in().await).await, ["DISMISSED"]);
}
