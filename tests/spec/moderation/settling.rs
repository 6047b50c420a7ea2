//! One decision decides all reports about the same target.

use domain::{
    ledger::audit::{self, AuditAction},
    people::users::Role,
};
use serde_json::{Value, json};
use tests::{Person, World};

use super::{
    HARMFUL,
    appeals::{appeals, decides},
    hides, reports,
};
use crate::{
    admin::administrator,
    notifications::{notifications, ticks},
};

async fn statuses(root: &Person, query: &str) -> Vec<Value> {
    root.get(&format!("/admin/reports?{query}")).await.ok().column("status")
}

#[tokio::test]
async fn a_decision_decides_all_reports_about_the_target() {
    let world = World::new().await;
    let root = administrator(&world, "root", Role::Admin).await;
    let [ann, bob, cleo, dan] = world.people(["ann", "bob", "cleo", "dan"]).await;
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
    let world = World::new().await;
    let root = administrator(&world, "root", Role::Admin).await;
    let [ann, bob] = world.people(["ann", "bob"]).await;
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
async fn administrators_cannot_decide_their_own_reports() {
    let world = World::new().await;
    let root = administrator(&world, "root", Role::Admin).await;
    let boss = administrator(&world, "boss", Role::Admin).await;
    let ann = world.person("ann").await;
    let post = ann.writes("buy now").await;
    let report = reports(&root, &post.id, json!({})).await;
    world.settle().await;
    root.patch(&report, json!({ "action": "dismiss" })).await.refused(403, "FORBIDDEN");
    boss.patch(&report, json!({ "action": "dismiss" })).await.ok();
}

#[tokio::test]
async fn a_granted_appeal_dismisses_the_reports() {
    let world = World::new().await;
    let root = administrator(&world, "root", Role::Admin).await;
    let [ann, bob] = world.people(["ann", "bob"]).await;
    let post = ann.writes(HARMFUL).await;
    reports(&bob, &post.id, json!({})).await;
    world.settle().await;
    let appeal = appeals(&ann, &post.id).await.ok();
    assert_eq!(statuses(&root, "status=PENDING").await, ["PENDING"]);
    decides(&root, &appeal, "grant").await.ok();
    world.settle().await;
    assert_eq!(statuses(&root, &format!("targetId={}", post.id)).await, ["DISMISSED"]);
}

#[tokio::test]
async fn reports_can_be_filtered_by_category_and_reported_user() {
    let world = World::new().await;
    let root = administrator(&world, "root", Role::Admin).await;
    let [ann, bob, cleo] = world.people(["ann", "bob", "cleo"]).await;
    let [first, second] = [ann.writes("one").await, bob.writes("two").await];
    reports(&cleo, &first.id, json!({ "category": "SPAM" })).await;
    reports(&cleo, &second.id, json!({ "category": "HATE" })).await;
    reports(&cleo, &second.id, json!({ "type": "user", "category": "SPAM" })).await;
    world.settle().await;
    let ids = async |query: &str| root.get(&format!("/admin/reports?{query}")).await.ok().rows().len();
    for reference in ["bob", &bob.public_id, &bob.id] {
        assert_eq!(ids(&format!("reportedUserId={reference}")).await, 2, "{reference}");
    }
    assert_eq!(ids("category=SPAM").await, 2);
    assert_eq!(ids("category=SPAM&reportedUserId=bob&status=PENDING").await, 1);
    for query in ["categories=SPAM", "category=spam!", "reporter=cleo", "reportedUserId=unknown_user"] {
        root.get(&format!("/admin/reports?{query}")).await.refused(400, "VALIDATION_FAILED");
    }
}

#[tokio::test]
async fn the_audit_log_can_be_filtered_and_exported() {
    let world = World::new().await;
    let root = administrator(&world, "root", Role::Admin).await;
    let boss = administrator(&world, "boss", Role::Admin).await;
    let [ann, bob] = world.people(["ann", "bob"]).await;
    for (admin, user, action) in [(&root, &ann, "ban"), (&root, &bob, "lock"), (&boss, &bob, "unlock")] {
        admin.patch(&format!("/admin/users/{}/{action}", user.id), json!({})).await.ok();
        world.advance(1).await;
    }
    let actions = async |query: &str| root.get(&format!("/admin/audit?{query}")).await.ok().column("action");
    assert_eq!(actions("actor=root").await, ["LOCK_USER", "BAN_USER"]);
    assert_eq!(actions(&format!("target={}", bob.public_id)).await, ["UNLOCK_USER", "LOCK_USER"]);
    assert_eq!(
        actions(&format!("target={}&action=LOCK_USER&actor={}", bob.id, root.public_id)).await,
        ["LOCK_USER"]
    );
    for query in ["actors=root", "actor=unknown_user"] {
        root.get(&format!("/admin/audit?{query}")).await.refused(400, "VALIDATION_FAILED");
    }
    let export = root.request(reqwest::Method::GET, "/admin/audit").header("accept", "application/x-ndjson");
    let export = export.send().await.unwrap();
    assert_eq!(export.headers()["content-type"], "application/x-ndjson");
    let text = export.text().await.unwrap();
    let actions: Vec<_> =
        text.lines().map(|line| serde_json::from_str::<Value>(line).unwrap()["action"].clone()).collect();
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
        let path = format!("/admin/audit{query}");
        let export = root.request(reqwest::Method::GET, &path).header("accept", "application/x-ndjson");
        let export = export.send().await.unwrap();
        let link = export.headers().get("link").map(|link| link.to_str().unwrap().to_owned());
        lengths.push(export.text().await.unwrap().lines().count());
        next = link.map(|link| link[1..].split_once(">; rel=\"next\"").unwrap().0.to_owned());
    }
    assert_eq!(lengths, [1000, 100]);
}
