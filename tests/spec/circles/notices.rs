//! What the people of a circle are notified of.

use serde_json::{Value, json};
use tests::{Fault, Person, World};

use super::{
    answers, asks,
    cpr::{begins, post_of},
    critic::{Critic, text},
    founds,
    invitations::{accepts, invites},
    joins,
    posts::{comments, id, writes_in},
};
use crate::notifications::{self, notifications};

const THOUGHT: &str = "A thought about reading in the evening, and why it matters to all of us";

/// What happened is recorded, and comes with the next tick.
async fn ticks(world: &World) {
    world.settle().await;
    notifications::ticks(world).await;
}

/// Kind, target and count of each of somebody's notifications.
async fn told(who: &Person) -> Vec<[Value; 3]> {
    let rows = notifications(who).await;
    rows.iter().map(|it| [&it["type"], &it["targetId"], &it["count"]].map(Value::clone)).collect()
}

#[tokio::test]
async fn an_invitation_its_acceptance_and_being_let_in_are_told_to_whom_they_concern() {
    let world = World::new().await;
    let [ann, bob, cleo, dan] = world.people(["ann", "bob", "cleo", "dan"]).await;
    let circle = founds(&ann, "Night readers").await;
    let about = |kind: &str| [json!(kind), json!(circle.id), json!(1)];
    invites(&ann, &circle, "bob").await.ok();
    asks(&cleo, &circle).await.ok();
    ticks(&world).await;
    assert_eq!(told(&bob).await, [about("CIRCLE_INVITATION")]);
    assert_eq!(notifications(&bob).await[0]["message"], "ann invited you to a circle");
    accepts(&bob, &circle).await.ok();
    answers(&ann, &circle, &cleo, "ACCEPT").await.ok();
    ticks(&world).await;
    assert_eq!(told(&ann).await, [about("CIRCLE_JOINED")]);
    assert_eq!(notifications(&ann).await[0]["message"], "bob joined your circle");
    assert_eq!(told(&cleo).await, [about("CIRCLE_JOINED")]);
    let row = &notifications(&cleo).await[0];
    assert_eq!(
        (&row["message"], &row["actorIds"]),
        (&json!("Your request was accepted. You are now a member of the circle."), &json!([]))
    );
    dan.post(&ann.path("/mute"), Value::Null).await.ok();
    invites(&ann, &circle, "dan").await.ok();
    ticks(&world).await;
    assert!(told(&dan).await.is_empty(), "whom somebody mutes they do not hear");
}

#[tokio::test]
async fn a_comment_is_told_to_the_author_of_the_post_and_to_nobody_else() {
    let world = World::new().await;
    let [ann, bob, cleo] = world.people(["ann", "bob", "cleo"]).await;
    let circle = founds(&ann, "Night readers").await;
    for who in [&bob, &cleo] {
        joins(who, &circle, &ann).await;
    }
    let post = id(&writes_in(&bob, &circle, THOUGHT).await.ok());
    comments(&ann, &circle, &post, THOUGHT).await;
    comments(&bob, &circle, &post, &format!("{THOUGHT}, I said")).await;
    bob.post(&cleo.path("/mute"), Value::Null).await.ok();
    comments(&cleo, &circle, &post, &format!("{THOUGHT}, they say")).await;
    ticks(&world).await;
    let rows = notifications(&bob).await;
    let comment = rows.iter().find(|it| it["type"] == "CIRCLE_COMMENT").expect("a comment");
    assert_eq!((&comment["targetType"], &comment["targetId"]), (&json!("CIRCLE_POST"), &json!(post)));
    assert_eq!((&comment["count"], &comment["actorIds"]), (&json!(1), &json!([ann.id])));
    for who in [&ann, &cleo] {
        assert!(told(who).await.iter().all(|it| it[0] != "CIRCLE_COMMENT"));
    }
}

#[tokio::test]
async fn members_hear_of_each_worse_stage_once_a_day_and_of_death() {
    let world = World::new().await;
    let [ann, bob, eve] = world.people(["ann", "bob", "eve"]).await;
    let circle = founds(&ann, "Night readers").await;
    joins(&bob, &circle, &ann).await;
    world.settle().await;
    let stages = async |who: &Person| -> Vec<Value> {
        let rows = told(who).await;
        rows.into_iter().filter(|it| it[0] == "CIRCLE_STAGE").map(|[_, _, count]| count).collect()
    };
    for (hp, count) in [(-340, 0), (-10, 1), (10, 1), (-10, 1), (-110, 2), (10, 2), (-10, 2)] {
        circle.feels(&world, hp, 0).await;
        world.advance(1).await;
        world.faults.next("TransactWriteItems", Fault::CrashAfter);
        ticks(&world).await;
        world.faults.calm();
        let expected: Vec<_> = (count > 0).then_some(json!(count)).into_iter().collect();
        assert_eq!(stages(&bob).await, expected, "after {hp}");
    }
    circle.feels(&world, -500, 0).await;
    ticks(&world).await;
    for who in [&ann, &bob] {
        assert_eq!(stages(who).await, [json!(3)]);
    }
    assert!(told(&eve).await.is_empty());
    let row = &notifications(&bob).await[0];
    assert_eq!((&row["targetType"], &row["lastActorId"]), (&json!("CIRCLE"), &Value::Null));
}

#[tokio::test]
async fn members_hear_that_a_cpr_began_and_ended() {
    let critic = Critic::new().await;
    let world = World::builder().settings(&critic.settings()).start().await;
    let [ann, bob] = world.people(["ann", "bob"]).await;
    let circle = founds(&ann, "Night readers").await;
    joins(&bob, &circle, &ann).await;
    circle.feels(&world, 0, 200).await;
    circle.feels(&world, -450, 0).await;
    world.settle().await;
    let post = post_of(&begins(&ann, &circle, 5).await.ok());
    ticks(&world).await;
    let rescue = async || told(&ann).await.into_iter().find(|it| it[0] == "CIRCLE_CPR");
    assert_eq!(rescue().await, Some([json!("CIRCLE_CPR"), json!(circle.id), json!(1)]));
    for number in 1..=5 {
        comments(&bob, &circle, &post, &text(8, format!("number {number}"))).await;
    }
    ticks(&world).await;
    assert_eq!(rescue().await, Some([json!("CIRCLE_CPR"), json!(circle.id), json!(2)]));
}

#[tokio::test]
async fn only_invitations_and_who_came_are_told_while_proposed_features_are_off() {
    let world = World::builder().settings(&[("PROPOSED_FEATURES", "off")]).start().await;
    let [ann, bob] = world.people(["ann", "bob"]).await;
    let circle = founds(&ann, "Night readers").await;
    invites(&ann, &circle, "bob").await.ok();
    accepts(&bob, &circle).await.ok();
    circle.feels(&world, -400, 0).await;
    ticks(&world).await;
    assert_eq!(bob.get("/notification").await.ok().column("type"), ["CIRCLE_INVITATION"]);
    assert_eq!(ann.get("/notification").await.ok().column("type"), ["CIRCLE_JOINED"], "not of its illness");
}
