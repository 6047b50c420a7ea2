//! The history of a circle's HP.

use serde_json::{Value, json};
use tests::World;

use super::{UNKNOWN_ID, creates_circle, hours};

async fn history(world: &World, path: &str) -> Vec<Value> {
    world.anyone.get(path).await.ok().data()["points"].as_array().unwrap().clone()
}

#[tokio::test]
async fn the_hp_history_has_a_point_for_each_hour_since_creation() {
    let (world, [ann]) = World::builder().without_ticks().start_with(["ann"]).await;
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
    let (world, [ann]) = World::builder().without_ticks().start_with(["ann"]).await;
    let circle = creates_circle(&ann, "Night readers").await;
    hours(&world, 30).await;
    let path = circle.path("/energy/history");
    assert_eq!(history(&world, &format!("{path}?days=1")).await.len(), 26, "25 full hours, and now");
    assert_eq!(history(&world, &format!("{path}?days=2")).await.len(), 32);
    for bad in ["0", "31", "x", "-1", ""] {
        world.anyone.get(&format!("{path}?days={bad}")).await.refused(400, "VALIDATION_FAILED");
    }
    world.anyone.get(&format!("/circles/{UNKNOWN_ID}/energy/history")).await.refused(404, "NOT_FOUND");
    circle.gains(&world, -500, 0).await;
    world.anyone.get(&path).await.refused(404, "NOT_FOUND");
}
