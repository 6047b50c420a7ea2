//! Moderation decisions that authors and reporters can read.

pub(crate) mod appeals;
mod cases;
mod hiding;
mod moderators;
mod settling;

use domain::people::users::Role;
use serde_json::{Value, json};
use tests::{Person, Post, World};

use crate::{
    admin::world_with_root,
    circles::{
        creates_circle,
        posts::{id, writes_in},
    },
    notifications::{notifications, ticks},
};

pub(crate) const HARMFUL: &str = "Tao sẽ giết mày";

/// Reports a post, and returns the path of the report.
pub(crate) async fn reports(user: &Person, post: &str, body: Value) -> String {
    let mut report = json!({ "reason": "It is bad.", "type": "post" });
    report.as_object_mut().unwrap().extend(body.as_object().unwrap().clone());
    let reported = user.post(&format!("/posts/{post}/report"), report).await.ok();
    format!("/admin/reports/{}", reported.data()["id"].as_str().unwrap())
}

/// Starts a world in which `bob` reported a post by `ann`. The administrator `root` has this role.
pub(crate) async fn reported_post(role: Role, text: &str) -> (World, Person, [Person; 2], Post) {
    let (world, root, [ann, bob]) = world_with_root(role, ["ann", "bob"]).await;
    let post = ann.writes(text).await;
    reports(&bob, &post.id, json!({})).await;
    (world, root, [ann, bob], post)
}

/// Returns the ID in the path of a report.
pub(crate) fn id_of(report: &str) -> &str {
    report.rsplit('/').next().unwrap()
}

/// Makes an administrator hide a reported post.
pub(crate) async fn hides(root: &Person, report: &str) {
    let body = json!({ "action": "hide", "adminNote": "secret", "reason": "It sells things." });
    root.patch(report, body).await.ok();
}

/// Returns the moderation decisions about the user's posts.
pub(crate) async fn decisions(user: &Person) -> Vec<Value> {
    user.get("/me/moderation").await.ok().rows().to_vec()
}

/// Returns the target type, target ID and event count of each moderation notification of the user.
pub(crate) async fn notices(user: &Person) -> Vec<[Value; 3]> {
    let rows = notifications(user).await;
    let rows = rows.iter().filter(|row| row["type"] == "MODERATION");
    rows.map(|row| [&row["targetType"], &row["targetId"], &row["count"]].map(Value::clone)).collect()
}

#[tokio::test]
async fn only_the_author_can_read_the_judges_decision_on_a_post() {
    let (world, [ann, bob]) = World::with(["ann", "bob"]).await;
    let post = ann.writes(HARMFUL).await;
    let report = reports(&bob, &post.id, json!({ "category": "VIOLENCE" })).await;
    world.settle().await;
    ticks(&world).await;
    let rows = decisions(&ann).await;
    assert_eq!(rows.len(), 1);
    let row = &rows[0];
    let fields = ["id", "postId", "measure", "decider", "category", "restoredAt", "appeal"];
    let expected = json!([post.id, post.id, "HIDDEN", "JUDGE", "VIOLENCE", null, null]);
    assert_eq!(json!(fields.map(|field| &row[field])), expected);
    assert!(row["reason"].as_str().is_some_and(|reason| !reason.is_empty()), "{row}");
    assert_eq!(notices(&ann).await, [[json!("MODERATION_DECISION"), json!(post.id), json!(1)]]);
    let notice = &notifications(&ann).await[0];
    assert_eq!((&notice["actorIds"], &notice["lastActorId"]), (&json!([]), &Value::Null));
    let notice = [json!("REPORT"), json!(id_of(&report)), json!(1)];
    assert_eq!(notices(&bob).await, [notice], "the reporter is notified");
    assert!(decisions(&bob).await.is_empty());
    assert!(!row.to_string().contains(&bob.id), "the reporter is not named");
    world.anyone.get("/me/moderation").await.refused(401, "UNAUTHORIZED");
}

#[tokio::test]
async fn a_decision_does_not_name_the_administrator() {
    let (world, root, [ann, bob]) = world_with_root(Role::Admin, ["ann", "bob"]).await;
    let post = ann.writes("buy now").await;
    let report = reports(&bob, &post.id, json!({})).await;
    hides(&root, &report).await;
    world.advance(1).await;
    hides(&root, &report).await;
    let row = &decisions(&ann).await[0];
    assert_eq!((&row["decider"], &row["reason"]), (&json!("ADMINISTRATOR"), &json!("It sells things.")));
    assert_eq!(row["category"], "OTHER");
    for secret in [root.id.as_str(), root.name.as_str(), "secret", &bob.id] {
        assert!(!row.to_string().contains(secret), "{secret} in {row}");
    }
    ticks(&world).await;
    let notice = [json!("MODERATION_DECISION"), json!(post.id), json!(1)];
    assert_eq!(notices(&ann).await, [notice], "a repeated decision notifies once");
    root.patch(&report, json!({ "action": "dismiss" })).await.ok();
    let row = &decisions(&ann).await[0];
    assert_eq!(row["restoredAt"], json!(world.app().now()));
    root.patch(&report, json!({ "action": "delete" })).await.ok();
    let rows = decisions(&ann).await;
    assert_eq!(json!([rows.len(), rows[0]["measure"], rows[0]["restoredAt"]]), json!([1, "DELETED", null]));
    ticks(&world).await;
    assert_eq!(notices(&ann).await[0][2], 3, "hidden, restored, deleted");
}

#[tokio::test]
async fn a_dismissed_report_notifies_only_its_reporter() {
    let (world, root, [ann, bob, cleo]) = world_with_root(Role::Admin, ["ann", "bob", "cleo"]).await;
    let post = ann.writes("hello").await;
    let both = [reports(&bob, &post.id, json!({})).await, reports(&cleo, &post.id, json!({})).await];
    ann.blocks(&cleo).await;
    world.settle().await;
    for report in &both {
        root.patch(report, json!({ "action": "dismiss" })).await.ok();
    }
    ticks(&world).await;
    assert_eq!(notices(&bob).await.len(), 1);
    let message = "Your report has been decided. See the result in your reports.";
    assert_eq!(notifications(&bob).await[0]["message"], message);
    let own = bob.get("/me/reports").await.ok();
    assert_eq!(own.column("status"), ["DISMISSED"]);
    assert_eq!(own.column("targetId"), [json!(post.id)]);
    assert!(ann.get("/me/reports").await.ok().rows().is_empty());
    assert!(notices(&cleo).await.is_empty(), "a block hides the author");
    assert!(notices(&ann).await.is_empty());
    assert!(decisions(&ann).await.is_empty());
}

#[tokio::test]
async fn a_reporter_sees_whether_the_judge_hid_the_post() {
    let (world, [ann, bob]) = World::with(["ann", "bob"]).await;
    let (harmless, harmful) = (ann.writes("hello").await, ann.writes(HARMFUL).await);
    for post in [&harmless, &harmful] {
        reports(&bob, &post.id, json!({})).await;
        world.advance(1).await;
    }
    world.settle().await;
    let own = bob.get("/me/reports").await.ok();
    assert_eq!(own.column("status"), ["PENDING", "PENDING"], "an administrator can still decide");
    assert_eq!(own.column("hid"), [true, false]);
}

#[tokio::test]
async fn a_report_has_a_category() {
    let (world, root, [_, bob], post) = reported_post(Role::Admin, "hello").await;
    world.advance(1).await;
    reports(&bob, &post.id, json!({ "category": "SELF_HARM" })).await;
    assert_eq!(root.get("/admin/reports").await.ok().column("category"), ["SELF_HARM", "OTHER"]);
    let pages = bob.columns("/me/reports", 1, "category").await;
    assert_eq!(json!(pages), json!([["SELF_HARM"], ["OTHER"]]));
    for bad in [json!("FUN"), json!("spam"), json!(1)] {
        let body = json!({ "reason": "x", "type": "post", "category": bad });
        bob.post(&post.path("/report"), body).await.refused(400, "VALIDATION_FAILED");
    }
}

#[tokio::test]
async fn decisions_on_all_posts_are_listed_newest_first() {
    let (world, [ann, bob]) = World::builder().without_ticks().start_with(["ann", "bob"]).await;
    let circle = creates_circle(&ann, "Night readers").await;
    let mut hidden = vec![id(&writes_in(&ann, &circle, HARMFUL).await.ok())];
    hidden.push(ann.writes(HARMFUL).await.id);
    for post in &hidden {
        reports(&bob, post, json!({})).await;
        world.settle().await;
        world.advance(1).await;
    }
    let pages = ann.columns("/me/moderation", 1, "id").await;
    assert_eq!(json!(pages), json!([[hidden[1]], [hidden[0]]]));
    let below = ann.get(&format!("/me/moderation?after={}", hidden[1])).await.ok();
    assert_eq!(below.column("id"), [json!(hidden[0])], "the id of the last row is a cursor too");
    ann.get("/me/moderation?after=x").await.refused(400, "VALIDATION_FAILED");
}
