//! Giving karma to a circle.

use serde_json::{Value, json};
use tests::{Answer, Fault, Person, World};

use super::{
    Circle,
    cpr::{begins, post_of, with_dying_circle},
    creates_circle,
    critic::{judged_world, text},
    earns, log,
    posts::writes_in,
    with_circle, with_members,
};

const HOUR: u64 = 3600;

/// Gives karma to a circle.
pub(crate) async fn gives(user: &Person, circle: &Circle, karma: i64) -> Answer {
    user.post(&circle.path("/sacrifice"), json!({ "karmaAmount": karma })).await
}

async fn karma(user: &Person) -> Value {
    user.get("/users/me/karma").await.ok().data().clone()
}

async fn karma_and_hp(world: &World, user: &Person, circle: &Circle) -> [Value; 2] {
    [karma(user).await["balance"].clone(), circle.energy(world).await["current"].clone()]
}

#[tokio::test]
async fn a_karma_gift_adds_hp_and_blocks_the_givers_posts_for_2_days() {
    let (world, [ann]) = judged_world(["ann"]).await;
    let (circle, other) = (creates_circle(&ann, "Night readers").await, creates_circle(&ann, "Other").await);
    circle.gains(&world, -460, 0).await;
    earns(&world, &ann, 12).await;
    let given = gives(&ann, &circle, 3).await.ok();
    let until = "2026-01-03T00:00:00.000Z";
    let gift = json!({ "hpGained": 30, "newKarma": 9, "restrictionUntil": until, "badgeGranted": true });
    assert_eq!((given.status, given.data()), (200, &gift));
    assert_eq!(circle.energy(&world).await["current"], 70);
    let now = karma(&ann).await;
    assert_eq!(now["balance"], 9);
    assert_eq!(now["restriction"], json!({ "circleId": circle.id, "until": until }));
    let at = "2026-01-01T00:00:00.000Z";
    let loss = json!({ "delta": -3, "reason": "KARMA_SACRIFICE", "circleId": circle.id, "createdAt": at });
    assert_eq!(now["transactions"], json!([loss]));
    let badges = ann.get("/users/me/badges").await.ok();
    let badge =
        json!({ "type": "HERO", "circleId": circle.id, "circleName": "Night readers", "createdAt": at });
    assert_eq!(badges.data(), &json!({ "badges": [badge] }));
    let refused = writes_in(&ann, &circle, &text(9, "")).await;
    assert!(refused.refused(403, "FORBIDDEN").contains(until), "{refused}");
    writes_in(&ann, &other, &text(9, "")).await.ok();
    assert_eq!(gives(&ann, &circle, 1).await.ok().data()["badgeGranted"], false);
    assert_eq!(ann.get("/users/me/badges").await.ok().data()["badges"].as_array().unwrap().len(), 1);
    circle.gains(&world, 600, 0).await;
    world.settle().await;
    world.advance_and_settle(48 * HOUR - 1).await;
    let ann = ann.signs_in().await;
    writes_in(&ann, &circle, &text(9, "")).await.refused(403, "FORBIDDEN");
    world.advance_and_settle(1).await;
    writes_in(&ann, &circle, &text(9, "")).await.ok();
    assert_eq!(karma(&ann).await["restriction"], Value::Null);
    world.settle().await;
}

#[tokio::test]
async fn a_user_who_gave_karma_to_two_circles_can_post_in_neither() {
    let (world, [ann]) = World::with(["ann"]).await;
    let (first, second) = (creates_circle(&ann, "Night readers").await, creates_circle(&ann, "Other").await);
    earns(&world, &ann, 3).await;
    for circle in [&first, &second, &first] {
        circle.gains(&world, -100, 0).await;
        gives(&ann, circle, 1).await.ok();
        world.advance(60).await;
    }
    let [latest, earlier] = [(&first, "2026-01-03T00:02:00.000Z"), (&second, "2026-01-03T00:01:00.000Z")]
        .map(|(circle, until)| json!({ "circleId": circle.id, "until": until }));
    let now = karma(&ann).await;
    assert_eq!((&now["restriction"], &now["restrictions"]), (&latest, &json!([latest, earlier])));
    for circle in [&first, &second] {
        writes_in(&ann, circle, &text(9, "")).await.refused(403, "FORBIDDEN");
    }
    world.settle().await;
    world.advance_and_settle(48 * HOUR - 120).await;
    let now = karma(&ann.signs_in().await).await;
    assert_eq!((&now["restriction"], &now["restrictions"]), (&latest, &json!([latest])));
}

#[tokio::test]
async fn a_karma_giver_cannot_comment_but_can_start_a_cpr() {
    let (world, [ann], circle) = with_dying_circle(["ann"]).await;
    earns(&world, &ann, 1).await;
    gives(&ann, &circle, 1).await.ok();
    let post = post_of(&begins(&ann, &circle, 5).await.ok());
    let refused = ann.post(&circle.path("/posts"), json!({ "content": text(9, ""), "parentId": post })).await;
    let why = refused.refused(403, "FORBIDDEN");
    for part in ["you gave karma to this circle", "2026-01-03T00:00:00.000Z"] {
        assert!(why.contains(part), "{why}");
    }
}

#[tokio::test]
async fn a_karma_gift_costs_only_the_karma_that_adds_hp() {
    let (world, [ann], circle) = with_circle(World::with(["ann"])).await;
    earns(&world, &ann, 100).await;
    circle.gains(&world, -25, 0).await;
    let capped = gives(&ann, &circle, 50).await.ok();
    assert_eq!(json!([capped.data()["hpGained"], capped.data()["newKarma"]]), json!([25, 97]));
    gives(&ann, &circle, 1).await.refused(400, "VALIDATION_FAILED");
    circle.gains(&world, -490, 0).await;
    let half = gives(&ann, &circle, 97).await.ok();
    assert_eq!(json!([half.data()["hpGained"], half.data()["newKarma"]]), json!([250, 72]));
}

#[tokio::test]
async fn an_invalid_karma_gift_is_refused() {
    let (world, [ann], circle) = with_circle(World::with(["ann"])).await;
    circle.gains(&world, -400, 0).await;
    gives(&ann, &circle, 1).await.refused(400, "VALIDATION_FAILED");
    earns(&world, &ann, 2).await;
    for karma in [3, 0, -1, 1_000_001] {
        gives(&ann, &circle, karma).await.invalid("karmaAmount");
    }
    assert_eq!(karma_and_hp(&world, &ann, &circle).await, [2, 100]);
}

#[tokio::test]
async fn concurrent_karma_gifts_never_exceed_the_balance() {
    let (world, [ann, bob], circle) = with_members(World::with(["ann", "bob"])).await;
    circle.gains(&world, -495, 0).await;
    for person in [&ann, &bob] {
        earns(&world, person, 20).await;
    }
    let gifts = (0..50).map(|n| gives(if n % 2 == 0 { &ann } else { &bob }, &circle, 3));
    let all = futures::future::join_all(gifts).await;
    let confirmed = all.iter().filter(|answer| answer.status == 200).count();
    for refused in all.iter().filter(|answer| answer.status != 200) {
        assert!([400, 409].contains(&refused.status), "{refused}");
    }
    let mut left = 0;
    for person in [&ann, &bob] {
        let balance = karma(person).await["balance"].as_i64().unwrap();
        assert!(balance >= 0);
        left += balance;
    }
    let gained = circle.energy(&world).await["current"].as_i64().unwrap() - 5;
    assert!(gained > 0 && 10 * (40 - left) == gained, "{left} karma left, {gained} HP gained");
    // A gift can take effect even if its response was an error.
    assert!(3 * i64::try_from(confirmed).unwrap() <= 40 - left, "{confirmed} gifts were confirmed");
    let logged: i64 = log(&world, &circle).await.iter().map(|entry| entry.hp_delta).sum();
    assert_eq!(500 + logged, 5 + gained);
}

#[tokio::test]
async fn a_karma_gift_is_applied_once_despite_a_lost_response() {
    let (world, [ann], circle) = with_circle(World::with(["ann"])).await;
    circle.gains(&world, -300, 0).await;
    earns(&world, &ann, 9).await;
    let body = json!({ "karmaAmount": 4 });
    world.faults.next("TransactWriteItems", Fault::CrashAfter);
    let path = circle.path("/sacrifice");
    ann.post_once("key", &path, body.clone()).await.refused(500, "INTERNAL_SERVER_ERROR");
    world.faults.calm();
    let again = ann.post_once("key", &path, body).await.ok();
    assert_eq!(json!([again.data()["hpGained"], again.data()["newKarma"]]), json!([40, 5]));
    assert_eq!(karma_and_hp(&world, &ann, &circle).await, [5, 240]);
}
