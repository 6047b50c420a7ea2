//! CPRs (rescues of dying circles): starting one, and saving the circle with good comments.

mod ending;

use domain::{circles::EnergyReason, people::users::Role};
use serde_json::{Value, json};
use tests::{Answer, Fault, Person, World};

use super::{
    Circle, appoints, creates_circle,
    critic::{judged_world, text},
    joins, log,
    posts::{comments, id, judge_status, writes_in},
    with_circle,
};
use crate::{admin::administrator, moderation::reports};

/// Starts a CPR.
pub(crate) async fn begins(user: &Person, circle: &Circle, target: i64) -> Answer {
    user.post(&circle.path("/cpr"), json!({ "targetComments": target })).await
}

/// Returns the ID of the post on which users comment to save the circle.
pub(crate) fn post_of(answer: &Answer) -> String {
    answer.data()["postId"].as_str().unwrap().to_owned()
}

pub(crate) async fn status(world: &World, circle: &Circle) -> Value {
    world.anyone.get(&circle.path("/cpr/status")).await.ok().data().clone()
}

/// Writes the five comments that save a circle.
pub(super) async fn writes_five_comments(user: &Person, circle: &Circle, post: &str) {
    for number in 1..=5 {
        comments(user, circle, post, &text(8, format!("{number} on {post}"))).await;
    }
}

/// Starts a CPR, and saves the circle.
async fn rescues(world: &World, user: &Person, circle: &Circle) {
    let post = post_of(&begins(user, circle, 5).await.ok());
    writes_five_comments(user, circle, &post).await;
    world.settle().await;
}

/// Starts a world with a fake judge, and creates a level 2 circle of the first user with 40 of its 650 HP.
pub(super) async fn with_dying_circle<const N: usize>(names: [&str; N]) -> (World, [Person; N], Circle) {
    let (world, people, circle) = with_circle(judged_world(names)).await;
    circle.gains(&world, -460, 200).await;
    (world, people, circle)
}

#[tokio::test]
async fn a_cpr_starts_only_below_10_percent_hp_and_one_at_a_time() {
    let (world, [ann], circle) = with_dying_circle(["ann"]).await;
    circle.gains(&world, 25, 0).await;
    let none = status(&world, &circle).await;
    assert_eq!(json!([none["active"], none["timeLeft"], none["expiresAt"]]), json!([false, 0, null]));
    begins(&ann, &circle, 5).await.refused(400, "VALIDATION_FAILED");
    circle.gains(&world, -6, 0).await;
    assert_eq!(circle.energy(&world).await["percent"], 9);
    let begun = begins(&ann, &circle, 5).await.ok();
    assert_eq!(json!([begun.status, begun.data()["expiresAt"]]), json!([201, "2026-01-02T00:00:00.000Z"]));
    begins(&ann, &circle, 5).await.refused(409, "CONFLICT");
    world.advance(60).await;
    let running = status(&world, &circle).await;
    assert_eq!(json!([running["active"], running["timeLeft"]]), json!([true, 86340]));
    assert_eq!(json!([running["currentComments"], running["targetComments"]]), json!([0, 5]));
    let post = world.anyone.get(&circle.path("/posts")).await.ok().rows()[0].clone();
    assert_eq!(json!([post["publicId"], post["type"]]), json!([begun.data()["postId"], "CPR"]));
    assert_eq!(judge_status(&world, &post_of(&begun)).await, json!({ "status": "done" }));
    world.settle().await;
}

#[tokio::test]
async fn a_successful_cpr_restores_half_the_hp_and_gives_exp() {
    let (world, [ann, bob], circle) = with_dying_circle(["ann", "bob"]).await;
    joins(&bob, &circle, &ann).await;
    let other = id(&writes_in(&ann, &circle, &text(3, "elsewhere")).await.ok());
    let post = post_of(&begins(&ann, &circle, 5).await.ok());
    comments(&bob, &circle, &other, &text(9, "another thread")).await;
    comments(&bob, &circle, &post, &text("5.9", "shallow")).await;
    let first = comments(&bob, &circle, &post, &text(6, "deep")).await;
    comments(&ann, &circle, &first, &text(6, "below")).await;
    for person in [&ann, &bob] {
        comments(person, &circle, &post, &text(6, &person.name)).await;
    }
    world.settle().await;
    let running = status(&world, &circle).await;
    assert_eq!(json!([running["active"], running["currentComments"]]), json!([true, 4]));
    let before = circle.energy(&world).await;
    let last = comments(&ann, &circle, &post, &text(9, "the last")).await;
    world.settle().await;
    let energy = circle.energy(&world).await;
    assert_eq!(energy["current"], 325, "half of 650");
    assert_eq!(energy["exp"].as_i64().unwrap(), before["exp"].as_i64().unwrap() + 10 + 50);
    let own_hp = judge_status(&world, &last).await["hpDelta"].clone();
    assert_eq!(own_hp, 5, "the comment's own change omits the HP that the CPR restores");
    let over = status(&world, &circle).await;
    assert_eq!(json!([over["active"], over["success"], over["timeLeft"]]), json!([false, true, 0]));
    let log = log(&world, &circle).await;
    let survived = log.iter().filter(|entry| entry.reason == EnergyReason::CprSurvived);
    assert_eq!(survived.map(|entry| entry.exp_delta).collect::<Vec<_>>(), [50]);
    let logs = world.anyone.get(&circle.path("/exp-log")).await.ok().data()["logs"].clone();
    assert!(logs.as_array().unwrap().iter().any(|entry| entry["reason"] == "CPR_SURVIVED"));
    circle.gains(&world, -300, 0).await;
    begins(&ann, &circle, 5).await.refused(400, "VALIDATION_FAILED");
}

#[tokio::test]
async fn a_saved_circle_gets_half_the_hp_of_the_level_it_reaches() {
    let (world, [ann], circle) = with_dying_circle(["ann"]).await;
    circle.gains(&world, 0, 240).await;
    let post = post_of(&begins(&ann, &circle, 5).await.ok());
    for number in 1..=5 {
        comments(&ann, &circle, &post, &text(6, number)).await;
    }
    world.settle().await;
    let energy = circle.energy(&world).await;
    assert_eq!(json!([energy["level"], energy["exp"]]), json!([3, 500]), "440 + 5 * 2 + 50");
    assert_eq!(energy["current"], 400, "half of 800, the maximum of level 3");
}

#[tokio::test]
async fn a_comment_deleted_before_a_cpr_ends_does_not_count() {
    let (world, [ann, bob, cleo, dan], circle) = with_dying_circle(["ann", "bob", "cleo", "dan"]).await;
    let root = administrator(&world, "root", Role::Admin).await;
    for user in [&bob, &cleo, &dan] {
        joins(user, &circle, &ann).await;
    }
    let post = post_of(&begins(&ann, &circle, 5).await.ok());
    let mut written = Vec::new();
    for user in [&bob, &bob, &cleo, &dan] {
        written.push(comments(user, &circle, &post, &text(6, written.len())).await);
    }
    let shallow = comments(&bob, &circle, &post, &text(5, "shallow")).await;
    world.settle().await;
    let counted = async || status(&world, &circle).await["currentComments"].clone();
    assert_eq!(counted().await, 4);
    bob.delete(&format!("/posts/{shallow}")).await.ok();
    assert_eq!(counted().await, 4);
    bob.delete(&format!("/posts/{}", written[0])).await.ok();
    assert_eq!(counted().await, 3);
    ann.delete(&format!("/posts/{}", written[1])).await.ok();
    assert_eq!(counted().await, 2, "an administrator of the circle deleted a comment");
    let report = reports(&bob, &written[2], json!({})).await;
    root.patch(&report, json!({ "action": "delete" })).await.ok();
    assert_eq!(counted().await, 1, "moderation deleted a comment");
    dan.leaves().await;
    world.settle().await;
    assert_eq!(counted().await, 0, "the author of a comment deleted the account");
    writes_five_comments(&ann, &circle, &post).await;
    world.settle().await;
    let over = status(&world, &circle).await;
    assert_eq!(json!([over["success"], over["currentComments"]]), json!([true, 5]));
    let last = comments(&cleo, &circle, &post, &text(6, "late")).await;
    world.settle().await;
    cleo.delete(&format!("/posts/{last}")).await.ok();
    assert_eq!(counted().await, 5);
}

#[tokio::test]
async fn a_successful_cpr_is_applied_once_wherever_the_judge_crashes() {
    for fault in [Fault::Crash, Fault::CrashAfter, Fault::LostAnswer, Fault::Conflict] {
        let (world, [ann], circle) = with_dying_circle(["ann"]).await;
        let post = post_of(&begins(&ann, &circle, 5).await.ok());
        writes_five_comments(&ann, &circle, &post).await;
        world.settle_despite("TransactWriteItems", fault, 1).await;
        assert_eq!(circle.hp_and_exp(&world).await, (325, 200 + 30 + 50), "{fault:?}");
    }
}

#[tokio::test]
async fn an_administrator_of_the_circle_can_start_a_valid_cpr() {
    let (world, [ann, bob], circle) = with_dying_circle(["ann", "bob"]).await;
    joins(&bob, &circle, &ann).await;
    for body in [
        json!({}),
        json!({ "targetComments": 0 }),
        json!({ "targetComments": 4 }),
        json!({ "targetComments": 101 }),
        json!({ "targetComments": "5" }),
    ] {
        ann.post(&circle.path("/cpr"), body).await.invalid("targetComments");
    }
    appoints(&ann, &circle, &bob, "ADMIN").await.ok();
    world.advance(31).await;
    begins(&bob, &circle, 5).await.ok();
}

#[tokio::test]
async fn concurrent_requests_start_one_cpr() {
    let (world, [ann], circle) = with_dying_circle(["ann"]).await;
    let all = futures::future::join_all((0..5).map(|_| begins(&ann, &circle, 5))).await;
    assert_eq!(all.iter().filter(|answer| answer.status == 201).count(), 1);
    for refused in all.iter().filter(|answer| answer.status != 201) {
        refused.refused(409, "CONFLICT");
    }
    assert_eq!(world.anyone.get(&circle.path("/posts")).await.ok().rows().len(), 1);
}

#[tokio::test]
async fn the_weekly_quota_of_cprs_depends_on_the_level() {
    let (world, [ann], low) = with_circle(judged_world(["ann"])).await;
    low.gains(&world, -470, 0).await;
    let refused = begins(&ann, &low, 5).await;
    let why = refused.refused(400, "VALIDATION_FAILED");
    assert!(why.starts_with("circles of level 1 have no CPR"), "{why}");
    for (exp, quota, used) in [(200, 1, "its only CPR"), (500, 2, "both its CPRs")] {
        let circle = creates_circle(&ann.signs_in().await, "Circle").await;
        circle.gains(&world, 0, exp).await;
        for _ in 0..quota {
            world.advance_and_settle(3600).await;
            let ann = ann.signs_in().await;
            circle.reaches(&world, 20, 0).await;
            rescues(&world, &ann, &circle).await;
            assert_eq!(status(&world, &circle).await["success"], true);
        }
        circle.reaches(&world, 20, 0).await;
        let refused = begins(&ann.signs_in().await, &circle, 5).await;
        let why = refused.refused(400, "VALIDATION_FAILED");
        assert!(why.contains(used) && why.contains("week"), "{why}");
    }
}

#[tokio::test]
async fn the_quota_of_cprs_resets_every_iso_week() {
    let (world, [ann], circle) = with_dying_circle(["ann"]).await;
    rescues(&world, &ann, &circle).await;
    // January 1, 2026 is a Thursday. Its ISO week ends on Sunday, January 4.
    for (days, opens) in [(3, false), (1, true)] {
        for _ in 0..days {
            circle.gains(&world, 600, 0).await;
            world.settle().await;
            world.advance_and_settle(24 * 3600).await;
        }
        circle.reaches(&world, 20, 0).await;
        let ann = ann.signs_in().await;
        assert_eq!(begins(&ann, &circle, 5).await.status == 201, opens, "after {days} more days");
    }
}
