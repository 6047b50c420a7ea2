//! The hourly loss of HP.

use serde_json::json;
use tests::{Fault, World};

use super::{creates_circle, creates_circles, creates_many_circles, hours, log};

const HOUR: u64 = 3600;

#[tokio::test]
async fn each_hour_costs_hp_once_even_if_the_drain_repeats() {
    let world = World::builder().without_ticks().start().await;
    let ann = world.person("ann").await;
    let circle = creates_circle(&ann, "Night readers").await;
    hours(&world, 3).await;
    for _ in 0..3 {
        world.stack.fire("drain-hourly").await.unwrap();
        world.settle().await;
    }
    let energy = circle.energy(&world).await;
    assert_eq!((&energy["current"], &energy["drainRate"]), (&json!(470), &json!(10)));
    assert_eq!(energy["lastDrainAt"], "2026-01-01T03:00:00.000Z");
    assert_eq!(log(&world, &circle).await.iter().map(|it| it.hp_delta).collect::<Vec<_>>(), [-10, -10, -10]);
}

#[tokio::test]
async fn missed_hours_are_drained_later() {
    let world = World::builder().without_ticks().start().await;
    let ann = world.person("ann").await;
    world.advance(HOUR / 2).await;
    let ann = ann.signs_in().await;
    let circle = creates_circle(&ann, "Night readers").await;
    world.advance(6 * HOUR - 1).await;
    world.settle().await;
    assert_eq!(circle.energy(&world).await["current"], 440);
    world.advance(HOUR / 2).await;
    world.settle().await;
    assert_eq!(circle.energy(&world).await["current"], 440, "the hour is not over");
}

#[tokio::test]
async fn an_interrupted_drain_takes_and_announces_hp_once() {
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
        let world = World::builder().without_ticks().start().await;
        let ann = world.person("ann").await;
        let mut circles = Vec::new();
        for circle in creates_circles(&world, &ann, 10).await {
            circle.gains(&world, -345, 0).await;
            circles.push(circle);
        }
        world.advance(HOUR).await;
        world.faults.plan(operation, fault, skipped, 1);
        let (_, cost) = world.cost_of(world.settle()).await;
        assert!(world.faults.calm() > 0, "{operation} {fault:?}");
        assert!(
            cost.events >= circles.len() as u32,
            "each circle became sick: {operation} {fault:?} {cost:?}"
        );
        for circle in &circles {
            assert_eq!(circle.energy(&world).await["current"], 145, "{operation} {fault:?}");
        }
    }
}

#[tokio::test]
async fn many_circles_are_drained_in_pages() {
    let world = World::builder().without_ticks().start().await;
    let ann = world.person("ann").await;
    let circles = creates_many_circles(&world, &ann).await;
    world.advance(HOUR).await;
    let (settled, cost) = world.cost_of(world.settle()).await;
    assert!(settled.delivered >= 2 * (1 + 8 + 2), "each page sends the next: {settled:?}");
    assert!(cost.operations["TransactWriteItems"] >= 250);
    for circle in &circles {
        assert_eq!(circle.energy(&world).await["current"], 490);
    }
}

#[tokio::test]
async fn a_concurrent_verdict_and_drain_are_both_applied() {
    let world = World::builder().without_ticks().start().await;
    let ann = world.person("ann").await;
    let circle = creates_circle(&ann, "Night readers").await;
    circle.gains(&world, -100, 0).await;
    world.advance(HOUR).await;
    let gains = async {
        for _ in 0..10 {
            let app = world.app();
            let id = app.ids.next(app.now());
            loop {
                let energy = domain::circles::energy(&app, circle.id()).await.unwrap();
                let user = ann.id.parse().unwrap();
                let change =
                    domain::circles::Change::by(user, id, domain::circles::EnergyReason::PostQuality, 5, 10);
                let changed = change.apply(&energy, app.now()).unwrap();
                if app.table.transact(changed.energy_writes()).await.is_ok() {
                    break;
                }
            }
        }
    };
    futures::join!(gains, world.settle());
    let energy = circle.energy(&world).await;
    assert_eq!((&energy["current"], &energy["exp"]), (&json!(440), &json!(100)));
}

#[tokio::test]
async fn hours_with_proposed_features_off_never_cost_hp() {
    let world = World::builder().without_ticks().settings(&[("PROPOSED_FEATURES", "off")]).start().await;
    let ann = world.person("ann").await;
    let circle = creates_circle(&ann, "Night readers").await;
    hours(&world, 3).await;
    assert!(log(&world, &circle).await.is_empty(), "the drain is off");
    let energy = domain::circles::energy(&world.app(), circle.id()).await.unwrap();
    assert_eq!(
        (energy.hp, energy.last_drain_at),
        (500, Some(world.app().now().hour())),
        "these hours are not charged later"
    );
}
