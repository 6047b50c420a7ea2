//! Judging of posts and comments: a judge, which can be a model, gives each a score from 0 to 10.

mod rewards;

use reqwest::Method;
use serde_json::{Value, json};
use tests::{Answer, Fault, World, send};

use super::{
    UNKNOWN_ID, creates_circle,
    critic::{Critic, INTERNAL_SECRET, judged_world, text},
    joins,
    posts::{comments, id, judge_status, writes_in},
    with_circle,
};
use crate::{quests::quest, reports::external_judge::ExternalJudge, uploads::sign, workers::put};

/// Sends a signed callback, as an external judge does.
pub(crate) async fn calls_back(world: &World, verdict: &Value) -> Answer {
    let (now, body) = (world.app().now().seconds(), verdict.to_string());
    calls_back_signed(world, &format!("t={now},v1={}", sign(INTERNAL_SECRET, now, &body)), body).await
}

async fn calls_back_signed(world: &World, signature: &str, body: String) -> Answer {
    let request = world.anyone.request(Method::POST, "/api/v1/internal/judge-complete");
    send(request.header("x-internal-signature", signature).body(body)).await
}

pub(crate) fn verdict(post: &str, score: f64) -> Value {
    json!({ "postId": post, "score": score, "category": "deep_talk", "reason": "It asks.", "flags": ["off_topic"] })
}

#[tokio::test]
async fn a_post_edited_while_it_is_judged_is_judged_again() {
    let graded = |score: f64| {
        json!({ "score": score, "category": "solid", "reason": "It says so.", "flags": [] }).to_string()
    };
    let judge = ExternalJudge::chat(&[&graded(2.5), &graded(9.5)]).await;
    let world = judge.world().await;
    let ann = world.person("ann").await;
    let circle = creates_circle(&ann, "Night readers").await;
    let post = id(&writes_in(&ann, &circle, &text(2.5, "first")).await.ok());
    judge.pause();
    let edit = async {
        judge.wait_until_asked().await;
        ann.patch(&format!("/posts/{post}"), json!({ "content": text(9.5, "second") })).await.ok();
        judge.resume();
    };
    futures::join!(world.settle(), edit);
    assert_eq!(judge_status(&world, &post).await["score"], 9.5);
    assert_eq!(judge.asked().len(), 2);
}

#[tokio::test]
async fn an_external_verdict_does_not_revive_a_dead_circle() {
    let (world, [ann], circle) = with_circle(judged_world(["ann"])).await;
    circle.gains(&world, -498, 0).await;
    let last = id(&writes_in(&ann, &circle, &text(0, "last")).await.ok());
    let late = id(&writes_in(&ann, &circle, &text(9, "late")).await.ok());
    for (post, score, hp) in [(&last, 0.0, -2), (&late, 9.0, 0)] {
        calls_back(&world, &verdict(post, score)).await.ok();
        assert_eq!(judge_status(&world, post).await["hpDelta"], hp);
    }
    world.settle().await;
    assert_eq!(ann.get("/museum").await.ok().rows().len(), 1);
}

#[tokio::test]
async fn the_same_text_is_rewarded_once_for_external_verdicts() {
    let (world, [ann], circle) = with_circle(judged_world(["ann"])).await;
    circle.gains(&world, -100, 0).await;
    for hp in [405, 405] {
        let post = id(&writes_in(&ann, &circle, &text(9, "the same")).await.ok());
        calls_back(&world, &verdict(&post, 9.0)).await.ok();
        assert_eq!(circle.energy(&world).await["current"], hp);
    }
    world.settle().await;
}

#[tokio::test]
async fn the_score_of_a_post_decides_the_change_of_hp_and_exp() {
    let (world, []) = judged_world([]).await;
    for (score, hp, exp) in [
        ("10", 5, 10),
        ("8.9", 3, 6),
        ("7", 3, 6),
        ("5.5", 1, 2),
        ("4.9", 0, 0),
        ("2.9", -1, 0),
        ("0.9", -3, 0),
    ] {
        let ann = world.person(&format!("ann{hp}_{}", score.replace('.', "_")).replace('-', "m")).await;
        let circle = creates_circle(&ann, "Night readers").await;
        circle.gains(&world, -100, 0).await;
        let post = id(&writes_in(&ann, &circle, &text(score, "")).await.ok());
        world.settle().await;
        assert_eq!(circle.hp_and_exp(&world).await, (400 + hp, exp), "{score}");
        let judged = judge_status(&world, &post).await;
        assert_eq!(json!([judged["hpDelta"], judged["expDelta"]]), json!([hp, exp]), "{score}");
    }
}

#[tokio::test]
async fn duplicate_messages_and_callbacks_give_one_verdict() {
    let (world, [ann], circle) = with_circle(judged_world(["ann"])).await;
    circle.gains(&world, -100, 0).await;
    let post = id(&writes_in(&ann, &circle, &text(9, "")).await.ok());
    for _ in 0..9 {
        put(&world, "circle-judge", &json!({ "job": "judge", "post": post }).to_string()).await;
    }
    world.faults.plan("TransactWriteItems", Fault::CrashAfter, 0, 1);
    let by_callback = verdict(&post, 9.0);
    let (settled, answer) = futures::join!(world.settle(), calls_back(&world, &by_callback));
    assert!(settled.delivered >= 20);
    // If the function crashed, the external judge sends the callback again.
    let answer = if answer.status == 200 { answer } else { calls_back(&world, &verdict(&post, 9.0)).await };
    answer.ok();
    world.faults.calm();
    world.settle().await;
    calls_back(&world, &verdict(&post, 0.0)).await.ok();
    assert_eq!(circle.hp_and_exp(&world).await, (405, 10));
    let log = world.anyone.get(&circle.path("/exp-log")).await.ok().data()["logs"].clone();
    let by_posts: Vec<_> =
        log.as_array().unwrap().iter().filter(|entry| entry["userId"] == ann.public_id).collect();
    assert_eq!(by_posts.len(), 1, "{by_posts:?}");
}

#[tokio::test]
async fn only_the_first_signed_external_verdict_counts() {
    let (world, [ann], circle) = with_circle(judged_world(["ann"])).await;
    circle.gains(&world, -100, 0).await;
    let post = id(&writes_in(&ann, &circle, &text(9, "")).await.ok());
    let (now, body) = (world.app().now().seconds(), verdict(&post, 7.0).to_string());
    for signature in [
        String::new(),
        format!("t={now},v1={}", sign("another secret of thirty-two bytes", now, &body)),
        format!("t={now},v1={}", sign(INTERNAL_SECRET, now, "{}")),
        format!("t={},v1={}", now - 301, sign(INTERNAL_SECRET, now - 301, &body)),
    ] {
        calls_back_signed(&world, &signature, body.clone()).await.refused(401, "UNAUTHORIZED");
    }
    assert_eq!(judge_status(&world, &post).await["status"], "pending");
    for (wrong, field) in [
        (json!({ "postId": post }), "score"),
        (verdict(&post, 10.5), "score"),
        (json!({ "postId": post, "score": 1, "category": "great", "reason": "" }), "category"),
        (json!({ "postId": "x", "score": 1, "category": "solid", "reason": "" }), "postId"),
    ] {
        calls_back(&world, &wrong).await.invalid(field);
    }
    calls_back(&world, &verdict(UNKNOWN_ID, 7.0)).await.refused(404, "NOT_FOUND");
    assert_eq!(calls_back(&world, &verdict(&post, 7.0)).await.ok().data(), &json!({ "applied": true }));
    assert_eq!(calls_back(&world, &verdict(&post, 0.0)).await.ok().data(), &json!({ "applied": false }));
    world.settle().await;
    assert_eq!(circle.hp_and_exp(&world).await, (403, 6));
    assert_eq!(judge_status(&world, &post).await["flags"], json!(["off_topic"]));
}

#[tokio::test]
async fn low_effort_and_recently_judged_texts_skip_the_judge() {
    let critic = Critic::new().await;
    let (world, [ann], circle) = with_circle(critic.world(["ann"])).await;
    for content in
        ["too short", "😀😀😀😀😀😀😀😀😀😀😀", "[9] http://a.example http://b.example http://c.example"]
    {
        let post = id(&writes_in(&ann, &circle, content).await.ok());
        world.settle().await;
        let judged = judge_status(&world, &post).await;
        assert_eq!(json!([judged["score"], judged["hpDelta"]]), json!([0.0, -3]), "{content}");
    }
    assert_eq!(critic.asked(), 0);
    let bob = world.person("bob").await;
    joins(&bob, &circle, &ann).await;
    for (after, asked) in [(0, 1), (3599, 1), (1, 2)] {
        world.advance(after).await;
        let bob = bob.signs_in().await;
        let post = id(&writes_in(&bob, &circle, &text(5, "")).await.ok());
        world.settle().await;
        assert_eq!((judge_status(&world, &post).await["score"].as_f64(), critic.asked()), (Some(5.0), asked));
    }
}

#[tokio::test]
async fn a_failing_judge_leaves_a_post_pending() {
    let critic = Critic::new().await;
    let (world, [ann], circle) = with_circle(critic.world(["ann"])).await;
    let post = id(&writes_in(&ann, &circle, "[none] is not a score").await.ok());
    let outcome = world.stack.settle(None).await.unwrap();
    assert_eq!((outcome.failed, outcome.dead, critic.asked()), (5, 1, 5));
    assert_eq!(judge_status(&world, &post).await, json!({ "status": "pending" }));
    calls_back(&world, &verdict(&post, 7.0)).await.ok();
    assert_eq!(judge_status(&world, &post).await["status"], "done");
}

#[tokio::test]
async fn a_verdict_is_applied_once_wherever_the_judge_crashes() {
    for (operation, fault) in [
        ("GetItem", Fault::Crash),
        ("BatchGetItem", Fault::CrashAfter),
        ("PutItem", Fault::CrashAfter),
        ("TransactWriteItems", Fault::Crash),
        ("TransactWriteItems", Fault::CrashAfter),
        ("TransactWriteItems", Fault::LostAnswer),
        ("TransactWriteItems", Fault::Conflict),
        ("PutEvents", Fault::Crash),
        ("PutEvents", Fault::Refused),
    ] {
        let (world, [ann], circle) = with_circle(judged_world(["ann"])).await;
        circle.gains(&world, -351, 190).await;
        let first = id(&writes_in(&ann, &circle, &text(5, "first")).await.ok());
        comments(&ann, &circle, &first, &text(9, "")).await;
        world.settle_despite(operation, fault, 0).await;
        assert_eq!(circle.hp_and_exp(&world).await, (155, 202), "{operation} {fault:?}");
        assert_eq!(quest(&ann, "DEEP_COMMENT").await["progress"], 1, "{operation} {fault:?}");
    }
}
