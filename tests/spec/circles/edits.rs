//! Edits of judged posts: for 15 minutes, and only to a lower score.

use serde_json::{Value, json};
use tests::{Answer, Fault, Person, World};

use super::{
    Circle,
    cpr::{begins, post_of, status},
    creates_circle,
    critic::{Critic, text},
    joins, log,
    posts::{comments, id, judge_status, writes_in},
};

async fn edits(user: &Person, post: &str, content: &str) -> Answer {
    user.patch(&format!("/posts/{post}"), json!({ "content": content })).await
}

async fn hp_and_exp(world: &World, circle: &Circle) -> (Value, Value) {
    let energy = circle.energy(world).await;
    (energy["current"].clone(), energy["exp"].clone())
}

/// Returns a circle with 400 HP, and a judged post in it.
async fn with_post(world: &World, ann: &Person, score: i64) -> (Circle, String) {
    let circle = creates_circle(ann, "Night readers").await;
    circle.gains(world, -100, 0).await;
    let post = id(&writes_in(ann, &circle, &text(score, "first")).await.ok());
    world.settle().await;
    (circle, post)
}

#[tokio::test]
async fn a_worse_edit_takes_the_difference_of_hp_and_exp() {
    let world = Critic::new().await.world().await;
    let ann = world.person("ann").await;
    let (circle, post) = with_post(&world, &ann, 9).await;
    assert_eq!(hp_and_exp(&world, &circle).await, (json!(405), json!(10)));
    let edited = edits(&ann, &post, &text(5, "second")).await.ok();
    assert_eq!(
        (&edited.data()["judgeStatus"], &edited.data()["qualityScore"]),
        (&json!("pending"), &json!(9.0))
    );
    assert_eq!(judge_status(&world, &post).await["status"], "pending");
    world.settle().await;
    let judged = judge_status(&world, &post).await;
    assert_eq!((&judged["status"], &judged["score"]), (&json!("done"), &json!(5.0)));
    assert_eq!((&judged["hpDelta"], &judged["expDelta"]), (&json!(1), &json!(2)));
    assert_eq!(hp_and_exp(&world, &circle).await, (json!(401), json!(2)));
    for (score, hp, exp) in [(0, 397, 0), (10, 397, 0)] {
        edits(&ann, &post, &text(score, "later")).await.ok();
        world.settle().await;
        assert_eq!(judge_status(&world, &post).await["score"], 0.0);
        assert_eq!(hp_and_exp(&world, &circle).await, (json!(hp), json!(exp)), "{score}");
    }
    let logged: i64 = log(&world, &circle).await.iter().map(|entry| entry.hp_delta).sum();
    assert_eq!(500 + logged, 397);
}

#[tokio::test]
async fn a_better_edit_keeps_the_score() {
    let world = Critic::new().await.world().await;
    let ann = world.person("ann").await;
    let (circle, post) = with_post(&world, &ann, 5).await;
    let before = judge_status(&world, &post).await;
    edits(&ann, &post, &text(10, "better")).await.ok();
    world.settle().await;
    assert_eq!(judge_status(&world, &post).await, before);
    assert_eq!(hp_and_exp(&world, &circle).await, (json!(401), json!(2)));
}

#[tokio::test]
async fn an_edit_never_takes_more_than_the_post_gave() {
    let world = Critic::new().await.world().await;
    let ann = world.person("ann").await;
    let circle = creates_circle(&ann, "Night readers").await;
    circle.gains(&world, -2, 0).await;
    let post = id(&writes_in(&ann, &circle, &text(9, "first")).await.ok());
    world.settle().await;
    assert_eq!(judge_status(&world, &post).await["hpDelta"], 2, "the circle was nearly full");
    edits(&ann, &post, &text(7, "second")).await.ok();
    world.settle().await;
    assert_eq!(hp_and_exp(&world, &circle).await, (json!(500), json!(6)));
    edits(&ann, &post, &text(3, "third")).await.ok();
    world.settle().await;
    assert_eq!(hp_and_exp(&world, &circle).await, (json!(498), json!(0)));
}

#[tokio::test]
async fn a_judged_post_cannot_be_edited_after_15_minutes() {
    let world = Critic::new().await.world().await;
    let ann = world.person("ann").await;
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
async fn an_edit_counts_once_wherever_the_judge_crashes() {
    for fault in [Fault::Crash, Fault::CrashAfter, Fault::LostAnswer, Fault::Conflict] {
        let world = Critic::new().await.world().await;
        let ann = world.person("ann").await;
        let (circle, post) = with_post(&world, &ann, 9).await;
        edits(&ann, &post, &text(7, "second")).await.ok();
        edits(&ann, &post, &text(5, "third")).await.ok();
        world.faults.next("TransactWriteItems", fault);
        world.settle().await;
        assert_eq!(world.faults.calm(), 1, "{fault:?}");
        assert_eq!(hp_and_exp(&world, &circle).await, (json!(401), json!(2)), "{fault:?}");
    }
}

#[tokio::test]
async fn a_comment_edited_to_a_worse_one_does_not_count_for_a_cpr() {
    let world = Critic::new().await.world().await;
    let [ann, bob] = world.people(["ann", "bob"]).await;
    let circle = creates_circle(&ann, "Night readers").await;
    joins(&bob, &circle, &ann).await;
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
