//! Cases: a case has all reports about one user or post, and the decision about them.

mod assignments;
mod bans;
mod deleted;
mod evidence;
mod lifted;
mod lists;
mod people;
mod undo;

use domain::people::users::Role;
use serde_json::{Value, json};
use tests::{Answer, Person};

use super::{decisions, id_of, notices, reported_post, reports};
use crate::{
    admin::{administrator, world_with_root},
    notifications::ticks,
    routes::UNKNOWN_ID,
};

/// 30 days. Then evidence is erased, and cases about deleted users close.
const MONTH_SECONDS: u64 = 30 * 24 * 60 * 60;

/// The error for a ban that ends too late.
const TIME_RULE: &str = "bannedUntil: must be a time like 2026-01-31T09:30:00.000Z, at most 9999-12-30";

/// Decides a case, with a fixed reason and the given fields, such as `actions`.
async fn rules(root: &Person, case: &str, fields: Value) -> Answer {
    let mut body = json!({ "reason": "It breaks a rule." });
    body.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
    root.post(&format!("/admin/cases/{case}/decisions"), body).await
}

async fn undoes(root: &Person, case: &str) -> Answer {
    root.post(&format!("/admin/cases/{case}/undo"), json!({})).await
}

pub(super) async fn case(root: &Person, id: &str) -> Value {
    root.get(&format!("/admin/cases/{id}")).await.ok().data().clone()
}

/// Returns the kinds of the events in the history of a case.
fn kinds(history: &Value) -> Vec<Value> {
    history.as_array().unwrap().iter().map(|event| event["kind"].clone()).collect()
}

async fn ids(root: &Person, query: &str) -> Vec<Value> {
    root.get(&format!("/admin/cases?{query}")).await.ok().column("id")
}

#[tokio::test]
async fn a_decision_on_a_case_decides_all_its_reports() {
    let (world, root, [ann, bob, cleo]) = world_with_root(Role::Moderator, ["ann", "bob", "cleo"]).await;
    let post = ann.writes("buy now").await;
    let mut last = String::new();
    for reporter in [&bob, &cleo, &cleo] {
        last = reports(reporter, &post.id, json!({})).await;
        world.advance(1).await;
    }
    world.settle().await;
    let body = json!({ "actions": ["hide", "warn"], "warning": "Stop it." });
    let decided = rules(&root, &post.id, body.clone()).await.ok();
    assert_eq!(decided.data()["status"], "HIDDEN");
    assert_eq!(decided.data()["outcome"]["actions"], json!(["hide", "warn"]));
    rules(&root, &post.id, body).await.ok();
    ticks(&world).await;
    let all = root.get(&format!("/admin/reports?targetId={}", post.id)).await.ok();
    assert_eq!(all.column("status"), ["HIDDEN"; 3]);
    assert_eq!(notices(&bob).await.len(), 1);
    let notice = [json!("REPORT"), json!(id_of(&last)), json!(1)];
    assert_eq!(notices(&cleo).await, [notice], "only of the latest report");
    let row = &decisions(&ann).await[0];
    assert_eq!(json!([row["measure"], row["warning"]]), json!(["HIDDEN", "Stop it."]));
    assert_eq!(root.get("/admin/stats").await.status, 403, "a moderator cannot read the statistics");
    let history = case(&root, &post.id).await["history"].clone();
    assert_eq!(kinds(&history), ["DECIDED"], "a repeated decision adds no entry to the history");
}

#[tokio::test]
async fn the_error_for_an_invalid_decision_names_the_field() {
    let (_world, root, [ann, bob], post) = reported_post(Role::Admin, "hello").await;
    reports(&bob, &post.id, json!({ "type": "user" })).await;
    let until = |time: &str| json!({ "actions": ["temp-ban"], "bannedUntil": time });
    for (target, fields, field) in [
        (&post.id, json!({ "actions": [] }), "actions"),
        (&post.id, json!({ "actions": ["hide", "delete"] }), "actions"),
        (&post.id, json!({ "actions": ["dismiss", "warn"], "warning": "x" }), "actions"),
        (&post.id, json!({ "actions": ["ban", "temp-ban"] }), "actions"),
        (&post.id, json!({ "actions": ["hide", "hide"] }), "actions"),
        (&post.id, json!({ "actions": ["warn"] }), "warning"),
        (&post.id, json!({ "actions": ["hide"], "warning": "x" }), "warning"),
        (&post.id, json!({ "actions": ["ban"], "bannedUntil": "2030-01-01T00:00:00.000Z" }), "bannedUntil"),
        (&post.id, until("2020-01-01T00:00:00.000Z"), "bannedUntil"),
        (&post.id, until("9999-12-31T23:59:59.000Z"), TIME_RULE),
        (&post.id, json!({ "actions": ["hide"], "reason": "" }), "reason"),
        (&ann.public_id, json!({ "actions": ["hide"] }), "actions"),
    ] {
        rules(&root, target, fields).await.invalid(field);
    }
    assert_eq!(ids(&root, "").await.len(), 2, "nothing was decided");
    rules(&root, &ann.public_id, json!({ "actions": ["warn"], "warning": "Be kind." })).await.ok();
    assert_eq!(decisions(&ann).await[0]["id"], json!(ann.public_id));
}

#[tokio::test]
async fn concurrent_decisions_leave_a_post_and_its_reports_consistent() {
    let (world, root, [ann, bob, cleo]) = world_with_root(Role::Admin, ["ann", "bob", "cleo"]).await;
    let boss = administrator(&world, "boss", Role::Admin).await;
    for round in 0..4 {
        let post = ann.writes(&format!("post {round}")).await;
        for reporter in [&bob, &cleo] {
            reports(reporter, &post.id, json!({})).await;
        }
        let both = futures::join!(
            rules(&root, &post.id, json!({ "actions": ["delete"] })),
            rules(&boss, &post.id, json!({ "actions": ["dismiss"] })),
        );
        assert_eq!([both.0.status, both.1.status], [200, 200]);
        world.settle().await;
        let status = case(&root, &post.id).await["status"].clone();
        let reports = root.get(&format!("/admin/reports?targetId={}", post.id)).await.ok().column("status");
        assert_eq!(reports, [status.clone(), status.clone()]);
        let expected = if status == "DELETED" { 404 } else { 200 };
        assert_eq!(bob.get(&post.path("")).await.status, expected, "{status}");
        world.advance(1).await;
    }
}

#[tokio::test]
async fn a_new_report_reopens_a_decided_case() {
    let (world, root, [ann, bob, cleo]) = world_with_root(Role::Moderator, ["ann", "bob", "cleo"]).await;
    let post = ann.writes("hello").await;
    reports(&bob, &post.id, json!({})).await;
    rules(&root, &post.id, json!({ "actions": ["dismiss"] })).await.ok();
    world.advance(1).await;
    reports(&cleo, &post.id, json!({})).await;
    world.settle().await;
    let row = root.get("/admin/cases").await.ok().rows()[0].clone();
    assert_eq!(json!([row["reportsCount"], row["outcome"]]), json!([1, null]));
    let all = root.get(&format!("/admin/reports?targetId={}", post.id)).await.ok();
    assert_eq!(all.column("status"), ["PENDING", "DISMISSED"]);
    undoes(&root, &post.id).await.refused(400, "VALIDATION_FAILED");
}

#[tokio::test]
async fn moderators_can_assign_escalate_and_comment_on_cases() {
    let (world, root, _, post) = reported_post(Role::Admin, "hello").await;
    let moderator = administrator(&world, "mod", Role::Moderator).await;
    let path = |action: &str| format!("/admin/cases/{}/{action}", post.id);
    moderator.post(&path("assign"), json!({})).await.ok();
    assert_eq!(ids(&root, "assignee=mod").await, [json!(post.id)]);
    moderator.post(&path("assign"), json!({ "assignee": "root" })).await.ok();
    assert_eq!(ids(&root, "assignee=mod").await, Vec::<Value>::new());
    moderator.post(&path("assign"), json!({ "assignee": "bob" })).await.refused(400, "VALIDATION_FAILED");
    moderator.post(&path("notes"), json!({ "text": "Ask Ann." })).await.ok();
    moderator.post(&path("escalate"), json!({})).await.ok();
    rules(&moderator, &post.id, json!({ "actions": ["dismiss"] })).await.refused(403, "FORBIDDEN");
    rules(&root, &post.id, json!({ "actions": ["dismiss"] })).await.ok();
    moderator.post(&path("undo"), json!({})).await.refused(403, "FORBIDDEN");
    let history = case(&root, &post.id).await["history"].clone();
    assert_eq!(kinds(&history), ["DECIDED", "ESCALATED", "NOTED", "ASSIGNED", "ASSIGNED"]);
    let unassigned = root.post(&path("assign"), json!({ "assignee": null })).await.ok();
    assert_eq!(unassigned.data()["assignee"], Value::Null);
}

#[tokio::test]
async fn moderators_cannot_decide_reports_and_cases_by_or_about_themselves() {
    let (world, root, [bob]) = world_with_root(Role::Admin, ["bob"]).await;
    let boss = administrator(&world, "boss", Role::Admin).await;
    let [post, own] = [bob.writes("hello").await, root.writes("mine").await];
    let by_root = reports(&root, &post.id, json!({})).await;
    let about_post = reports(&bob, &own.id, json!({})).await;
    let about_user = reports(&bob, &own.id, json!({ "type": "user" })).await;
    root.get(&format!("/admin/cases/{}", own.id)).await.refused(403, "FORBIDDEN");
    let notes = format!("/admin/cases/{}/notes", own.id);
    root.post(&notes, json!({ "text": "x" })).await.refused(403, "FORBIDDEN");
    for report in [&about_post, &about_user] {
        let refused = root.patch(report, json!({ "action": "dismiss" })).await;
        assert_eq!(refused.refused(403, "FORBIDDEN"), "you cannot decide on a report about yourself");
    }
    root.patch(&by_root, json!({ "action": "dismiss" })).await.refused(403, "FORBIDDEN");
    for target in [&post.id, &own.id] {
        rules(&root, target, json!({ "actions": ["dismiss"] })).await.refused(403, "FORBIDDEN");
        rules(&boss, target, json!({ "actions": ["dismiss"] })).await.ok();
    }
    for report in [&about_post, &about_user, &by_root] {
        boss.patch(report, json!({ "action": "dismiss" })).await.ok();
    }
}

#[tokio::test]
async fn many_cases_can_be_decided_with_one_request() {
    let (_world, root, [ann, bob]) = world_with_root(Role::Moderator, ["ann", "bob"]).await;
    let posts = [ann.writes("one").await, ann.writes("two").await, root.writes("mine").await];
    for post in &posts {
        reports(&bob, &post.id, json!({})).await;
    }
    let decide = async |cases: Value| {
        let body = json!({ "cases": cases, "actions": ["hide"], "reason": "Spam" });
        root.post("/admin/cases/decisions", body).await
    };
    let [first, second, own] = posts.map(|post| post.id);
    let results = decide(json!([first, second, own, UNKNOWN_ID])).await.ok();
    assert_eq!(results.column("status"), [json!("HIDDEN"), json!("HIDDEN"), Value::Null, Value::Null]);
    let errors = results.column("error");
    assert!(errors[2].as_str().is_some_and(|error| error.contains("yourself")), "{results}");
    assert_eq!(errors[3], "no such case");
    for cases in [json!([]), json!(vec![UNKNOWN_ID; 101])] {
        decide(cases).await.refused(400, "VALIDATION_FAILED");
    }
}
