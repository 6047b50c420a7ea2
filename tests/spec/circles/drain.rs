//! The hourly loss of HP.

use domain::circles::{self, Change, EnergyReason};
use serde_json::json;
use tests::{Fault, World};

use super::{MANY, creates_circle, creates_circles, hours, log, with_circle, without_ticks};

const HOUR: u64 = 3600;

#[tokio::test]
async fn a_repeated_job_takes_a_circles_hourly_hp_only_once() {
    let (world, _, circle) = with_circle(without_ticks(["ann"])).await;
    hours(&world, 3).await;
    for _ in 0..3 {
        world.stack.fire("drain-hourly").await.unwrap();
        world.settle().await;
    }
    let energy = circle.energy(&world).await;
    assert_eq!(json!([energy["current"], energy["drainRate"]]), json!([470, 10]));
    assert_eq!(energy["lastDrainAt"], "2026-01-01T03:00:00.000Z");
    let log = log(&world, &circle).await;
    assert_eq!(log.iter().map(|entry| entry.hp_delta).collect::<Vec<_>>(), [-10, -10, -10]);
}

#[tokio::test]
async fn a_circle_loses_the_hp_of_missed_hours_later() {
    let (world, [ann]) = without_ticks(["ann"]).await;
    world.advance(HOUR / 2).await;
    let ann = ann.signs_in().await;
    let circle = creates_circle(&ann, "Night readers").await;
    world.advance_and_settle(6 * HOUR - 1).await;
    assert_eq!(circle.energy(&world).await["current"], 440);
    world.advance_and_settle(HOUR / 2).await;
    assert_eq!(circle.energy(&world).await["current"], 440, "the hour is not over");
}

#[tokio::test]
async fn an_interrupted_hp_loss_is_applied_once_and_announced() {
    for (operation, fault, skipped) in [
        ("SendMessage", Fault::Crash, 3),
        ("SendMessage", Fault::CrashAfter, 3),
        ("SendMessage", Fault::Refused, 0),
        ("Query", Fault::Crash, 2),
        ("Query", Fault::CrashAfter, 2),
        ("TransactWriteItems", Fault::Crash, 4),
        ("TransactWriteItems", Fault::CrashAfter, 4),
        ("TransactWriteItems", Fault::LostAnswer, 4),
        ("TransactWriteItems", Fault::Conflict, 4),
        ("PutEvents", Fault::Crash, 0),
        ("PutEvents", Fault::Refused, 0),
    ] {
        let (world, [ann]) = without_ticks(["ann"]).await;
        let circles = creates_circles(&world, &ann, 10).await;
        for circle in &circles {
            circle.gains(&world, -345, 0).await;
        }
        world.advance(HOUR).await;
        let (_, cost) = world.cost_of(world.settle_despite(operation, fault, skipped)).await;
        let events = circles.len() as u32;
        assert!(cost.events >= events, "an event for each sick circle: {operation} {fault:?} {cost:?}");
        for circle in &circles {
            assert_eq!(circle.energy(&world).await["current"], 145, "{operation} {fault:?}");
        }
    }
}

#[tokio::test]
async fn the_hourly_hp_loss_of_many_circles_runs_in_pages() {
    let (world, [ann]) = without_ticks(["ann"]).await;
    let circles = creates_circles(&world, &ann, MANY).await;
    world.advance(HOUR).await;
    let (settled, cost) = world.cost_of(world.settle()).await;
    assert!(settled.delivered >= 2 * (1 + 8 + 2), "each page queues the next page: {settled:?}");
    assert!(cost.operations["TransactWriteItems"] >= 250);
    for circle in &circles {
        assert_eq!(circle.energy(&world).await["current"], 490);
    }
}

#[tokio::test]
async fn concurrent_verdicts_and_hourly_hp_losses_are_all_applied() {
    let (world, [ann], circle) = with_circle(without_ticks(["ann"])).await;
    circle.gains(&world, -100, 0).await;
    world.advance(HOUR).await;
    let gains = async {
        for _ in 0..10 {
            let app = world.app();
            let id = app.ids.next(app.now());
            loop {
                let energy = circles::energy(&app, circle.id()).await.unwrap();
                let user = ann.id.parse().unwrap();
                let change = Change::by(user, id, EnergyReason::PostQuality, 5, 10);
                let changed = change.apply(&energy, app.now()).unwrap();
                if app.table.transact(changed.energy_writes()).await.is_ok() {
                    break;
                }
            }
        }
    };
    futures::join!(gains, world.settle());
    assert_eq!(circle.hp_and_exp(&world).await, (440, 100));
}

#[tokio::test]
async fn without_proposed_features_circles_never_lose_hp() {
    let builder = World::builder().without_ticks().settings(&[("PROPOSED_FEATURES", "off")]);
    let (world, _, circle) = with_circle(builder.start_with(["ann"])).await;
    hours(&world, 3).await;
    assert!(log(&world, &circle).await.is_empty(), "the circle loses no HP");
    let energy = circles::energy(&world.app(), circle.id()).await.unwrap();
    let drained = (energy.hp, energy.last_drain_at);
    assert_eq!(drained, (500, Some(world.app().now().hour())), "the HP of these hours is not taken later");
}
