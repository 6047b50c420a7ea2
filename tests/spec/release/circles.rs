//! Stored circles: members, posts and energy.

use serde_json::json;

use super::Past;
use crate::circles::{
    answers, asks, cpr,
    critic::text,
    hours,
    invitations::accepts,
    posts::{comments, id, judge_status, writes_in},
};

#[tokio::test]
async fn stored_circles_stay_usable() {
    let past = Past::settled().await;
    stored_members_requests_and_invitations_work(&past).await;
    stored_circle_posts_can_be_listed_and_commented(&past).await;
    a_stored_cpr_can_succeed(&past).await;
    a_stored_circle_can_die(&past).await;
}

async fn stored_members_requests_and_invitations_work(past: &Past) {
    let [ann, dan, eve, fay] = ["ann", "dan", "eve", "fay"].map(|name| past.user(name));
    let circle = past.circle("readers");
    let members = ann.get(&circle.path("/members")).await.ok();
    assert_eq!(members.column("username"), ["ann", "bob", "cleo", "gil"]);
    assert_eq!(members.column("role"), ["OWNER", "MEMBER", "ADMIN", "MEMBER"]);
    let waiting = ann.get(&circle.manage("/join-requests")).await.ok();
    assert_eq!(waiting.column("userId"), [json!(dan.public_id)]);
    answers(&ann, &circle, &dan, "ACCEPT").await.ok();
    for asker in [&eve, &past.user("kim")] {
        asks(asker, &circle).await.ok();
    }
    assert_eq!(fay.get("/circles/invitations").await.ok().column("circleName"), ["Night readers"]);
    accepts(&fay, &circle).await.ok();
    assert_eq!(circle.seen(&past.world).await["membersCount"], 6);
    assert_eq!(fay.get("/circles").await.ok().column("publicId"), past.ids(["readers"]));
}

async fn stored_circle_posts_can_be_listed_and_commented(past: &Past) {
    let (ann, bob) = (past.user("ann"), past.user("bob"));
    let circle = past.circle("readers");
    let list = async |query: &str| bob.get(&circle.path(&format!("/posts{query}"))).await.ok();
    let posts = async |query: &str| list(query).await.column("publicId");
    assert_eq!(posts("").await, past.ids(["pendingPost", "circlePost"]));
    assert_eq!(posts("?sort=quality").await, past.ids(["pendingPost", "circlePost"]));
    let below = format!("?parentId={}", past.id("circlePost"));
    assert_eq!(posts(&below).await, past.ids(["circleComment"]));
    assert_eq!(judge_status(&past.world, past.id("circlePost")).await["hpDelta"], 3);
    let comment = list(&below).await.rows()[0].clone();
    assert_eq!((&comment["parentId"], &comment["qualityScore"]), (past.known("circlePost"), &json!(7.5)));
    comments(&bob, &circle, past.id("circlePost"), &text(6, "below")).await;
    assert_eq!(posts(&below).await.len(), 2);
    writes_in(&ann, &circle, &text(9, "silent")).await.refused(403, "FORBIDDEN");
    let again = id(&writes_in(&bob, &circle, &text(8, "a post")).await.ok());
    past.world.settle().await;
    assert_eq!(judge_status(&past.world, &again).await["score"], 8.0);
}

#[tokio::test]
async fn pending_posts_and_hp_losses_change_the_stored_energy() {
    let past = Past::stored().await;
    let circle = past.circle("readers");
    let energy = circle.energy(&past.world).await;
    assert_eq!(json!([energy["current"], energy["exp"], energy["level"]]), json!([216, 32, 1]));
    assert_eq!(energy["lastPostAt"], "2026-01-02T07:00:23.000Z");
    assert_eq!(judge_status(&past.world, past.id("pendingPost")).await, json!({ "status": "pending" }));
    past.world.settle().await;
    let judged = judge_status(&past.world, past.id("pendingPost")).await;
    assert_eq!(json!([judged["hpDelta"], judged["expDelta"]]), json!([5, 10]));
    assert_eq!(circle.energy(&past.world).await["current"], 216 - 10 + 5);
    a_stored_cpr_expires(&past).await;
    let energy = circle.energy(&past.world).await;
    assert_eq!(json!([energy["current"], energy["lastDrainAt"]]), json!([191, "2026-01-02T09:00:00.000Z"]));
    stored_history_names_reasons_and_users(&past).await;
}

/// Checks that the expired CPR failed, and that a newer CPR stays active.
async fn a_stored_cpr_expires(past: &Past) {
    let over = cpr::status(&past.world, &past.circle("lostCause")).await;
    assert_eq!(json!([over["active"], over["success"]]), json!([false, false]));
    hours(&past.world, 2).await;
    let begun = cpr::status(&past.world, &past.circle("begun")).await;
    assert_eq!(json!([begun["active"], begun["expiresAt"]]), json!([true, "2026-01-03T07:00:23.000Z"]));
}

async fn stored_history_names_reasons_and_users(past: &Past) {
    let log = past.world.anyone.get(&past.circle("readers").path("/exp-log?limit=100")).await.ok();
    let logs = log.data()["logs"].as_array().unwrap();
    for (reason, name) in [("POST_QUALITY", "cleo"), ("MEMBER_JOIN", "gil"), ("KARMA_SACRIFICE", "ann")] {
        let id = past.user(name).public_id;
        assert!(logs.iter().any(|row| row["reason"] == reason && row["userId"] == id), "{reason}: {log}");
    }
}

async fn a_stored_cpr_can_succeed(past: &Past) {
    let (cleo, circle) = (past.user("cleo"), past.circle("saved"));
    let running = cpr::status(&past.world, &circle).await;
    assert_eq!(json!([running["active"], running["currentComments"]]), json!([true, 1]));
    for lacking in 1..running["targetComments"].as_i64().unwrap() {
        comments(&cleo, &circle, past.id("cprPost"), &text(8, lacking)).await;
    }
    past.world.settle().await;
    let over = cpr::status(&past.world, &circle).await;
    assert_eq!(json!([over["active"], over["success"]]), json!([false, true]));
    assert_eq!(circle.energy(&past.world).await["current"], 325);
}

async fn a_stored_circle_can_die(past: &Past) {
    let edge = past.circle("edge");
    assert_eq!(edge.energy(&past.world).await["current"], 45);
    edge.gains(&past.world, -40, 0).await;
    hours(&past.world, 1).await;
    past.world.anyone.get(&edge.path("")).await.refused(404, "NOT_FOUND");
    let bob = past.user("bob").signs_in().await;
    let stone = bob.get(&format!("/museum/{}", edge.id)).await.ok();
    assert_eq!(stone.data()["heroes"][0]["userId"], json!(bob.public_id));
    assert_eq!(bob.get("/museum").await.ok().rows().len(), 4, "three stored, one new");
}
