//! The energy (HP and EXP) of a circle, the log of its changes, and the presence channel of the circle.

use domain::{
    circles::{Change, EnergyReason},
    ids::ChangeId,
};
use serde_json::{Value, json};
use tests::{Fault, World};

use super::{
    Circle, UNKNOWN_ID, answers, asks, circle_of, creates_circle,
    critic::{judged_world, text},
    joins,
    posts::writes_in,
};

/// Returns the EXP changes in a circle's log, newest first. Reads the log in pages of `limit` entries.
async fn logged_exp(world: &World, circle: &Circle, limit: usize) -> Vec<Value> {
    let (mut changes, mut cursor) = (Vec::new(), String::new());
    loop {
        let page = world.anyone.get(&circle.path(&format!("/exp-log?limit={limit}{cursor}"))).await.ok();
        changes.extend(page.data()["logs"].as_array().unwrap().iter().map(|entry| entry["expDelta"].clone()));
        let Some(next) = page.data()["nextCursor"].as_str() else { return changes };
        cursor = format!("&cursor={next}");
    }
}

#[tokio::test]
async fn a_new_circle_has_500_hp() {
    let (world, [ann]) = World::with(["ann"]).await;
    let circle = creates_circle(&ann, "Night readers").await;
    let answer = world.anyone.get(&format!("/api/v1{}", circle.path("/energy"))).await.ok();
    assert_eq!(answer.header("cache-control"), Some("no-store"));
    let born = json!({
        "current": 500, "max": 500, "percent": 100, "level": 1, "exp": 0, "expToNext": 200, "stage": "Healthy",
        "statusPeak": false, "drainRate": 10, "lastDrainAt": null, "lastPostAt": null
    });
    assert_eq!(answer.data(), &born);
    for below in ["energy", "exp-log"] {
        world.anyone.get(&format!("/circles/{UNKNOWN_ID}/{below}")).await.refused(404, "NOT_FOUND");
    }
}

#[tokio::test]
async fn a_circle_reaches_level_2_at_200_exp() {
    let (world, [ann]) = World::with(["ann"]).await;
    let circle = creates_circle(&ann, "Night readers").await;
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
    let (world, [ann]) = World::with(["ann"]).await;
    let circle = creates_circle(&ann, "Night readers").await;
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
async fn the_log_of_experience_points_is_returned_in_pages() {
    let (world, [ann]) = World::with(["ann"]).await;
    let circle = creates_circle(&ann, "Night readers").await;
    for exp in [2, 6, 10] {
        circle.gains(&world, 1, exp).await;
        world.advance(1).await;
    }
    assert_eq!(logged_exp(&world, &circle, 2).await, [10, 6, 2]);
    for query in ["limit=0", "cursor=x"] {
        let path = circle.path(&format!("/exp-log?{query}"));
        world.anyone.get(&path).await.refused(400, "VALIDATION_FAILED");
    }
}

#[tokio::test]
async fn without_proposed_features_circles_have_no_energy() {
    let world = World::builder().settings(&[("PROPOSED_FEATURES", "off")]).start().await;
    let [ann, bob] = world.people(["ann", "bob"]).await;
    let circle = circle_of(&ann, &[&bob]).await;
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
    bob.post(&circle.path("/leave"), Value::Null).await.ok();
    for stranger in [&bob, &cleo] {
        stranger.post("/pusher/auth", body(&circle.id)).await.refused(403, "FORBIDDEN");
    }
    for id in [UNKNOWN_ID, &circle.id.to_lowercase(), "x"] {
        ann.post("/pusher/auth", body(id)).await.refused(403, "FORBIDDEN");
    }
}

#[tokio::test]
async fn a_new_level_is_announced_once() {
    let (world, [ann, bob, cleo]) = World::with(["ann", "bob", "cleo"]).await;
    let circle = creates_circle(&ann, "Night readers").await;
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
    let (world, [ann, bob]) = World::with(["ann", "bob"]).await;
    let circle = creates_circle(&ann, "Night readers").await;
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
    let (world, [ann, bob]) = World::with(["ann", "bob"]).await;
    let circle = creates_circle(&ann, "Night readers").await;
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
    let (world, [ann]) = World::with(["ann"]).await;
    let circle = creates_circle(&ann, "Night readers").await;
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
    let energy = circle.energy(&world).await;
    assert_eq!(json!([energy["current"], energy["exp"]]), json!([497, 10]));
}

#[tokio::test]
async fn the_exp_log_is_in_order_despite_a_late_verdict() {
    let (world, [ann, bob]) = judged_world(["ann", "bob"]).await;
    let circle = creates_circle(&ann, "Night readers").await;
    writes_in(&ann, &circle, &text(9, "judged last")).await.ok();
    for minute in [1, 2] {
        world.advance(60).await;
        circle.gains(&world, 0, minute).await;
    }
    world.advance(60).await;
    joins(&bob, &circle, &ann).await;
    world.advance_and_settle(60).await;
    assert_eq!(logged_exp(&world, &circle, 1).await, [10, 5, 2, 1]);
}
