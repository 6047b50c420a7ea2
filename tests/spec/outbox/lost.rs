//! Recovery from expired or unreadable outbox records, and from messages that a queue loses.

use aws_sdk_dynamodb::types::AttributeValue;
use domain::{
    operations::republish::{Window, republish},
    people::users::Role,
};
use serde_json::json;
use tests::{Fault, World};

use super::{HOUR, assert_all_effects, followed, found};
use crate::{
    admin::administrator,
    circles::{
        creates_circle,
        posts::{judge_status, writes_in},
    },
    rights::without,
    stack::queue,
};

#[tokio::test]
async fn expired_outbox_records_can_be_republished() {
    let (world, [ann, bob]) = followed(World::builder().without_ticks()).await;
    let since = world.app().now();
    world.faults.plan("SendMessageBatch", Fault::Refused, 0, u32::MAX);
    let post = ann.writes("forgotten").await;
    bob.likes(&post).await;
    bob.replies(&post, "yes").await;
    let report = world.stack.settle(None).await.unwrap().stream;
    assert!(report.left >= 2 && report.given_up == 0, "{report:?}");
    world.faults.calm();
    world.advance(23 * HOUR + 1).await;
    let report = world.stack.settle(None).await.unwrap().stream;
    assert!(report.given_up >= 2, "{report:?}");
    assert_eq!(report.left, 0, "{report:?}");
    world.settle().await;
    let [bob, ann] = [bob.signs_in().await, ann.signs_in().await];
    assert_eq!(found(&bob, "forgotten").await, 0, "the expired record is not delivered");

    let window = Window { since, until: since.plus_seconds(60) };
    let (republished, next) = republish(&world.app(), window, None).await.unwrap();
    assert!(republished >= 2 && next.is_none(), "{republished}");
    world.settle().await;
    assert_all_effects("forgotten", &post, &[&ann, &bob]).await;
    let earlier = Window { until: since.plus_seconds(-1), since: since.plus_seconds(-60) };
    assert_eq!(republish(&world.app(), earlier, None).await.unwrap().0, 0, "no earlier outbox record");
}

#[tokio::test]
async fn lost_messages_about_likes_and_votes_can_be_republished() {
    let (world, [ann, bob]) = followed(World::builder()).await;
    let poll = json!({ "options": ["Tea", "Coffee"], "durationMinutes": 60 });
    let post = ann.posts(json!({ "content": "Tea or coffee?", "poll": poll })).await;
    ann.post(&post.path("/vote"), json!({ "options": [1] })).await.ok();
    world.settle().await;
    let counts = async || {
        let seen = ann.sees(&post).await;
        [&seen["likesCount"], &seen["poll"]["votersCount"]].map(|count| count.as_i64().unwrap())
    };
    let mut before = [0, 1];
    for (path, body, after) in [
        ("/like", json!({ "isLiked": true }), [1, 1]),
        ("/like", json!({ "isLiked": false }), [0, 1]),
        ("/vote", json!({ "options": [0] }), [0, 2]),
    ] {
        world.advance(1).await;
        let since = world.app().now();
        bob.post(&post.path(path), body).await.ok();
        lose_messages(&world).await;
        assert_eq!(counts().await, before, "without the message, the counts do not change");
        let window = Window { since, until: since };
        let found = republish(&world.app(), window, None).await.unwrap().0;
        world.settle().await;
        assert_eq!(counts().await, after);
        let rest = republish(&world.app(), window, None).await.unwrap().0;
        assert_eq!(rest, found - 1, "after the message was applied, the row has no outbox record");
        before = after;
    }
}

#[tokio::test]
async fn a_report_with_a_lost_message_is_evaluated_after_an_hour() {
    let (world, [ann, bob]) = followed(World::builder().without_ticks()).await;
    let post = ann.writes("you are all worthless idiots, go and die").await;
    world.settle().await;
    bob.post(&post.path("/report"), json!({ "reason": "abuse", "type": "post" })).await.ok();
    lose_messages(&world).await;
    let root = administrator(&world, "root", Role::SuperAdmin).await;
    let confidence =
        async |user: &tests::Person| user.get("/admin/reports").await.ok().rows()[0]["confidence"].clone();
    assert!(confidence(&root).await.is_null(), "the report is not evaluated yet");
    world.advance_and_settle(HOUR + 10 * 60).await;
    assert!(confidence(&root.signs_in().await).await.is_number());
}

#[tokio::test]
async fn a_circle_post_with_a_lost_message_is_judged_after_an_hour() {
    let (world, [ann]) = World::builder().without_ticks().start_with(["ann"]).await;
    let circle = creates_circle(&ann, "Readers").await;
    world.settle().await;
    let text = "Which book did you read last, and what did it change for you?";
    let post = writes_in(&ann, &circle, text).await.ok().data()["publicId"].as_str().unwrap().to_owned();
    lose_messages(&world).await;
    assert_eq!(judge_status(&world, &post).await["status"], "pending");
    world.advance_and_settle(HOUR + 10 * 60).await;
    assert_eq!(judge_status(&world, &post).await["status"], "done");
}

#[tokio::test]
async fn an_unreadable_outbox_record_becomes_a_dead_letter() {
    let (world, [ann, bob]) = followed(World::builder()).await;
    for outbox in ["no JSON", r#"{"id":"1","fax":[]}"#, r#"{"id":"1","send":[{"queue":"fax","body":{}}]}"#] {
        put_outbox(&world, outbox, "OUTBOX", outbox).await;
    }
    ann.writes("readable").await;
    world.stack.settle(None).await.unwrap();
    assert_eq!(found(&bob, "readable").await, 1);
    let sqs = world.clients().sqs;
    let dead = sqs.receive_message().queue_url(world.stack.queue_url("relay-dead-letters"));
    let dead = dead.max_number_of_messages(10).send().await.unwrap();
    let bodies: Vec<_> = dead.messages().iter().filter_map(|message| message.body()).collect();
    for part in ["no JSON", "fax", "\"Keys\"", "NewImage"] {
        assert!(bodies.iter().any(|body| body.contains(part)), "{part}: {bodies:?}");
    }
}

#[tokio::test]
async fn a_message_that_a_queue_always_refuses_is_a_dead_letter() {
    let (world, [ann, bob]) = followed(World::builder()).await;
    ann.writes("never taken").await;
    world.faults.plan("SendMessageBatch", Fault::NeverTaken, 0, 2);
    let report = world.stack.settle(None).await.unwrap().stream;
    assert_eq!((world.faults.calm(), report.failed, report.left), (2, 0, 0), "{report:?}");
    ann.writes("taken").await;
    world.stack.settle(None).await.unwrap();
    assert_eq!((found(&bob, "never").await, found(&bob, "taken").await), (0, 1));
    assert_eq!(queue(&world, "relay-dead-letters").visible, 1);
}

#[tokio::test]
async fn a_queue_that_refuses_messages_does_not_delay_other_queues() {
    let template = without("RelayRights", "- !GetAtt MailQueue.Arn", "- !GetAtt LikedAddQueue.Arn");
    let (world, [ann, bob]) = World::builder().template(template).start_with(["ann", "bob"]).await;
    ann.writes("delivered").await;
    let report = world.stack.settle(None).await.unwrap();
    assert!(report.stream.failed > 2, "the relay retries the emails: {report:?}");
    assert_eq!(found(&bob, "delivered").await, 1);
    // Each attempt to send one of the two emails also queues the search job of the user. The post is indexed and fanned
    // out once.
    let user_jobs = 2 * (report.stream.failed + 1);
    assert!(report.delivered <= user_jobs + 2, "{report:?}");
}

#[tokio::test]
async fn retries_of_the_relay_do_not_duplicate_dead_letters() {
    let template = without("RelayRights", "- !GetAtt MailQueue.Arn", "- !GetAtt LikedAddQueue.Arn");
    let world = World::builder().template(template).start().await;
    for (sk, outbox) in [("1", r#"{"id":"1","send":[{"queue":"mail","body":{}}]}"#), ("2", "no JSON")] {
        put_outbox(&world, "a", sk, outbox).await;
    }
    let report = world.stack.settle(None).await.unwrap();
    assert!(report.stream.failed > 1, "the relay retries the email: {report:?}");
    assert_eq!(queue(&world, "relay-dead-letters").visible, 1);
}

/// Delivers all outbox records while the queues lose every message.
async fn lose_messages(world: &World) {
    world.faults.plan("SendMessageBatch", Fault::Swallowed, 0, u32::MAX);
    world.settle().await;
    assert!(world.faults.calm() > 0);
}

/// Writes a row with an outbox record.
async fn put_outbox(world: &World, pk: &str, sk: &str, outbox: &str) {
    let text = |text: &str| AttributeValue::S(text.to_owned());
    let put = world.unwatched_dynamodb().put_item().table_name(world.table_name());
    let put = put.item("pk", text(pk)).item("sk", text(sk)).item("outbox", text(outbox));
    put.send().await.unwrap();
}
