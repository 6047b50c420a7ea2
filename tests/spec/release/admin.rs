//! Stored decisions of administrators, and reports that are still pending.

use serde_json::{Value, json};
use tests::{PASSWORD, Person};

use super::{Past, story::rules::reports};
use crate::{admin::counts::counts, circles::critic::text};

async fn accounts(root: &Person, query: &str) -> Vec<Value> {
    root.get(&format!("/admin/users?{query}")).await.ok().column("username")
}

#[tokio::test]
async fn administrators_can_manage_stored_data() {
    let past = Past::settled().await;
    stored_accounts_can_be_listed_and_found(&past).await;
    the_stored_audit_log_continues(&past).await;
    stored_totals_continue(&past).await;
    stored_reports_can_be_decided(&past).await;
    stored_roles_can_be_removed(&past).await;
    stored_trends_expire(&past).await;
}

async fn stored_accounts_can_be_listed_and_found(past: &Past) {
    let max = past.user("max");
    assert_eq!(accounts(&max, "take=3").await, ["kim", "pat", "max"]);
    assert_eq!(accounts(&max, "take=100").await.len(), 15);
    assert_eq!(accounts(&max, "status=LOCKED").await, ["jon"]);
    assert_eq!(accounts(&max, "q=ann+l").await, ["ann"]);
    assert_eq!(accounts(&max, "q=dan@").await, ["dan"]);
    assert_eq!(accounts(&max, "q=kim").await, ["kim"], "the delivered index job makes kim searchable");
}

#[tokio::test]
async fn stored_pending_reports_are_decided() {
    let past = Past::stored().await;
    stored_bans_and_locks_end_as_planned(&past).await;
    a_pending_report_is_evaluated(&past).await;
    a_stored_verdict_applies_to_the_next_report(&past).await;
    stored_hides_are_counted(&past).await;
}

async fn stored_bans_and_locks_end_as_planned(past: &Past) {
    let root = past.user("root");
    let signs_in = async |name: &str| {
        let body = json!({ "identifier": name, "password": PASSWORD });
        past.world.anyone.post("/auth/login", body).await.status
    };
    assert_eq!([signs_in("hal").await, signs_in("ivy").await, signs_in("jon").await], [403, 403, 403]);
    assert_eq!(accounts(&root, "status=BANNED").await, ["ivy", "hal"]);
    let until = root.get("/admin/users?q=hal").await.ok().column("bannedUntil");
    assert_eq!(until, ["2026-01-02T06:59:30.000Z"]);
    past.world.settle().await;
    root.patch(&format!("/admin/users/{}/unlock", past.user("jon").id), Value::Null).await.ok();
    assert_eq!([signs_in("hal").await, signs_in("ivy").await, signs_in("jon").await], [200, 403, 200]);
    assert_eq!(accounts(&root, "status=BANNED").await, ["ivy"]);
}

async fn stored_roles_can_be_removed(past: &Past) {
    let (root, max) = (past.user("root"), past.user("max"));
    max.get("/admin/stats").await.ok();
    past.user("ann").get("/admin/stats").await.refused(403, "FORBIDDEN");
    root.patch(&format!("/admin/users/{}/roles", max.id), json!({ "roles": [] })).await.ok();
    max.get("/admin/stats").await.refused(401, "UNAUTHORIZED");
    let login = json!({ "identifier": "max", "password": PASSWORD });
    past.world.anyone.post("/auth/login", login).await.refused(401, "SECOND_FACTOR_REQUIRED");
}

async fn stored_reports_can_be_decided(past: &Past) {
    let root = past.user("root");
    let ids = async |query: &str| root.get(&format!("/admin/reports?{query}")).await.ok().column("id");
    let pending = ids("status=PENDING").await;
    assert_eq!(pending[1..], past.ids(["ofPersonReport", "doubtfulReport", "hiddenReport"]));
    assert_eq!(ids("status=DELETED").await, past.ids(["removedReport"]));
    let dismissed = root.get("/admin/reports?status=DISMISSED").await.ok().rows()[0].clone();
    assert_eq!(json!([dismissed["confidence"], dismissed["adminNote"]]), json!([0.4, "I looked."]));
    let doubtful = root.get("/admin/reports?status=PENDING").await.ok().rows()[2].clone();
    assert_eq!(json!([doubtful["confidence"], doubtful["assistantNote"]]), json!([0.5, "It says so."]));
    for (name, action, hidden) in [("doubtful", "hide", true), ("hidden", "dismiss", false)] {
        let path = format!("/admin/reports/{}", past.id(&format!("{name}Report")));
        root.patch(&path, json!({ "action": action })).await.ok();
        assert_eq!(root.sees(&past.post(name)).await["isHidden"], hidden);
    }
    assert_eq!(ids("status=PENDING").await.len(), 2);
    an_edited_post_is_judged_again(past).await;
}

/// Checks that an edited post is judged again, although a report about its earlier text was dismissed.
async fn an_edited_post_is_judged_again(past: &Past) {
    let post = past.post("dismissed");
    past.user("fay").patch(&post.path(""), json!({ "content": text("0.99", "and edited") })).await.ok();
    reports(&past.user("bob"), &post, "post").await;
    past.world.settle().await;
    assert_eq!(past.user("bob").sees(&post).await["isHidden"], true);
}

async fn a_pending_report_is_evaluated(past: &Past) {
    let bob = past.user("bob");
    assert_eq!(bob.sees(&past.post("unjudged")).await["isHidden"], true);
    let report = past.user("root").get("/admin/reports?take=1").await.ok().rows()[0].clone();
    assert_eq!(json!([report["confidence"], report["assistantNote"]]), json!([0.98, "It says so."]));
}

async fn a_stored_verdict_applies_to_the_next_report(past: &Past) {
    let id = reports(&past.user("bob"), &past.post("doubtful"), "post").await;
    past.world.settle().await;
    let report = past.user("root").get("/admin/reports?take=1").await.ok().rows()[0].clone();
    assert_eq!(json!([report["id"], report["confidence"]]), json!([id, 0.5]));
}

async fn stored_hides_are_counted(past: &Past) {
    let path = "/admin/statistics/moderation";
    let count = async || past.user("root").get(path).await.ok().data()["topHiders"].clone();
    let before = count().await;
    assert_eq!(before[0]["user"]["username"], "eve");
    past.user("eve").post(&past.post("liked").path("/hide"), json!({ "isGhost": true })).await.ok();
    assert_eq!(count().await[0]["hides"], before[0]["hides"].as_i64().unwrap() + 1);
}

async fn the_stored_audit_log_continues(past: &Past) {
    let root = past.user("root");
    let before = root.get("/admin/audit").await.ok().rows().len();
    let newest = root.get("/admin/audit?take=4").await.ok().column("action");
    assert_eq!(newest, ["CHANGE_ROLES", "LOCK_USER", "BAN_USER", "BAN_USER"]);
    root.patch("/admin/daily-quests/LIKE/disable", Value::Null).await.ok();
    let notes = root.get("/admin/audit?take=6").await.ok().column("note");
    assert!(notes.contains(&json!("For good.")) && notes.contains(&json!("For a while.")), "{notes:?}");
    let audit = root.get("/admin/audit").await.ok();
    assert_eq!((audit.rows().len(), &audit.column("action")[0]), (before + 1, &json!("DISABLE_QUEST")));
    assert_eq!(audit.column("action").last().unwrap(), "APPOINT_ADMIN");
}

async fn stored_totals_continue(past: &Past) {
    let root = past.user("root");
    assert_eq!(counts(&root).await, [15, 13, 1, 18, 5, 4]);
    past.user("bob").deletes(&past.post("reply")).await;
    past.user("dan").writes("One more").await;
    past.world.person("new").await;
    past.world.settle().await;
    assert_eq!(counts(&root).await, [16, 14, 1, 19, 4, 4]);
}

async fn stored_trends_expire(past: &Past) {
    let trends = async || {
        let root = past.user("root").signs_in().await;
        root.get("/admin/hashtags/trending").await.ok().column("name")
    };
    assert_eq!(trends().await, ["dogs", "cats"]);
    past.user("bob").deletes(&past.post("unbrought")).await;
    past.user("cleo").writes("More of #cats").await;
    past.world.settle().await;
    assert_eq!(trends().await, ["cats", "dogs"]);
    past.world.advance(25 * 3600).await;
    assert_eq!(trends().await, [] as [&str; 0]);
}
