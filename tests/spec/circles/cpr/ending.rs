//! The end of a CPR (rescue of a circle): failure, and late verdicts on comments.

use serde_json::json;
use tests::{Fault, Person, World};

use super::{begins, post_of, status, with_dying_circle};
use crate::circles::{
    Circle,
    critic::text,
    judging,
    posts::{comments, judge_status},
};

#[tokio::test]
async fn a_failed_cpr_ends_once() {
    let (world, [ann], circle) = with_dying_circle(["ann"]).await;
    let post = post_of(&begins(&ann, &circle, 5).await.ok());
    circle.gains(&world, 600, 0).await;
    world.settle().await;
    world.advance(24 * 3600 - 1).await;
    assert_eq!(status(&world, &circle).await["active"], true);
    let ann = ann.signs_in().await;
    world.advance(1).await;
    let late = comments(&ann, &circle, &post, &text(9, "too late")).await;
    world.faults.next("UpdateItem", Fault::CrashAfter);
    world.settle().await;
    world.faults.calm();
    let over = status(&world, &circle).await;
    assert_eq!(json!([over["active"], over["success"], over["currentComments"]]), json!([false, false, 0]));
    assert_eq!(judge_status(&world, &late).await["status"], "done");
    let before = circle.energy(&world).await["exp"].clone();
    world.advance_and_settle(300).await;
    assert_eq!(circle.energy(&world).await["exp"], before);
}

/// Starts a world with a circle whose CPR has just expired, before a worker records the failure.
async fn with_expired_cpr() -> (World, Circle) {
    let (world, [ann], circle) = with_dying_circle(["ann"]).await;
    begins(&ann, &circle, 5).await.ok();
    circle.gains(&world, 600, 0).await;
    world.settle().await;
    world.advance_and_settle(24 * 3600 - 1).await;
    world.advance(1).await;
    (world, circle)
}

#[tokio::test]
async fn a_failed_cpr_is_announced_once() {
    let (world, circle) = with_expired_cpr().await;
    let (_, cost) = world.cost_of(world.settle()).await;
    assert_eq!(json!([cost.announcements, status(&world, &circle).await["success"]]), json!([1, false]));
    world.advance(300).await;
    assert_eq!(world.cost_of(world.settle()).await.1.announcements, 0);
}

#[tokio::test]
async fn a_failed_cpr_is_announced_despite_a_worker_crash() {
    for (operation, fault) in [
        ("UpdateItem", Fault::Crash),
        ("UpdateItem", Fault::CrashAfter),
        ("UpdateItem", Fault::LostAnswer),
        ("PutEvents", Fault::Crash),
        ("PutEvents", Fault::Refused),
        ("PutEvents", Fault::CrashAfter),
    ] {
        let (world, circle) = with_expired_cpr().await;
        let (_, cost) = world.cost_of(world.settle_despite(operation, fault, 0)).await;
        assert!(cost.events >= 1, "{operation} {fault:?}: {cost:?}");
        assert_eq!(status(&world, &circle).await["success"], json!(false), "{operation} {fault:?}");
    }
}

/// Starts a world with a circle of a user, whose CPR expires in a second. Four comments have good scores. Also returns
/// the ID of an unjudged comment.
async fn with_undecided_cpr() -> (World, Person, Circle, String) {
    let (world, [ann], circle) = with_dying_circle(["ann"]).await;
    let post = post_of(&begins(&ann, &circle, 5).await.ok());
    for number in 1..=4 {
        comments(&ann, &circle, &post, &text(6, number)).await;
    }
    circle.gains(&world, 600, 0).await;
    world.stack.settle(None).await.unwrap();
    world.advance(24 * 3600 - 1).await;
    let late = comments(&ann.signs_in().await, &circle, &post, "[none] is not a score").await;
    world.stack.settle(None).await.unwrap();
    (world, ann, circle, late)
}

#[tokio::test]
async fn a_timely_comment_judged_within_an_hour_saves_the_circle() {
    let (world, _, circle, late) = with_undecided_cpr().await;
    for seconds in [1, 54 * 60] {
        world.advance(seconds).await;
        world.stack.settle(None).await.unwrap();
        let pending = status(&world, &circle).await;
        assert_eq!(json!([pending["active"], pending["success"]]), json!([false, null]), "{seconds}");
    }
    judging::calls_back(&world, &judging::verdict(&late, 6.0)).await.ok();
    let over = status(&world, &circle).await;
    assert_eq!(json!([over["success"], over["currentComments"]]), json!([true, 5]));
}

#[tokio::test]
async fn a_verdict_more_than_an_hour_late_does_not_save_the_circle() {
    let (world, _, circle, late) = with_undecided_cpr().await;
    world.advance(3600).await;
    world.stack.settle(None).await.unwrap();
    assert_eq!(status(&world, &circle).await["success"], json!(false));
    judging::calls_back(&world, &judging::verdict(&late, 9.0)).await.ok();
    assert_eq!(status(&world, &circle).await["success"], json!(false));
}

#[tokio::test]
async fn no_cpr_starts_until_the_previous_cpr_is_fully_judged() {
    let (world, ann, circle, _) = with_undecided_cpr().await;
    world.advance(60).await;
    circle.reaches(&world, 20, 500).await;
    begins(&ann.signs_in().await, &circle, 5).await.refused(409, "CONFLICT");
}
