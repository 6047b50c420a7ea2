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
use tests::{Answer, Person, Post, World};

use super::{decisions, notices, reports};
use crate::{admin::administrator, notifications::ticks, routes::UNKNOWN_ID};

/// Decides a case, with a fixed reason and the given fields, such as `actions`.
async fn rules(root: &Person, case: &str, fields: Value) -> Answer {
    let mut body = json!({ "reason": "It breaks a rule." });
    body.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
    root.post(&format!("/admin/cases/{case}/decisions"), body).await
}

async fn undoes(root: &Person, case: &str) -> Answer {
    root.post(&format!("/admin/cases/{case}/undo"), json!({})).await
}

async fn case(root: &Person, id: &str) -> Value {
    root.get(&format!("/admin/cases/{id}")).await.ok().data().clone()
}

async fn ids(root: &Person, query: &str) -> Vec<Value> {
    root.get(&format!("/admin/cases?{query}")).await.ok().column("id")
}

#[tokio::test]
async fn a_decision_on_a_case_decides_all_its_reports() {
    let world = World::new().await;
    let root = administrator(&world, "root", Role::Moderator).await;
    let [ann, bob, cleo] = world.people(["ann", "bob", "cleo"]).await;
    let post = ann.writes("buy now").await;
    let mut last = String::new();
    for reporter in [&bob, &cleo, &cleo] {
        last = reports(reporter, &post.id, json!({})).await;
        world.advance(1).await;
    }
    world.settle().await;
    let decided =
        rules(&root, &post.id, json!({ "actions": ["hide", "warn"], "warning": "Stop it." })).await.ok();
    assert_eq!(
        (&decided.data()["status"], &decided.data()["outcome"]["actions"]),
        (&json!("HIDDEN"), &json!(["hide", "warn"]))
    );
    rules(&root, &post.id, json!({ "actions": ["hide", "warn"], "warning": "Stop it." })).await.ok();
    ticks(&world).await;
    let all = root.get(&format!("/admin/reports?targetId={}", post.id)).await.ok();
    assert_eq!(all.column("status"), ["HIDDEN"; 3]);
    assert_eq!(notices(&bob).await.len(), 1);
    let [[_, report, count]]: [[Value; 3]; 1] = notices(&cleo).await.try_into().unwrap();
    assert_eq!((report.as_str(), count), (last.rsplit('/').next(), json!(1)), "only of the latest report");
    let row = &decisions(&ann).await[0];
    assert_eq!((&row["measure"], &row["warning"]), (&json!("HIDDEN"), &json!("Stop it.")));
    assert_eq!(root.get("/admin/stats").await.status, 403, "a moderator cannot read the statistics");
    assert_eq!(
        case(&root, &post.id).await["history"].as_array().map(Vec::len),
        Some(1),
        "a repeated decision adds no entry to the history"
    );
}

#[tokio::test]
async fn a_later_decision_on_a_report_changes_all_reports_of_the_case() {
    let world = World::new().await;
    let root = administrator(&world, "root", Role::Moderator).await;
    let [ann, bob, cleo] = world.people(["ann", "bob", "cleo"]).await;
    let post = ann.writes("buy now").await;
    let first = reports(&bob, &post.id, json!({})).await;
    let second = reports(&cleo, &post.id, json!({})).await;
    root.patch(&first, json!({ "action": "hide" })).await.ok();
    world.settle().await;
    world.advance(1).await;
    root.patch(&second, json!({ "action": "dismiss" })).await.ok();
    world.settle().await;
    assert_eq!(root.get("/admin/reports").await.ok().column("status"), ["DISMISSED"; 2]);
    assert_eq!(bob.sees(&post).await["isHidden"], false);
}

#[tokio::test]
async fn the_error_for_an_invalid_decision_names_the_field() {
    let world = World::new().await;
    let root = administrator(&world, "root", Role::Admin).await;
    let [ann, bob] = world.people(["ann", "bob"]).await;
    let post = ann.writes("hello").await;
    reports(&bob, &post.id, json!({})).await;
    reports(&bob, &post.id, json!({ "type": "user" })).await;
    for (target, fields, field) in [
        (&post.id, json!({ "actions": [] }), "actions"),
        (&post.id, json!({ "actions": ["hide", "delete"] }), "actions"),
        (&post.id, json!({ "actions": ["dismiss", "warn"], "warning": "x" }), "actions"),
        (&post.id, json!({ "actions": ["ban", "temp-ban"] }), "actions"),
        (&post.id, json!({ "actions": ["hide", "hide"] }), "actions"),
        (&post.id, json!({ "actions": ["warn"] }), "warning"),
        (&post.id, json!({ "actions": ["hide"], "warning": "x" }), "warning"),
        (&post.id, json!({ "actions": ["ban"], "bannedUntil": "2030-01-01T00:00:00.000Z" }), "bannedUntil"),
        (
            &post.id,
            json!({ "actions": ["temp-ban"], "bannedUntil": "2020-01-01T00:00:00.000Z" }),
            "bannedUntil",
        ),
        (
            &post.id,
            json!({ "actions": ["temp-ban"], "bannedUntil": "9999-12-31T23:59:59.000Z" }),
            "bannedUntil: must be a time like 2026-01-31T09:30:00.000Z, at most 9999-12-30",
        ),
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
    let world = World::new().await;
    let [root, boss] =
        [administrator(&world, "root", Role::Admin).await, administrator(&world, "boss", Role::Admin).await];
    let [ann, bob, cleo] = world.people(["ann", "bob", "cleo"]).await;
    for round in 0..4 {
        let post: Post = ann.writes(&format!("post {round}")).await;
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
    let world = World::new().await;
    let root = administrator(&world, "root", Role::Moderator).await;
    let [ann, bob, cleo] = world.people(["ann", "bob", "cleo"]).await;
    let post = ann.writes("hello").await;
    reports(&bob, &post.id, json!({})).await;
    rules(&root, &post.id, json!({ "actions": ["dismiss"] })).await.ok();
    world.advance(1).await;
    reports(&cleo, &post.id, json!({})).await;
    world.settle().await;
    let row = root.get("/admin/cases").await.ok().rows()[0].clone();
    assert_eq!((&row["reportsCount"], &row["outcome"]), (&json!(1), &Value::Null));
    let all = root.get(&format!("/admin/reports?targetId={}", post.id)).await.ok();
    assert_eq!(all.column("status"), ["PENDING", "DISMISSED"]);
    undoes(&root, &post.id).await.refused(400, "VALIDATION_FAILED");
}

#[tokio::test]
async fn moderators_can_assign_escalate_and_comment_on_cases() {
    let world = World::new().await;
    let root = administrator(&world, "root", Role::Admin).await;
    let moderator = administrator(&world, "mod", Role::Moderator).await;
    let [ann, bob] = world.people(["ann", "bob"]).await;
    let post = ann.writes("hello").await;
    reports(&bob, &post.id, json!({})).await;
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
    let kinds: Vec<_> = history.as_array().unwrap().iter().map(|event| event["kind"].clone()).collect();
    assert_eq!(kinds, ["DECIDED", "ESCALATED", "NOTED", "ASSIGNED", "ASSIGNED"]);
    assert_eq!(
        root.post(&path("assign"), json!({ "assignee": null })).await.ok().data()["assignee"],
        Value::Null
    );
}

#[tokio::test]
async fn moderators_cannot_decide_cases_that_they_reported() {
    let world = World::new().await;
    let [root, boss] =
        [administrator(&world, "root", Role::Admin).await, administrator(&world, "boss", Role::Admin).await];
    let bob = world.person("bob").await;
    let [post, own] = [bob.writes("hello").await, root.writes("mine").await];
    reports(&root, &post.id, json!({})).await;
    reports(&bob, &own.id, json!({})).await;
    root.get(&format!("/admin/cases/{}", own.id)).await.refused(403, "FORBIDDEN");
    root.post(&format!("/admin/cases/{}/notes", own.id), json!({ "text": "x" }))
        .await
        .refused(403, "FORBIDDEN");
    for target in [&post.id, &own.id] {
        rules(&root, target, json!({ "actions": ["dismiss"] })).await.refused(403, "FORBIDDEN");
        rules(&boss, target, json!({ "actions": ["dismiss"] })).await.ok();
    }
}

#[tokio::test]
async fn many_cases_can_be_decided_with_one_request() {
    let world = World::new().await;
    let root = administrator(&world, "root", Role::Moderator).await;
    let [ann, bob] = world.people(["ann", "bob"]).await;
    let mut cases = Vec::new();
    for text in ["one", "two"] {
        let post = ann.writes(text).await;
        reports(&bob, &post.id, json!({})).await;
        cases.push(post.id);
    }
    let own = root.writes("mine").await;
    reports(&bob, &own.id, json!({})).await;
    cases.extend([own.id, UNKNOWN_ID.to_owned()]);
    let body = json!({ "cases": cases, "actions": ["hide"], "reason": "Spam" });
    let results = root.post("/admin/cases/decisions", body.clone()).await.ok();
    let results = results.data().as_array().unwrap().clone();
    let statuses: Vec<_> = results.iter().map(|result| result["status"].clone()).collect();
    assert_eq!(statuses, [json!("HIDDEN"), json!("HIDDEN"), Value::Null, Value::Null]);
    assert!(results[2]["error"].as_str().is_some_and(|error| error.contains("yourself")), "{results:?}");
    assert_eq!(results[3]["error"], "no such case");
    for cases in [json!([]), json!(vec![UNKNOWN_ID; 101])] {
        let body = json!({ "cases": cases, "actions": ["hide"], "reason": "Spam" });
        root.post("/admin/cases/decisions", body).await.refused(400, "VALIDATION_FAILED");
    }
}
