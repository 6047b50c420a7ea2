//! Appeals against moderation decisions.

use domain::people::users::Role;
use serde_json::json;
use tests::{Answer, Client, Fault, Person, World};

use super::{HARMFUL, cases::case, decisions, hides, notices, reported_post, reports};
use crate::{
    admin::{administrator, start_with_root, world_with_root},
    circles::{
        creates_circle,
        posts::{id, writes_in},
    },
    deletion::{runs_deletions, traces::rows_with},
    notifications::ticks,
    routes::UNKNOWN_ID,
};

pub(crate) async fn appeals(user: &Client, post: &str) -> Answer {
    user.post(&format!("/me/moderation/{post}/appeal"), json!({ "text": "I quoted it." })).await
}

pub(crate) async fn decides(user: &Person, appeal: &Answer, action: &str) -> Answer {
    let path = format!("/admin/appeals/{}", appeal.data()["id"].as_str().unwrap());
    user.patch(&path, json!({ "action": action, "adminNote": "looked at it" })).await
}

#[tokio::test]
async fn a_granted_appeal_restores_the_post_everywhere_and_dismisses_its_case() {
    let (world, root, [ann, bob]) = world_with_root(Role::Admin, ["ann", "bob"]).await;
    bob.follows(&ann).await;
    let post = ann.writes(HARMFUL).await;
    reports(&bob, &post.id, json!({})).await;
    world.settle().await;
    let statuses = async || root.get("/admin/reports").await.ok().column("status");
    let lists = ["/posts/news-feed", "/search?q=giết", &format!("/user/{}/posts", ann.name)];
    for list in lists {
        assert!(bob.get(list).await.ok().rows().is_empty(), "{list}");
    }
    let appeal = appeals(&ann, &post.id).await.ok();
    assert_eq!(json!([appeal.status, appeal.data()["status"]]), json!([201, "PENDING"]));
    assert_eq!(statuses().await, ["PENDING"]);
    appeals(&ann, &post.id).await.refused(400, "VALIDATION_FAILED");
    let pending = root.get("/admin/appeals?status=PENDING").await.ok();
    let row = &pending.rows()[0];
    let fields = ["userId", "postId", "text", "decider", "hiddenBy"].map(|field| &row[field]);
    assert_eq!(json!(fields), json!([ann.public_id, post.id, "I quoted it.", "JUDGE", null]));
    world.advance(1).await;
    world.faults.next("TransactWriteItems", Fault::CrashAfter);
    decides(&root, &appeal, "grant").await;
    world.faults.calm();
    decides(&root, &appeal, "uphold").await.refused(400, "VALIDATION_FAILED");
    world.settle().await;
    assert_eq!(statuses().await, ["DISMISSED"]);
    for list in lists {
        assert_eq!(bob.get(list).await.ok().rows().len(), 1, "{list}");
    }
    assert_eq!(bob.sees(&post).await["isHidden"], false);
    let row = &decisions(&ann).await[0];
    assert_eq!(json!([row["appeal"]["status"], row["restoredAt"]]), json!(["GRANTED", world.app().now()]));
    assert!(root.get("/admin/appeals?status=PENDING").await.ok().rows().is_empty());
    assert_eq!(root.get("/admin/appeals?status=GRANTED").await.ok().column("adminNote"), ["looked at it"]);
    assert_eq!(root.get("/admin/audit").await.ok().rows()[0]["action"], "GRANT_APPEAL");
    assert_eq!(case(&root, &post.id).await["status"], "DISMISSED");
    ticks(&world).await;
    assert_eq!(notices(&ann).await[0][2], 2, "the author is notified twice: hidden, restored");
    reports(&bob, &post.id, json!({})).await;
    world.settle().await;
    assert_eq!(bob.sees(&post).await["isHidden"], false, "the judge does not override an administrator");
}

#[tokio::test]
async fn a_refused_appeal_notifies_the_author() {
    let (world, root, [ann, bob]) = world_with_root(Role::Admin, ["ann", "bob"]).await;
    let circle = creates_circle(&ann, "Night readers").await;
    let post = id(&writes_in(&ann, &circle, HARMFUL).await.ok());
    reports(&bob, &post, json!({})).await;
    world.settle().await;
    let appeal = appeals(&ann, &post).await.ok();
    world.advance(1).await;
    decides(&root, &appeal, "uphold").await.ok();
    assert_eq!(decisions(&ann).await[0]["appeal"]["status"], "UPHELD");
    assert!(bob.get(&circle.path("/posts")).await.ok().rows().is_empty());
    assert_eq!(root.get("/admin/audit").await.ok().rows()[0]["action"], "DENY_APPEAL");
    ticks(&world).await;
    assert_eq!(notices(&ann).await[0][2], 2);
    appeals(&ann, &post).await.refused(400, "VALIDATION_FAILED");
}

#[tokio::test]
async fn an_appeal_is_decided_by_a_different_administrator() {
    let builder = World::builder().without_ticks();
    let (world, root, [ann, bob]) = start_with_root(builder, Role::Admin, ["ann", "bob"]).await;
    let other = administrator(&world, "other", Role::Admin).await;
    let [first, second] = [ann.writes("buy now").await, ann.writes("buy more").await];
    let own = root.writes("buy mine").await;
    for post in [&first, &second] {
        hides(&root, &reports(&bob, &post.id, json!({})).await).await;
    }
    hides(&other, &reports(&bob, &own.id, json!({})).await).await;
    let [first, second] = [appeals(&ann, &first.id).await.ok(), appeals(&ann, &second.id).await.ok()];
    let own = appeals(&root, &own.id).await.ok();
    decides(&root, &own, "grant").await.refused(403, "FORBIDDEN");
    decides(&root, &first, "grant").await.refused(403, "FORBIDDEN");
    decides(&other, &first, "grant").await.ok();
    world.settle().await;
    world.advance_and_settle(72 * 3600).await;
    decides(&root.signs_in().await, &second, "uphold").await.ok();
}

#[tokio::test]
async fn an_appeal_is_not_decided_by_a_reporter_of_the_post() {
    let (world, root, [ann]) = world_with_root(Role::Admin, ["ann"]).await;
    let reporter = administrator(&world, "reporter", Role::Admin).await;
    let other = administrator(&world, "other", Role::Admin).await;
    let post = ann.writes("buy now").await;
    hides(&root, &reports(&reporter, &post.id, json!({})).await).await;
    let appeal = appeals(&ann, &post.id).await.ok();
    decides(&reporter, &appeal, "uphold").await.refused(403, "FORBIDDEN");
    decides(&other, &appeal, "uphold").await.ok();
}

#[tokio::test]
async fn an_invalid_appeal_is_refused() {
    let (world, root, [ann, bob]) = world_with_root(Role::Admin, ["ann", "bob"]).await;
    let [hidden, deleted, fine] = [ann.writes("1").await, ann.writes("2").await, ann.writes("3").await];
    let report = reports(&bob, &hidden.id, json!({})).await;
    hides(&root, &report).await;
    root.patch(&reports(&bob, &deleted.id, json!({})).await, json!({ "action": "delete" })).await.ok();
    let path = format!("/me/moderation/{}/appeal", hidden.id);
    let long = "x".repeat(1001);
    for bad in [json!({}), json!({ "text": " " }), json!({ "text": long }), json!({ "text": "x", "to": "y" })]
    {
        ann.post(&path, bad).await.refused(400, "VALIDATION_FAILED");
    }
    appeals(&bob, &hidden.id).await.refused(404, "NOT_FOUND");
    appeals(&ann, &fine.id).await.refused(404, "NOT_FOUND");
    appeals(&ann, "x").await.refused(404, "NOT_FOUND");
    appeals(&ann, &deleted.id).await.invalid("you can only appeal a decision that hid a post");
    let (one, other) = futures::join!(appeals(&ann, &hidden.id), appeals(&ann, &hidden.id));
    assert_ne!(one.status == 201, other.status == 201, "{one} {other}");
    appeals(&ann, &hidden.id).await.invalid("you can only appeal once");
    root.patch(&report, json!({ "action": "dismiss" })).await.ok();
    appeals(&ann, &hidden.id).await.refused(400, "VALIDATION_FAILED");
    let [shown, gone] = [ann.writes("4").await, ann.writes("5").await];
    for post in [&shown, &gone] {
        hides(&root, &reports(&bob, &post.id, json!({})).await).await;
    }
    world.advance(1).await;
    root.post(&format!("/admin/cases/{}/undo", shown.id), json!({})).await.ok();
    ann.deletes(&gone).await;
    appeals(&ann, &shown.id).await.invalid("the post is already shown again");
    appeals(&ann, &gone.id).await.invalid("the post was deleted");
    let unknown = format!("/admin/appeals/{UNKNOWN_ID}");
    root.patch(&unknown, json!({ "action": "grant" })).await.refused(404, "NOT_FOUND");
    root.patch(&unknown, json!({ "action": "hide" })).await.refused(400, "VALIDATION_FAILED");
    root.get("/admin/appeals?status=OPEN").await.refused(400, "VALIDATION_FAILED");
}

#[tokio::test]
async fn granting_an_appeal_does_not_restore_a_deleted_post() {
    let (world, root, [ann, bob], post) = reported_post(Role::Admin, HARMFUL).await;
    world.settle().await;
    let (path, body) = (format!("/me/moderation/{}/appeal", post.id), json!({ "text": "I quoted it." }));
    let first = ann.post_once("a-key", &path, body.clone()).await.ok();
    assert_eq!(ann.post_once("a-key", &path, body).await.ok().data(), first.data());
    ann.deletes(&post).await.ok();
    decides(&root, &first, "grant").await.ok();
    bob.get(&post.path("")).await.refused(404, "NOT_FOUND");
    let row = &decisions(&ann).await[0];
    let fields = json!([row["appeal"]["status"], row["restoredAt"], row["strikeUntil"]]);
    assert_eq!(fields, json!(["GRANTED", world.app().now(), null]), "it no longer counts as a strike");
    world.settle().await;
    let found = case(&root, &post.id).await;
    assert_eq!(json!([found["status"], found["strikes"]]), json!(["DISMISSED", 0]));
    assert_eq!(bob.get("/me/reports").await.ok().column("status"), ["DISMISSED"]);
}

#[tokio::test]
async fn an_appeal_can_be_decided_after_account_deletion() {
    let builder = World::builder().without_ticks();
    let (world, root, [ann, bob]) = start_with_root(builder, Role::Admin, ["ann", "bob"]).await;
    let post = ann.writes(HARMFUL).await;
    reports(&bob, &post.id, json!({})).await;
    world.settle().await;
    let appeal = appeals(&ann, &post.id).await.ok();
    ann.leaves().await;
    world.settle().await;
    runs_deletions(&world).await;
    let kept: Vec<_> = rows_with(&world, &[&ann.id, "I quoted it."]).await;
    assert!(kept.iter().all(|row| row.contains("REPORT#")), "only reports keep the user's id: {kept:?}");
    decides(&root.signs_in().await, &appeal, "uphold").await.ok();
}

#[tokio::test]
async fn appeal_requests_stay_within_their_cost_budgets() {
    let (world, root, [ann, _], post) = reported_post(Role::Admin, HARMFUL).await;
    world.settle().await;
    world.budget("own moderation decisions", ann.get("/me/moderation")).await;
    let appeal = world.budget("appeal", appeals(&ann, &post.id)).await;
    world.budget("appeals", root.get("/admin/appeals?status=PENDING")).await;
    world.budget("grant an appeal", decides(&root, &appeal, "grant")).await;
}
