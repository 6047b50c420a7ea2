//! Edits of judged posts: allowed for 15 minutes, and never with a higher score.

use serde_json::json;
use tests::{Fault, Person, World};

use super::{
    Circle, circle_of,
    cpr::{begins, post_of, status},
    creates_circle,
    critic::{judged_world, text},
    judging::hp_and_exp,
    log,
    posts::{comments, edits, id, judge_status, writes_in},
};

/// Gives a new circle 400 HP and a judged post. Returns the circle, and the ID of the post.
async fn with_post(world: &World, ann: &Person, score: i64) -> (Circle, String) {
    let circle = creates_circle(ann, "Night readers").await;
    circle.gains(world, -100, 0).await;
    let post = id(&writes_in(ann, &circle, &text(score, "first")).await.ok());
    world.settle().await;
    (circle, post)
}

#[tokio::test]
async fn an_edit_with_a_lower_score_reduces_hp_and_exp() {
    let (world, [ann]) = judged_world(["ann"]).await;
    let (circle, post) = with_post(&world, &ann, 9).await;
    assert_eq!(hp_and_exp(&world, &circle).await, (405, 10));
    let edited = edits(&ann, &post, &text(5, "second")).await.ok();
    assert_eq!(json!([edited.data()["judgeStatus"], edited.data()["qualityScore"]]), json!(["pending", 9.0]));
    assert_eq!(judge_status(&world, &post).await["status"], "pending");
    world.settle().await;
    let judged = judge_status(&world, &post).await;
    assert_eq!(json!([judged["status"], judged["score"]]), json!(["done", 5.0]));
    assert_eq!(json!([judged["hpDelta"], judged["expDelta"]]), json!([1, 2]));
    assert_eq!(hp_and_exp(&world, &circle).await, (401, 2));
    for (score, hp, exp) in [(0, 397, 0), (10, 397, 0)] {
        edits(&ann, &post, &text(score, "later")).await.ok();
        world.settle().await;
        assert_eq!(judge_status(&world, &post).await["score"], 0.0);
        assert_eq!(hp_and_exp(&world, &circle).await, (hp, exp), "{score}");
    }
    let logged: i64 = log(&world, &circle).await.iter().map(|entry| entry.hp_delta).sum();
    assert_eq!(500 + logged, 397);
}

#[tokio::test]
async fn an_edit_with_a_higher_score_keeps_the_earlier_score() {
    let (world, [ann]) = judged_world(["ann"]).await;
    let (circle, post) = with_post(&world, &ann, 5).await;
    let before = judge_status(&world, &post).await;
    edits(&ann, &post, &text(10, "better")).await.ok();
    world.settle().await;
    assert_eq!(judge_status(&world, &post).await, before);
    assert_eq!(hp_and_exp(&world, &circle).await, (401, 2));
}

#[tokio::test]
async fn an_edit_never_takes_more_hp_and_exp_than_the_post_gave() {
    let (world, [ann]) = judged_world(["ann"]).await;
    let circle = creates_circle(&ann, "Night readers").await;
    circle.gains(&world, -2, 0).await;
    let post = id(&writes_in(&ann, &circle, &text(9, "first")).await.ok());
    world.settle().await;
    assert_eq!(judge_status(&world, &post).await["hpDelta"], 2, "the circle was nearly full");
    edits(&ann, &post, &text(7, "second")).await.ok();
    world.settle().await;
    assert_eq!(hp_and_exp(&world, &circle).await, (500, 6));
    edits(&ann, &post, &text(3, "third")).await.ok();
    world.settle().await;
    assert_eq!(hp_and_exp(&world, &circle).await, (498, 0));
}

#[tokio::test]
async fn a_judged_post_cannot_be_edited_after_15_minutes() {
    let (world, [ann]) = judged_world(["ann"]).await;
    let (circle, post) = with_post(&world, &ann, 5).await;
    let unjudged = id(&writes_in(&ann, &circle, "[none] is not a score").await.ok());
    world.stack.settle(None).await.unwrap();
    world.advance(15 * 60 - 1).await;
    edits(&ann, &post, &text(5, "in time")).await.ok();
    world.advance(1).await;
    let ann = ann.signs_in().await;
    let refused = edits(&ann, &post, &text(5, "too late")).await;
    assert!(refused.refused(403, "FORBIDDEN").contains("15 minutes"), "{refused}");
    edits(&ann, &post, &text(5, "in time")).await.ok();
    edits(&ann, &unjudged, &text(3, "not judged yet")).await.ok();
    world.stack.settle(None).await.unwrap();
    assert_eq!(judge_status(&world, &unjudged).await["score"], 3.0);
}

#[tokio::test]
async fn an_edit_is_judged_once_wherever_the_judge_crashes() {
    for fault in [Fault::Crash, Fault::CrashAfter, Fault::LostAnswer, Fault::Conflict] {
        let (world, [ann]) = judged_world(["ann"]).await;
        let (circle, post) = with_post(&world, &ann, 9).await;
        edits(&ann, &post, &text(7, "second")).await.ok();
        edits(&ann, &post, &text(5, "third")).await.ok();
        world.faults.next("TransactWriteItems", fault);
        world.settle().await;
        assert_eq!(world.faults.calm(), 1, "{fault:?}");
        assert_eq!(hp_and_exp(&world, &circle).await, (401, 2), "{fault:?}");
    }
}

#[tokio::test]
async fn a_comment_edited_to_a_low_score_does_not_count_for_a_cpr() {
    let (world, [ann, bob]) = judged_world(["ann", "bob"]).await;
    let circle = circle_of(&ann, &[&bob]).await;
    circle.gains(&world, 0, 200).await;
    circle.gains(&world, -460, 0).await;
    let post = post_of(&begins(&ann, &circle, 5).await.ok());
    let mut written = Vec::new();
    for salt in 0..2 {
        written.push(comments(&bob, &circle, &post, &text(8, salt)).await);
    }
    world.settle().await;
    edits(&bob, &written[0], &text(6, "still good")).await.ok();
    edits(&bob, &written[1], &text(5, "worse")).await.ok();
    world.settle().await;
    assert_eq!(status(&world, &circle).await["currentComments"], 1);
    bob.delete(&format!("/posts/{}", written[1])).await.ok();
    assert_eq!(status(&world, &circle).await["currentComments"], 1);
}
