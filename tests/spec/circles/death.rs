//! The death of a circle, and its memorial in the museum.

use platform::table::{Index, KeyOnly, Query};
use serde_json::{Value, json};
use tests::{Fault, World};

use super::{
    Circle, creates_circle,
    critic::{judged_world, text},
    earns, hours,
    judging::{calls_back, verdict},
    posts::{comments, id, judge_status, writes_in},
    sacrifice::gives,
    with_circle, with_members, without_ticks,
};

/// Returns the keys of all rows of a circle and its posts.
pub(crate) async fn rows_of(world: &World, circle: &Circle) -> Vec<String> {
    let app = world.app();
    let own = Query::partition(format!("CIRCLE#{}", circle.id)).consistent();
    let written = Query::index(Index::Gsi1, format!("CIRCLEALL#{}", circle.id));
    let mut rows = app.table.query::<KeyOnly>(&own).await.unwrap();
    rows.extend(app.table.query::<KeyOnly>(&written).await.unwrap());
    rows.into_iter().map(|row| format!("{} / {}", row.pk, row.sk)).collect()
}

#[tokio::test]
async fn a_circle_dies_at_a_full_hour_and_gets_a_memorial() {
    let (world, [ann, bob], circle) = with_members(judged_world(["ann", "bob"])).await;
    let good = id(&writes_in(&ann, &circle, &text(9, "good")).await.ok());
    let better = id(&writes_in(&ann, &circle, &text(10, "better")).await.ok());
    comments(&ann, &circle, &good, &text(10, "comment")).await;
    world.settle().await;
    circle.gains(&world, -250, 0).await;
    earns(&world, &bob, 3).await;
    gives(&bob, &circle, 3).await.ok();
    world.advance_and_settle(27 * 3600).await;
    assert_eq!(circle.energy(&world).await["current"], 10);
    assert!(ann.signs_in().await.get("/museum").await.ok().rows().is_empty());
    hours(&world, 1).await;
    let ann = ann.signs_in().await;
    for below in ["", "/energy", "/exp-log", "/posts", "/cpr/status"] {
        ann.get(&circle.path(below)).await.refused(404, "NOT_FOUND");
    }
    writes_in(&ann, &circle, &text(9, "too late")).await.refused(404, "NOT_FOUND");
    let museum = ann.get("/museum").await.ok();
    let memorial = &museum.rows()[0];
    assert_eq!(museum.rows().len(), 1);
    assert_eq!(
        memorial,
        &json!({
            "publicId": circle.id,
            "circleName": "Night readers",
            "summary": "Night readers lived 1 day, reached level 1 and 500 HP, and had 2 members at the end.",
            "peakHp": 500,
            "livedDays": 1,
            "maxLevel": 1,
            "totalMembers": 2,
            "topPostIds": [better, good],
            "topPosts": [
                { "publicId": better, "content": text(10, "better"), "author": "ann", "likesCount": 0 },
                { "publicId": good, "content": text(9, "good"), "author": "ann", "likesCount": 0 },
            ],
            "heroes": [{ "userId": bob.public_id, "badgeType": "HERO" }],
            "featured": false,
            "diedAt": "2026-01-02T04:00:00.000Z",
        })
    );
    assert_eq!(ann.get(&format!("/museum/{}", circle.id)).await.ok().data(), memorial);
}

#[tokio::test]
async fn a_verdict_that_takes_the_last_hp_kills_the_circle() {
    let (world, [ann]) = judged_world(["ann"]).await;
    for by_callback in [false, true] {
        let circle = creates_circle(&ann, "Night readers").await;
        circle.gains(&world, -499, 0).await;
        let post = id(&writes_in(&ann, &circle, &text(0, "worst")).await.ok());
        if by_callback {
            calls_back(&world, &verdict(&post, 0.0)).await.ok();
        }
        world.settle().await;
        ann.get(&circle.path("")).await.refused(404, "NOT_FOUND");
        let memorial = ann.get(&format!("/museum/{}", circle.id)).await.ok();
        assert_eq!(memorial.data()["livedDays"], 0, "by callback: {by_callback}");
    }
}

#[tokio::test]
async fn the_purge_of_a_dead_circle_keeps_the_memorial() {
    let (world, [ann], circle) = with_circle(judged_world(["ann"])).await;
    let other = creates_circle(&ann, "Other").await;
    let post = id(&writes_in(&ann, &circle, &text(9, "")).await.ok());
    comments(&ann, &circle, &post, &text(9, "comment")).await;
    world.settle().await;
    circle.gains(&world, -499, 0).await;
    hours(&world, 1).await;
    let ann = ann.signs_in().await;
    assert_eq!(ann.get("/museum").await.ok().column("publicId"), [json!(circle.id)]);
    world.advance_and_settle(23 * 3600).await;
    assert!(!rows_of(&world, &circle).await.is_empty(), "the rows of a dead circle are kept for 24 hours");
    assert_eq!(judge_status(&world, &post).await["status"], "done");
    hours(&world, 1).await;
    assert_eq!(rows_of(&world, &circle).await, [""; 0]);
    assert!(!rows_of(&world, &other).await.is_empty());
    let ann = ann.signs_in().await;
    ann.get(&format!("/posts/{post}/judge-status")).await.refused(404, "NOT_FOUND");
    assert_eq!(ann.get("/circles").await.ok().column("publicId"), [json!(other.id)]);
    assert_eq!(ann.get("/museum").await.ok().column("publicId"), [json!(circle.id)]);
}

#[tokio::test]
async fn an_interrupted_purge_of_a_circle_is_finished_later() {
    for (operation, fault) in [
        ("BatchWriteItem", Fault::Crash),
        ("BatchWriteItem", Fault::CrashAfter),
        ("BatchWriteItem", Fault::Unprocessed),
        ("SendMessage", Fault::CrashAfter),
        ("Query", Fault::Crash),
    ] {
        let (world, _, circle) = with_circle(without_ticks(["ann"])).await;
        hours(&world, 2).await;
        circle.gains(&world, -479, 0).await;
        hours(&world, 1).await;
        world.advance_and_settle(23 * 3600).await;
        world.advance(3600).await;
        world.settle_despite(operation, fault, 0).await;
        hours(&world, 1).await;
        assert_eq!(rows_of(&world, &circle).await, [""; 0], "{operation} {fault:?}");
    }
}

#[tokio::test]
async fn the_death_and_memorial_of_a_circle_are_written_together() {
    for (operation, fault) in [
        ("GetItem", Fault::Crash),
        ("Query", Fault::CrashAfter),
        ("TransactWriteItems", Fault::Crash),
        ("TransactWriteItems", Fault::CrashAfter),
        ("TransactWriteItems", Fault::LostAnswer),
        ("PutEvents", Fault::Crash),
    ] {
        let (world, [ann], circle) = with_circle(without_ticks(["ann"])).await;
        circle.gains(&world, -495, 0).await;
        world.advance(3600).await;
        world.settle_despite(operation, fault, 0).await;
        let ann = ann.signs_in().await;
        ann.get(&circle.path("")).await.refused(404, "NOT_FOUND");
        assert_eq!(ann.get("/museum").await.ok().rows().len(), 1, "{operation} {fault:?}");
    }
}

#[tokio::test]
async fn a_bad_post_can_kill_a_circle() {
    let (world, [ann], circle) = with_circle(judged_world(["ann"])).await;
    circle.gains(&world, -498, 0).await;
    let last = id(&writes_in(&ann, &circle, &text(0, "")).await.ok());
    let late = id(&writes_in(&ann, &circle, &text(9, "")).await.ok());
    world.settle_as(3).await;
    let hp_delta = async |post: &str| judge_status(&world, post).await["hpDelta"].clone();
    let deltas = [hp_delta(&last).await, hp_delta(&late).await];
    if world.anyone.get(&circle.path("")).await.status == 200 {
        assert_eq!(deltas, [json!(-3), json!(5)], "the good post was judged first");
    } else {
        assert_eq!(deltas, [json!(-2), json!(0)], "the good post was judged after the death of the circle");
        assert_eq!(ann.get("/museum").await.ok().rows().len(), 1);
    }
}

#[tokio::test]
async fn memorials_of_level_4_circles_are_featured() {
    let (world, [ann]) = without_ticks(["ann"]).await;
    let (high, low) = (creates_circle(&ann, "High").await, creates_circle(&ann, "Low").await);
    high.gains(&world, 450, 1000).await;
    high.gains(&world, -949, 0).await;
    hours(&world, 1).await;
    low.gains(&world, -489, 0).await;
    hours(&world, 1).await;
    let museum = ann.signs_in().await.get("/museum").await.ok();
    assert_eq!(museum.column("circleName"), ["High", "Low"]);
    assert_eq!(museum.column("featured"), [true, false]);
    assert_eq!(json!([museum.column("maxLevel")[0], museum.column("peakHp")[0]]), json!([4, 950]));
    assert_eq!(museum.rows()[0]["heroes"], Value::Array(Vec::new()));
}
