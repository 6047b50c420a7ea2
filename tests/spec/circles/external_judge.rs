//! Circle posts that wait until an external service judges them.

use domain::people::users::Role;
use serde_json::json;
use tests::{Fault, Person, World};

use super::{
    Circle, THOUGHT,
    critic::INTERNAL_SECRET,
    judging::{calls_back, verdict},
    posts::{id, judge_status, writes_in},
    with_circle,
};
use crate::admin::{
    administrator,
    webhooks::{adds_webhook, service::Service},
};

const MINUTE: u64 = 60;

/// Starts a world with an external judge, and a circle of a user with 400 HP.
async fn start() -> (World, Person, Circle) {
    let settings =
        [("JUDGE", "external"), ("INTERNAL_SECRET", INTERNAL_SECRET), ("INNER_ADDRESSES", "allowed")];
    let builder = World::builder().with_minute_ticks().settings(&settings);
    let (world, [ann], circle) = with_circle(builder.start_with(["ann"])).await;
    circle.gains(&world, -100, 0).await;
    (world, ann, circle)
}

#[tokio::test]
async fn a_webhook_announces_each_post_that_waits_for_a_verdict() {
    let (world, ann, circle) = start().await;
    let root = administrator(&world, "root", Role::Admin).await;
    let service = Service::starts().await;
    let (_, secret) = adds_webhook(&root, &service, &["circle-post.created"]).await;
    let post = id(&writes_in(&ann, &circle, THOUGHT).await.ok());
    let worthless = id(&writes_in(&ann, &circle, "short").await.ok());
    world.settle().await;
    assert_eq!(service.kinds_and_ids(&secret), [json!(["circle-post.created", post])]);
    assert_eq!(judge_status(&world, &post).await, json!({ "status": "pending" }));
    assert_eq!(judge_status(&world, &worthless).await["score"], 0.0, "the text is too short for the judge");
    ann.patch(&format!("/posts/{post}"), json!({ "content": format!("{THOUGHT}!") })).await.ok();
    world.settle().await;
    assert_eq!(service.kinds_and_ids(&secret), [json!(["circle-post.created", post])], "edited");
    assert_eq!(calls_back(&world, &verdict(&post, 9.0)).await.ok().data(), &json!({ "applied": true }));
    assert_eq!(calls_back(&world, &verdict(&post, 0.0)).await.ok().data(), &json!({ "applied": false }));
    world.advance_and_settle(61 * MINUTE).await;
    assert_eq!(judge_status(&world, &post).await["score"], 9.0);
    assert!(service.received(&secret).is_empty());
}

#[tokio::test]
async fn the_built_in_judge_decides_after_an_hour_without_a_verdict() {
    let (world, ann, circle) = start().await;
    let post = id(&writes_in(&ann, &circle, THOUGHT).await.ok());
    world.settle().await;
    world.advance_and_settle(59 * MINUTE).await;
    assert_eq!(judge_status(&world, &post).await, json!({ "status": "pending" }));
    world.advance_and_settle(MINUTE).await;
    let judged = judge_status(&world, &post).await;
    assert_eq!(judged["status"], "done");
    let late = calls_back(&world, &verdict(&post, 0.0)).await.ok();
    assert_eq!(late.data(), &json!({ "applied": false }));
    assert_eq!(judge_status(&world, &post).await, judged);
}

#[tokio::test]
async fn an_unjudged_post_is_judged_once_despite_a_worker_crash() {
    for (operation, fault) in [
        ("TransactWriteItems", Fault::Crash),
        ("TransactWriteItems", Fault::CrashAfter),
        ("TransactWriteItems", Fault::LostAnswer),
        ("SendMessage", Fault::CrashAfter),
    ] {
        let (world, ann, circle) = start().await;
        let post = id(&writes_in(&ann, &circle, THOUGHT).await.ok());
        world.settle().await;
        world.advance(60 * MINUTE).await;
        world.settle_despite(operation, fault, 0).await;
        world.advance_and_settle(2 * MINUTE).await;
        let judged = judge_status(&world, &post).await;
        let hp = 400 - 10 + judged["hpDelta"].as_i64().unwrap();
        assert_eq!(circle.energy(&world).await["current"], hp, "{operation} {fault:?}");
    }
}
