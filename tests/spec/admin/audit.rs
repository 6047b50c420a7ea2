//! The audit log: each change by an administrator adds exactly one entry for each changed object.

use std::collections::BTreeSet;

use domain::people::users::Role;
use reqwest::Method;
use serde_json::{Value, json};
use tests::{Person, World};

use super::{administrator, change, entries, world_with_root};
use crate::{
    moderation::{
        HARMFUL,
        appeals::{appeals, decides},
        id_of, reports,
    },
    routes::document::{Operation, operations},
};

/// An operation, its JSON body, and the statuses and numbers of new audit log entries of two equal requests.
type Case = (&'static str, &'static str, [u16; 2], [usize; 2]);

/// All write operations of administrators. The parameter of a path names an object in [`Scene`].
const CASES: [Case; 25] = [
    (
        "POST /admin/daily-quests",
        r#"{"code":"READ","action":"LIKE_CREATED","requirement":1}"#,
        [201, 400],
        [1, 0],
    ),
    ("PATCH /admin/daily-quests/{code}", r#"{"requirement":2}"#, [200, 200], [1, 0]),
    ("PATCH /admin/daily-quests/{code}/disable", "null", [200, 200], [1, 0]),
    ("PATCH /admin/users/{userId}/ban", "null", [200, 200], [1, 0]),
    ("PATCH /admin/users/{userId}/temp-ban", "null", [200, 200], [1, 0]),
    ("PATCH /admin/users/{userId}/lock", r#"{"reason":"hacked"}"#, [200, 200], [1, 0]),
    ("PATCH /admin/users/{userId}/unlock", "null", [200, 200], [1, 0]),
    ("PATCH /admin/users/{userId}/roles", r#"{"roles":["ADMIN"]}"#, [200, 200], [1, 0]),
    ("PATCH /admin/reports/{reportId}", r#"{"action":"hide","adminNote":"no"}"#, [200, 200], [1, 0]),
    ("PATCH /admin/reports/{reportId}", r#"{"action":"dismiss"}"#, [200, 200], [1, 0]),
    ("PATCH /admin/reports/{reportId}", r#"{"action":"delete"}"#, [200, 200], [1, 0]),
    ("POST /admin/cases/{caseId}/decisions", r#"{"actions":["hide"],"reason":"Spam"}"#, [200, 200], [1, 0]),
    (
        "POST /admin/cases/{caseId}/decisions",
        r#"{"actions":["temp-ban"],"reason":"Spam"}"#,
        [200, 200],
        [2, 0],
    ),
    ("POST /admin/cases/{caseId}/undo", "null", [200, 400], [1, 0]),
    ("POST /admin/cases/{caseId}/assign", "null", [200, 200], [1, 0]),
    ("POST /admin/cases/{caseId}/notes", r#"{"text":"Ask the author."}"#, [200, 200], [1, 1]),
    ("POST /admin/cases/{caseId}/escalate", "null", [200, 200], [1, 0]),
    // The cases do not exist.
    (
        "POST /admin/cases/decisions",
        r#"{"cases":["01KGB5T9G0A1B2C3D4E5F6G7H8"],"actions":["hide"],"reason":"Spam"}"#,
        [200, 200],
        [0, 0],
    ),
    ("PATCH /admin/appeals/{appealId}", r#"{"action":"grant"}"#, [200, 400], [1, 0]),
    (
        "POST /admin/webhooks",
        r#"{"url":"https://service.example","events":["circle.died"]}"#,
        [201, 201],
        [1, 1],
    ),
    ("PATCH /admin/webhooks/{webhookId}", r#"{"enabled":false}"#, [200, 200], [1, 0]),
    ("PATCH /admin/webhooks/{webhookId}", r#"{"enabled":true}"#, [200, 200], [0, 0]),
    ("POST /admin/webhooks/{webhookId}/test", "null", [202, 202], [1, 1]),
    ("DELETE /admin/webhooks/{webhookId}", "null", [200, 404], [1, 0]),
    // A sign-in is not audited.
    ("POST /admin/login", r#"{"identifier":"root","password":"correct horse battery"}"#, [200, 200], [0, 0]),
];

/// The objects that the operations change.
struct Scene {
    world: World,
    root: Person,
}

#[test]
fn the_cases_include_every_admin_write_operation() {
    let writes =
        |operation: &&Operation| operation.path.starts_with("/admin/") && operation.method != Method::GET;
    let known: BTreeSet<_> = operations().iter().filter(writes).map(Operation::name).collect();
    let listed: BTreeSet<_> = CASES.map(|(operation, ..)| operation.to_owned()).into();
    assert_eq!(known, listed, "add each operation to CASES");
}

#[tokio::test]
async fn each_change_by_an_administrator_adds_an_audit_entry_per_object() {
    for (operation, body, statuses, expected) in CASES {
        let scene = Scene::new().await;
        let (method, path) = operation.split_once(' ').unwrap();
        let (method, path) = (method.parse::<Method>().unwrap(), scene.fill(path).await);
        let body: Value = serde_json::from_str(body).unwrap();
        let (mut answered, mut written) = (Vec::new(), Vec::new());
        for _ in 0..2 {
            let before = entries(&scene.root).await;
            answered.push(scene.root.call(method.clone(), &path, &body).await.status);
            written.push(entries(&scene.root).await - before);
        }
        assert_eq!((answered, written), (statuses.to_vec(), expected.to_vec()), "{operation} {body}");
    }
}

impl Scene {
    async fn new() -> Self {
        let (world, root, []) = world_with_root(Role::SuperAdmin, []).await;
        Self { world, root }
    }

    /// Replaces the path parameter with the ID of a new object.
    async fn fill(&self, path: &str) -> String {
        let Some(parameter) = path.split(['{', '}']).nth(1) else { return path.to_owned() };
        let id = match parameter {
            "code" => "DEEP_COMMENT".to_owned(),
            "userId" => self.user(path.ends_with("unlock")).await,
            "reportId" => id_of(&self.report("hello").await.0).to_owned(),
            "caseId" => self.case(path.ends_with("undo")).await,
            "appealId" => self.appeal().await,
            "webhookId" => self.webhook().await,
            other => panic!("the scene cannot create an object for {other}"),
        };
        path.replace(&format!("{{{parameter}}}"), &id)
    }

    async fn user(&self, is_locked: bool) -> String {
        let ann = self.world.person("ann").await;
        if is_locked {
            change(&self.root, &ann, "lock", Value::Null).await.ok();
        }
        ann.id
    }

    /// Creates a report on a new post. Returns the path of the report, the author, and the ID of the post.
    async fn report(&self, text: &str) -> (String, Person, String) {
        let [ann, bob] = self.world.people(["ann", "bob"]).await;
        let post = ann.writes(text).await;
        (reports(&bob, &post.id, json!({})).await, ann, post.id)
    }

    async fn case(&self, is_decided: bool) -> String {
        let (report, _, post) = self.report("hello").await;
        if is_decided {
            self.root.patch(&report, json!({ "action": "hide" })).await.ok();
        }
        post
    }

    async fn appeal(&self) -> String {
        let (_, ann, post) = self.report(HARMFUL).await;
        self.world.settle().await;
        let appeal = appeals(&ann, &post).await.ok();
        appeal.data()["id"].as_str().unwrap().to_owned()
    }

    async fn webhook(&self) -> String {
        let body = json!({ "url": "https://service.example", "events": ["circle.died"] });
        let webhook = self.root.post("/admin/webhooks", body).await.ok();
        webhook.data()["id"].as_str().unwrap().to_owned()
    }
}

#[tokio::test]
async fn concurrent_quest_disables_write_one_audit_entry() {
    let Scene { world: _world, root } = Scene::new().await;
    let quest = json!({ "code": "WRITE", "action": "POST_CREATED", "requirement": 1 });
    root.post("/admin/daily-quests", quest).await.ok();
    let before = entries(&root).await;
    let disables = (0..4).map(|_| root.patch("/admin/daily-quests/WRITE/disable", Value::Null));
    for answer in futures::future::join_all(disables).await {
        assert_eq!(answer.ok().data()["disabled"], true);
    }
    assert_eq!(entries(&root).await, before + 1);
}

#[tokio::test]
async fn a_repeated_decision_keeps_its_time_but_changes_are_audited() {
    let scene = Scene::new().await;
    let (report, ann, post) = scene.report("buy now").await;
    let hide = json!({ "action": "hide", "adminNote": "no" });
    scene.root.patch(&report, hide.clone()).await.ok();
    scene.world.advance(1).await;
    let again = scene.root.patch(&report, hide.clone()).await.ok();
    assert_eq!(json!([again.data()["status"], again.data()["adminNote"]]), json!(["HIDDEN", "no"]));
    let decided = scene.root.get("/admin/reports").await.ok().column("decidedAt");
    assert_eq!(decided, ["2026-01-01T00:00:00.000Z"], "a repetition keeps the time of the decision");
    let before = entries(&scene.root).await;
    scene.root.patch(&report, json!({ "action": "hide", "adminNote": "Spam" })).await.ok();
    assert_eq!(entries(&scene.root).await, before + 1, "the note changed");
    let other = administrator(&scene.world, "other", Role::Admin).await;
    decides(&other, &appeals(&ann, &post).await.ok(), "grant").await.ok();
    let before = entries(&scene.root).await;
    scene.root.patch(&report, json!({ "action": "hide", "adminNote": "Spam" })).await.ok();
    assert_eq!(entries(&scene.root).await, before + 1, "after the appeal, the post is hidden again");
}

#[tokio::test]
async fn the_audit_log_can_be_filtered_by_period() {
    let Scene { world, root } = Scene::new().await;
    let names = ["ann", "bob", "cleo", "dan"];
    for user in world.people(names).await {
        world.advance(60).await;
        change(&root, &user, "ban", json!({ "reason": user.name })).await.ok();
    }
    let notes = async |query: &str| root.get(&format!("/admin/audit?{query}")).await.ok().column("note");
    let [first, second, third] = [1, 2, 3].map(|minute| format!("2026-01-01T00:0{minute}:00.000Z"));
    assert_eq!(notes(&format!("from={second}")).await, ["dan", "cleo", "bob"]);
    assert_eq!(notes(&format!("from={first}&to={third}")).await, ["cleo", "bob", "ann"]);
    assert_eq!(notes(&format!("from={third}&to={second}")).await, [Value::Null; 0]);
    let pages = root.columns(&format!("/admin/audit?from={first}&to={third}"), 2, "note").await;
    assert_eq!(json!(pages), json!([["cleo", "bob"], ["ann"]]));
    let long = "a".repeat(2_047);
    for (field, value) in [("from", "yesterday"), ("to", "1"), ("target", &long)] {
        root.get(&format!("/admin/audit?{field}={value}")).await.invalid(field);
    }
}

#[tokio::test]
async fn the_audit_log_can_be_filtered_by_any_name_of_a_user() {
    let Scene { world, root } = Scene::new().await;
    let ann = world.person("ann").await;
    change(&root, &ann, "ban", json!({ "reason": "ann" })).await.ok();
    for name in ["ann", "Ann", &ann.id, &ann.public_id, &ann.public_id.to_lowercase()] {
        let found = root.get(&format!("/admin/audit?target={name}")).await.ok();
        assert_eq!(found.column("note"), ["ann"], "{name}");
    }
}

#[tokio::test]
async fn a_small_page_of_a_filtered_list_is_full() {
    let Scene { world, root } = Scene::new().await;
    let other = administrator(&world, "other", Role::Admin).await;
    let ann = world.person("ann").await;
    change(&other, &ann, "lock", json!({ "reason": "first" })).await.ok();
    for number in 0..30 {
        let action = if number % 2 == 0 { "unlock" } else { "lock" };
        change(&root, &ann, action, json!({ "reason": "later" })).await.ok();
    }
    let found = root.get("/admin/audit?actor=other&take=1").await.ok();
    assert_eq!(found.column("note"), ["first"]);
}
