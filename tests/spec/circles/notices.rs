//! Notifications about circles.

use domain::{circles::posts, people::users::Role};
use platform::table::Write;
use serde_json::{Value, json};
use tests::{Fault, Person, World};

use super::{
    THOUGHT, answers, asks, circle_of,
    cpr::{begins, post_of, writes_five_comments},
    creates_circle,
    critic::Critic,
    invitations::{accepts, invites},
    posts::{comments, id, writes_in},
    with_circle, with_members, writes,
};
use crate::{
    admin::administrator,
    moderation::reports,
    notifications::{self, notifications},
};

/// Delivers all messages, then turns the pending events into notifications.
pub(super) async fn ticks(world: &World) {
    world.settle().await;
    notifications::ticks(world).await;
}

/// Returns whether the user has a notification about a comment.
async fn has_comment(user: &Person) -> bool {
    kinds_of(user).await.iter().any(|row| row[0] == "CIRCLE_COMMENT")
}

/// Returns the kind, target and count of each of a user's notifications.
async fn kinds_of(user: &Person) -> Vec<[Value; 3]> {
    let rows = notifications(user).await;
    rows.iter().map(|row| [&row["type"], &row["targetId"], &row["count"]].map(Value::clone)).collect()
}

#[tokio::test]
async fn invitations_joins_and_acceptances_send_notifications() {
    let (world, [ann, bob, cleo, dan]) = World::with(["ann", "bob", "cleo", "dan"]).await;
    let circle = creates_circle(&ann, "Night readers").await;
    let about = |kind: &str| [json!(kind), json!(circle.id), json!(1)];
    invites(&ann, &circle, "bob").await.ok();
    asks(&cleo, &circle).await.ok();
    ticks(&world).await;
    assert_eq!(kinds_of(&bob).await, [about("CIRCLE_INVITATION")]);
    assert_eq!(notifications(&bob).await[0]["message"], "ann invited you to a circle");
    accepts(&bob, &circle).await.ok();
    answers(&ann, &circle, &cleo, "ACCEPT").await.ok();
    ticks(&world).await;
    assert_eq!(kinds_of(&ann).await, [about("CIRCLE_JOINED")]);
    assert_eq!(notifications(&ann).await[0]["message"], "bob joined your circle");
    assert_eq!(kinds_of(&cleo).await, [about("CIRCLE_JOINED")]);
    let row = &notifications(&cleo).await[0];
    assert_eq!(row["message"], "Your request was accepted. You are now a member of the circle.");
    assert_eq!(row["actorIds"], json!([]));
    dan.post(&ann.path("/mute"), Value::Null).await.ok();
    invites(&ann, &circle, "dan").await.ok();
    ticks(&world).await;
    assert!(kinds_of(&dan).await.is_empty(), "a muted user's invitation gives no notification");
}

#[tokio::test]
async fn a_deleted_comment_is_removed_from_its_notification() {
    let (world, [ann, bob, cleo], circle) = with_members(World::with(["ann", "bob", "cleo"])).await;
    let root = administrator(&world, "root", Role::Admin).await;
    let post = id(&writes_in(&bob, &circle, THOUGHT).await.ok());
    let mut written = Vec::new();
    for (user, salt) in [(&ann, 0), (&cleo, 1), (&cleo, 2), (&cleo, 3)] {
        written.push(comments(user, &circle, &post, &format!("{THOUGHT}, {salt}")).await);
    }
    ticks(&world).await;
    let about = |count| [json!("CIRCLE_COMMENT"), json!(post), json!(count)];
    assert!(kinds_of(&bob).await.contains(&about(4)));
    cleo.delete(&format!("/posts/{}", written[1])).await.ok();
    ann.delete(&format!("/posts/{}", written[2])).await.ok();
    ticks(&world).await;
    assert!(kinds_of(&bob).await.contains(&about(2)));
    let report = reports(&bob, &written[3], json!({})).await;
    world.settle().await;
    root.patch(&report, json!({ "action": "delete" })).await.ok();
    ticks(&world).await;
    let row = notifications(&bob).await.into_iter().find(|row| row["type"] == "CIRCLE_COMMENT").unwrap();
    assert_eq!(json!([row["count"], row["actorIds"]]), json!([1, [ann.public_id]]));
    ann.delete(&format!("/posts/{}", written[0])).await.ok();
    ticks(&world).await;
    assert!(!has_comment(&bob).await);
}

#[tokio::test]
async fn a_comment_that_is_deleted_or_whose_post_is_purged_sends_no_notification() {
    for is_purged in [false, true] {
        let (world, [ann, bob], circle) = with_members(World::with(["ann", "bob"])).await;
        let post = id(&writes_in(&bob, &circle, THOUGHT).await.ok());
        world.settle().await;
        let comment = comments(&ann, &circle, &post, &format!("{THOUGHT}, too")).await;
        match is_purged {
            true => writes(&world, Write::delete(posts::key(post.parse().unwrap())).into()).await,
            false => drop(ann.delete(&format!("/posts/{comment}")).await.ok()),
        }
        ticks(&world).await;
        assert!(!has_comment(&bob).await, "is purged: {is_purged}");
    }
}

#[tokio::test]
async fn a_comment_notifies_only_the_author_of_the_post() {
    let (world, [ann, bob, cleo], circle) = with_members(World::with(["ann", "bob", "cleo"])).await;
    let post = id(&writes_in(&bob, &circle, THOUGHT).await.ok());
    comments(&ann, &circle, &post, THOUGHT).await;
    comments(&bob, &circle, &post, &format!("{THOUGHT}, I said")).await;
    bob.post(&cleo.path("/mute"), Value::Null).await.ok();
    comments(&cleo, &circle, &post, &format!("{THOUGHT}, they say")).await;
    ticks(&world).await;
    let rows = notifications(&bob).await;
    let comment = rows.iter().find(|row| row["type"] == "CIRCLE_COMMENT").expect("a comment");
    assert_eq!(json!([comment["targetType"], comment["targetId"]]), json!(["CIRCLE_POST", post]));
    assert_eq!(json!([comment["count"], comment["actorIds"]]), json!([1, [ann.public_id]]));
    for user in [&ann, &cleo] {
        assert!(!has_comment(user).await);
    }
}

#[tokio::test]
async fn each_worse_health_stage_notifies_members_at_most_once_a_day() {
    let (world, [ann, bob, eve]) = World::with(["ann", "bob", "eve"]).await;
    let circle = circle_of(&ann, &[&bob]).await;
    world.settle().await;
    let stages = async |user: &Person| -> Vec<Value> {
        let rows = kinds_of(user).await;
        rows.into_iter().filter(|row| row[0] == "CIRCLE_STAGE").map(|[_, _, count]| count).collect()
    };
    for (hp, count) in [(-340, 0), (-10, 1), (10, 1), (-10, 1), (-110, 2), (10, 2), (-10, 2)] {
        circle.gains(&world, hp, 0).await;
        world.advance(1).await;
        world.faults.next("TransactWriteItems", Fault::CrashAfter);
        ticks(&world).await;
        world.faults.calm();
        let expected: Vec<_> = (count > 0).then_some(json!(count)).into_iter().collect();
        assert_eq!(stages(&bob).await, expected, "after {hp}");
    }
    circle.gains(&world, -500, 0).await;
    ticks(&world).await;
    for user in [&ann, &bob] {
        assert_eq!(stages(user).await, [json!(3)]);
    }
    assert!(kinds_of(&eve).await.is_empty());
    let row = &notifications(&bob).await[0];
    assert_eq!(json!([row["targetType"], row["lastActorId"]]), json!(["CIRCLE", null]));
}

#[tokio::test]
async fn members_are_notified_of_the_start_and_end_of_a_cpr() {
    let critic = Critic::new().await;
    let (world, [ann, bob]) = World::builder().settings(&critic.settings()).start_with(["ann", "bob"]).await;
    let circle = circle_of(&ann, &[&bob]).await;
    circle.gains(&world, -450, 200).await;
    world.settle().await;
    let post = post_of(&begins(&ann, &circle, 5).await.ok());
    ticks(&world).await;
    let cpr_notification = async || kinds_of(&ann).await.into_iter().find(|row| row[0] == "CIRCLE_CPR");
    assert_eq!(cpr_notification().await, Some([json!("CIRCLE_CPR"), json!(circle.id), json!(1)]));
    writes_five_comments(&bob, &circle, &post).await;
    ticks(&world).await;
    assert_eq!(cpr_notification().await, Some([json!("CIRCLE_CPR"), json!(circle.id), json!(2)]));
}

#[tokio::test]
async fn without_proposed_features_only_invites_and_joins_notify() {
    let builder = World::builder().settings(&[("PROPOSED_FEATURES", "off")]);
    let (world, [ann, bob], circle) = with_circle(builder.start_with(["ann", "bob"])).await;
    invites(&ann, &circle, "bob").await.ok();
    accepts(&bob, &circle).await.ok();
    circle.gains(&world, -400, 0).await;
    ticks(&world).await;
    assert_eq!(bob.get("/notification").await.ok().column("type"), ["CIRCLE_INVITATION"]);
    let kinds = ann.get("/notification").await.ok().column("type");
    assert_eq!(kinds, ["CIRCLE_JOINED"], "changes of the circle's health give no notification");
}
