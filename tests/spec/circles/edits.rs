//! Edits of judged posts: allowed for 15 minutes, and never with a higher score.

use serde_json::json;
use tests::{Fault, Person, World};

use super::{
    Circle,
    cpr::{begins, post_of, status, with_dying_circle},
    critic::{judged_world, text},
    joins, log,
    posts::{comments, edits, id, judge_status, writes_in},
    with_circle,
};

/// Starts a world with a user's circle, which has 400 HP and a judged post. Also returns the ID of the post.
async fn with_post(score: i64) -> (World, Person, Circle, String) {
    let (world, [ann], circle) = with_circle(judged_world(["ann"])).await;
    circle.gains(&world, -100, 0).await;
    let post = id(&writes_in(&ann, &circle, &text(score, "first")).await.ok());
    world.settle().await;
    (world, ann, circle, post)
}

#[tokio::test]
async fn an_edit_can_lower_but_not_raise_the_score_with_its_hp_and_exp() {
    let (world, ann, circle, post) = with_post(9).await;
    assert_eq!(circle.hp_and_exp(&world).await, (405, 10));
    edits(&ann, &post, &text(10, "higher")).await.ok();
    world.settle().await;
    assert_eq!(circle.hp_and_exp(&world).await, (405, 10));
    let edited = edits(&ann, &post, &text(5, "second")).await.ok();
    assert_eq!(json!([edited.data()["judgeStatus"], edited.data()["qualityScore"]]), json!(["pending", 9.0]));
    assert_eq!(judge_status(&world, &post).await["status"], "pending");
    world.settle().await;
    let judged = judge_status(&world, &post).await;
    assert_eq!(json!([judged["status"], judged["score"]]), json!(["done", 5.0]));
    assert_eq!(json!([judged["hpDelta"], judged["expDelta"]]), json!([1, 2]));
    assert_eq!(circle.hp_and_exp(&world).await, (401, 2));
    edits(&ann, &post, &text(10, "better")).await.ok();
    world.settle().await;
    assert_eq!(judge_status(&world, &post).await, judged);
    assert_eq!(circle.hp_and_exp(&world).await, (401, 2), "a higher score does not count");
    for (score, hp, exp) in [(0, 397, 0), (10, 397, 0)] {
        edits(&ann, &post, &text(score, "later")).await.ok();
        world.settle().await;
        assert_eq!(judge_status(&world, &post).await["score"], 0.0);
        assert_eq!(circle.hp_and_exp(&world).await, (hp, exp), "{score}");
    }
    let logged: i64 = log(&world, &circle).await.iter().map(|entry| entry.hp_delta).sum();
    assert_eq!(500 + logged, 397);
}

#[tokio::test]
async fn an_edit_never_takes_more_hp_and_exp_than_the_post_gave() {
    let (world, [ann], circle) = with_circle(judged_world(["ann"])).await;
    circle.gains(&world, -2, 0).await;
    let post = id(&writes_in(&ann, &circle, &text(9, "first")).await.ok());
    world.settle().await;
    assert_eq!(judge_status(&world, &post).await["hpDelta"], 2, "the circle was nearly full");
    edits(&ann, &post, &text(7, "second")).await.ok();
    world.settle().await;
    assert_eq!(circle.hp_and_exp(&world).await, (500, 6));
    edits(&ann, &post, &text(3, "third")).await.ok();
    world.settle().await;
    assert_eq!(circle.hp_and_exp(&world).await, (498, 0));
}

#[tokio::test]
async fn a_judged_post_cannot_be_edited_after_15_minutes() {
    let (world, ann, circle, post) = with_post(5).await;
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
        let (world, ann, circle, post) = with_post(9).await;
        edits(&ann, &post, &text(7, "second")).await.ok();
        edits(&ann, &post, &text(5, "third")).await.ok();
        world.settle_despite("TransactWriteItems", fault, 0).await;
        assert_eq!(circle.hp_and_exp(&world).await, (401, 2), "{fault:?}");
    }
}

#[tokio::test]
async fn a_comment_edited_to_a_low_score_does_not_count_for_a_cpr() {
    let (world, [ann, bob], circle) = with_dying_circle(["ann", "bob"]).await;
    joins(&bob, &circle, &ann).await;
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
