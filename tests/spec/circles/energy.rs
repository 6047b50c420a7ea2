//! The energy (HP and EXP) of a circle, the log of its changes, the history of its HP, and its presence channel.

use domain::{
    circles::{Change, EnergyReason},
    ids::ChangeId,
};
use serde_json::{Value, json};
use tests::{Fault, World};

use super::{
    Circle, UNKNOWN_ID, answers, asks, circle_of, creates_circle,
    critic::{judged_world, text},
    hours, joins,
    posts::writes_in,
    with_circle, with_members, without_ticks,
};

/// Returns the EXP changes in a circle's log, newest first. Reads the log in pages of three entries.
async fn logged_exp(world: &World, circle: &Circle) -> Vec<Value> {
    let (mut changes, mut cursor) = (Vec::new(), String::new());
    loop {
        let page = world.anyone.get(&circle.path(&format!("/exp-log?limit=3{cursor}"))).await.ok();
        changes.extend(page.data()["logs"].as_array().unwrap().iter().map(|entry| entry["expDelta"].clone()));
        let Some(next) = page.data()["nextCursor"].as_str() else { return changes };
        cursor = format!("&cursor={next}");
    }
}

#[tokio::test]
async fn a_new_circle_has_500_hp_and_reaches_level_2_at_200_exp() {
    let (world, _, circle) = with_circle(World::with(["ann"])).await;
    let answer = world.anyone.get(&format!("/api/v1{}", circle.path("/energy"))).await.ok();
    assert_eq!(answer.header("cache-control"), Some("no-store"));
    let born = json!({
        "current": 500, "max": 500, "percent": 100, "level": 1, "exp": 0, "expToNext": 200, "stage": "Healthy",
        "statusPeak": false, "drainRate": 10, "lastDrainAt": null, "lastPostAt": null
    });
    assert_eq!(answer.data(), &born);
    circle.gains(&world, 5, 200).await;
    let energy = circle.energy(&world).await;
    assert_eq!(json!([energy["level"], energy["max"], energy["drainRate"]]), json!([2, 650, 9]));
    assert_eq!(json!([energy["current"], energy["expToNext"]]), json!([505, 300]));
    circle.gains(&world, 0, 1800).await;
    let energy = circle.energy(&world).await;
    assert_eq!(json!([energy["level"], energy["max"], energy["statusPeak"]]), json!([5, 1000, true]));
    assert_eq!(energy["expToNext"], Value::Null);
}

#[tokio::test]
async fn a_circle_without_hp_is_not_found() {
    let (world, [ann], circle) = with_circle(World::with(["ann"])).await;
    circle.gains(&world, -350, 0).await;
    assert_eq!(circle.energy(&world).await["stage"], "Sick");
    circle.gains(&world, -101, 0).await;
    assert_eq!(circle.energy(&world).await["stage"], "Dying");
    circle.gains(&world, -100, 0).await;
    for below in ["", "/energy", "/exp-log", "/members"] {
        world.anyone.get(&circle.path(below)).await.refused(404, "NOT_FOUND");
    }
    assert_eq!(ann.get("/circles").await.ok().column("stage"), ["Dead"]);
}

#[tokio::test]
async fn without_proposed_features_circles_have_no_energy() {
    let builder = World::builder().settings(&[("PROPOSED_FEATURES", "off")]);
    let (world, _, circle) = with_members(builder.start_with(["ann", "bob"])).await;
    for below in ["/energy", "/exp-log"] {
        world.anyone.get(&circle.path(below)).await.refused(404, "NOT_FOUND");
    }
}

#[tokio::test]
async fn only_members_can_subscribe_to_their_circle() {
    let (_world, [ann, bob, cleo]) = World::with(["ann", "bob", "cleo"]).await;
    let circle = circle_of(&ann, &[&bob]).await;
    let body = |id: &str| json!({ "socket_id": "1.1", "channel_name": format!("presence-circle-{id}") });
    for member in [&ann, &bob] {
        let answer = member.post("/pusher/auth", body(&circle.id)).await.ok();
        let data: Value = serde_json::from_str(answer.body["channel_data"].as_str().unwrap()).unwrap();
        assert_eq!(data["user_id"], member.id);
    }
    cleo.post("/pusher/auth", body(&circle.id)).await.refused(403, "FORBIDDEN");
    for id in [UNKNOWN_ID, &circle.id.to_lowercase(), "x"] {
        ann.post("/pusher/auth", body(id)).await.refused(403, "FORBIDDEN");
    }
}

#[tokio::test]
async fn a_new_level_is_announced_once() {
    let (world, [ann, bob, cleo], circle) = with_circle(World::with(["ann", "bob", "cleo"])).await;
    circle.gains(&world, 0, 190).await;
    // Each join is announced too.
    for (user, announced) in [(&bob, 1), (&cleo, 2)] {
        asks(user, &circle).await.ok();
        let (answer, cost) = world.cost_of(answers(&ann, &circle, user, "ACCEPT")).await;
        answer.ok();
        assert_eq!(cost.announcements, announced, "{}", user.name);
    }
}

#[tokio::test]
async fn an_event_refused_by_the_bus_is_published_later() {
    let (world, [ann, bob], circle) = with_circle(World::with(["ann", "bob"])).await;
    circle.gains(&world, 0, 195).await;
    asks(&bob, &circle).await.ok();
    answers(&ann, &circle, &bob, "ACCEPT").await.ok();
    world.faults.plan("PutEvents", Fault::Refused, 0, 3);
    let (_, cost) = world.cost_of(world.settle()).await;
    assert!(world.faults.calm() > 0 && cost.events > 0, "{cost:?}");
    assert_eq!(circle.energy(&world).await["level"], 2);
    let (again, cost) = world.cost_of(answers(&ann, &circle, &bob, "ACCEPT")).await;
    again.refused(400, "VALIDATION_FAILED");
    assert_eq!((cost.announcements, circle.energy(&world).await["exp"].as_i64()), (0, Some(200)));
}

#[tokio::test]
async fn accepting_a_join_request_counts_once_despite_faults() {
    let (world, [ann, bob], circle) = with_circle(World::with(["ann", "bob"])).await;
    asks(&bob, &circle).await.ok();
    for fault in [Fault::Conflict, Fault::LostAnswer, Fault::Throttle] {
        world.faults.next("TransactWriteItems", fault);
    }
    answers(&ann, &circle, &bob, "ACCEPT").await.ok();
    assert_eq!(world.faults.calm(), 3);
    assert_eq!(circle.seen(&world).await["membersCount"], 2);
    assert_eq!(circle.energy(&world).await["exp"], 5);
}

#[tokio::test]
async fn repeated_or_outdated_energy_changes_are_refused() {
    let (world, [ann], circle) = with_circle(World::with(["ann"])).await;
    let app = world.app();
    let change = |id| Change::by(ann.id.parse().unwrap(), id, EnergyReason::PostQuality, -3, 10);
    let [one, other]: [ChangeId; 2] = [app.ids.next(app.now()), app.ids.next(app.now())];
    let born = domain::circles::energy(&app, circle.id()).await.unwrap();
    let applied = change(one).apply(&born, app.now()).unwrap();
    app.table.transact(applied.energy_writes()).await.unwrap();
    let again = change(one).apply(&applied.after, app.now()).unwrap();
    let stale = change(other).apply(&born, app.now()).unwrap();
    for refused in [again, stale] {
        let refusal = app.table.transact(refused.energy_writes()).await.unwrap_err();
        assert!(matches!(refusal, platform::Error::WriteConflict), "{refusal}");
    }
    assert_eq!(circle.hp_and_exp(&world).await, (497, 10));
}

#[tokio::test]
async fn pages_of_the_exp_log_are_in_order_despite_a_late_verdict() {
    let (world, [ann, bob], circle) = with_circle(judged_world(["ann", "bob"])).await;
    writes_in(&ann, &circle, &text(9, "judged last")).await.ok();
    for minute in [1, 2] {
        world.advance(60).await;
        circle.gains(&world, 0, minute).await;
    }
    world.advance(60).await;
    joins(&bob, &circle, &ann).await;
    world.advance_and_settle(60).await;
    assert_eq!(logged_exp(&world, &circle).await, [10, 5, 2, 1]);
    for query in ["limit=0", "cursor=x"] {
        let path = circle.path(&format!("/exp-log?{query}"));
        world.anyone.get(&path).await.refused(400, "VALIDATION_FAILED");
    }
}

async fn history(world: &World, path: &str) -> Vec<Value> {
    world.anyone.get(path).await.ok().data()["points"].as_array().unwrap().clone()
}

#[tokio::test]
async fn the_hp_history_has_a_point_for_each_hour_since_creation() {
    let (world, [ann]) = without_ticks(["ann"]).await;
    world.advance(600).await;
    let circle = creates_circle(&ann, "Night readers").await;
    hours(&world, 2).await;
    circle.gains(&world, 15, 195).await;
    circle.gains(&world, 0, 10).await;
    hours(&world, 1).await;
    let points = history(&world, &circle.path("/energy/history")).await;
    let drawn: Vec<_> =
        points.iter().map(|point| (point["at"].clone(), point["hp"].clone(), point["max"].clone())).collect();
    let at = |time: &str| json!(format!("2026-01-01T{time}.000Z"));
    let point = |time: &str, hp: i64, max: i64| (at(time), json!(hp), json!(max));
    assert_eq!(
        drawn,
        [
            point("00:10:00", 500, 500),
            point("01:00:00", 490, 500),
            point("02:00:00", 480, 500),
            point("03:00:00", 486, 650),
            point("03:10:00", 486, 650),
        ]
    );
    assert!(points.iter().all(|point| point["stage"] == "Healthy"), "{points:?}");
}

#[tokio::test]
async fn the_hp_history_covers_the_requested_number_of_days() {
    let (world, _, circle) = with_circle(without_ticks(["ann"])).await;
    hours(&world, 30).await;
    let path = circle.path("/energy/history");
    assert_eq!(history(&world, &format!("{path}?days=1")).await.len(), 26, "25 full hours, and now");
    assert_eq!(history(&world, &format!("{path}?days=2")).await.len(), 32);
    for bad in ["0", "31", "x", "-1", ""] {
        world.anyone.get(&format!("{path}?days={bad}")).await.refused(400, "VALIDATION_FAILED");
    }
    circle.gains(&world, -500, 0).await;
    world.anyone.get(&path).await.refused(404, "NOT_FOUND");
}
