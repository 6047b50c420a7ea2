//! One decision decides all reports about the same target.

use domain::{
    ledger::audit::{self, AuditAction},
    people::users::Role,
};
use reqwest::Method;
use serde_json::{Value, json};
use tests::{Answer, Person, World, send};

use super::{hides, reports};
use crate::{
    admin::{administrator, change, world_with_root},
    notifications::{notifications, ticks},
};

async fn statuses(root: &Person, query: &str) -> Vec<Value> {
    root.get(&format!("/admin/reports?{query}")).await.ok().column("status")
}

/// Exports the audit log. `query` is empty or begins with a question mark.
async fn exports(root: &Person, query: &str) -> Answer {
    let request = root.request(Method::GET, &format!("/admin/audit{query}"));
    send(request.header("accept", "application/x-ndjson")).await
}

#[tokio::test]
async fn a_decision_decides_all_reports_about_the_target() {
    let (world, root, [ann, bob, cleo, dan]) =
        world_with_root(Role::Admin, ["ann", "bob", "cleo", "dan"]).await;
    let [post, other] = [ann.writes("buy now").await, ann.writes("buy more").await];
    let report = reports(&bob, &post.id, json!({})).await;
    for (reporter, target) in [(&cleo, &post), (&dan, &post), (&dan, &other)] {
        reports(reporter, &target.id, json!({})).await;
    }
    world.settle().await;
    hides(&root, &report).await;
    ticks(&world).await;
    assert_eq!(statuses(&root, &format!("targetId={}", post.id)).await, ["HIDDEN"; 3]);
    assert_eq!(statuses(&root, &format!("targetId={}", other.id)).await, ["PENDING"]);
    assert_eq!(root.get("/admin/stats").await.ok().data()["reportsPending"], 1);
    for reporter in [&bob, &cleo, &dan] {
        let outcomes =
            notifications(reporter).await.iter().filter(|row| row["targetType"] == "REPORT").count();
        assert_eq!(outcomes, 1, "{}", reporter.name);
    }
    let audit = root.get("/admin/audit?action=HIDE_REPORTED").await.ok();
    assert_eq!(audit.rows().len(), 1, "one decision has one audit entry");
}

#[tokio::test]
async fn a_decision_on_a_deleted_post_returns_the_status_deleted() {
    let (world, root, [ann, bob]) = world_with_root(Role::Admin, ["ann", "bob"]).await;
    let post = ann.writes("buy now").await;
    let report = reports(&bob, &post.id, json!({})).await;
    world.settle().await;
    ann.deletes(&post).await;
    let decided = root.patch(&report, json!({ "action": "hide" })).await.ok();
    assert_eq!(decided.data()["status"], "DELETED");
    root.patch(&report, json!({ "action": "hide" })).await.ok();
    assert_eq!(root.get("/admin/audit?action=HIDE_REPORTED").await.ok().rows().len(), 1);
}

#[tokio::test]
async fn reports_can_be_filtered_by_category_and_reported_user() {
    let (world, root, [ann, bob, cleo]) = world_with_root(Role::Admin, ["ann", "bob", "cleo"]).await;
    let [first, second] = [ann.writes("one").await, bob.writes("two").await];
    reports(&cleo, &first.id, json!({ "category": "SPAM" })).await;
    reports(&cleo, &second.id, json!({ "category": "HATE" })).await;
    reports(&cleo, &second.id, json!({ "type": "user", "category": "SPAM" })).await;
    world.settle().await;
    let count = async |query: &str| root.get(&format!("/admin/reports?{query}")).await.ok().rows().len();
    for reference in ["bob", &bob.public_id, &bob.id] {
        assert_eq!(count(&format!("reportedUserId={reference}")).await, 2, "{reference}");
    }
    assert_eq!(count("category=SPAM").await, 2);
    assert_eq!(count("category=SPAM&reportedUserId=bob&status=PENDING").await, 1);
    for query in ["categories=SPAM", "category=spam!", "reporter=cleo", "reportedUserId=unknown_user"] {
        root.get(&format!("/admin/reports?{query}")).await.refused(400, "VALIDATION_FAILED");
    }
}

#[tokio::test]
async fn the_audit_log_can_be_filtered_and_exported() {
    let (world, root, [ann, bob]) = world_with_root(Role::Admin, ["ann", "bob"]).await;
    let boss = administrator(&world, "boss", Role::Admin).await;
    for (admin, user, action) in [(&root, &ann, "ban"), (&root, &bob, "lock"), (&boss, &bob, "unlock")] {
        change(admin, user, action, json!({})).await.ok();
        world.advance(1).await;
    }
    let actions = async |query: &str| root.get(&format!("/admin/audit?{query}")).await.ok().column("action");
    assert_eq!(actions("actor=root").await, ["LOCK_USER", "BAN_USER"]);
    assert_eq!(actions(&format!("target={}", bob.public_id)).await, ["UNLOCK_USER", "LOCK_USER"]);
    let all = format!("target={}&action=LOCK_USER&actor={}", bob.id, root.public_id);
    assert_eq!(actions(&all).await, ["LOCK_USER"]);
    for query in ["actors=root", "actor=unknown_user"] {
        root.get(&format!("/admin/audit?{query}")).await.refused(400, "VALIDATION_FAILED");
    }
    let export = exports(&root, "").await;
    assert_eq!(export.header("content-type"), Some("application/x-ndjson"));
    let lines = export.text.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let actions: Vec<_> = lines.map(|line| line["action"].clone()).collect();
    assert_eq!(actions[..2], ["UNLOCK_USER", "LOCK_USER"]);
}

#[tokio::test]
async fn an_export_of_the_audit_log_links_to_its_next_lines() {
    let world = World::new().await;
    let (root, app) = (administrator(&world, "root", Role::Admin).await, world.app());
    for _ in 0..11 {
        let record = |_| audit::record_write(&app, None, AuditAction::EditQuest, "WRITE", None);
        app.table.transact((0..100).map(record).collect()).await.unwrap();
    }
    let (mut next, mut lengths) = (Some("?target=WRITE&action=EDIT_QUEST".to_owned()), Vec::new());
    while let Some(query) = next {
        let export = exports(&root, &query).await;
        lengths.push(export.text.lines().count());
        next =
            export.header("link").map(|link| link[1..].split_once(">; rel=\"next\"").unwrap().0.to_owned());
    }
    assert_eq!(lengths, [1000, 100]);
}
