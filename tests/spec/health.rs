//! Health checks.

use tests::{Fault, World};

#[tokio::test]
async fn health_checks_make_at_most_one_aws_call_a_second() {
    let world = World::builder().without_ticks().start().await;
    let (health, cost) = world.cost_of(world.anyone.get("/health")).await;
    let health = health.ok();
    assert_eq!((cost.calls, &health.data()["version"]), (0, &serde_json::json!(env!("CARGO_PKG_VERSION"))));
    assert!(health.data()["time"].is_string() && health.data().get("commit").is_some());
    for (path, calls) in [("/health/ready", 1), ("/api/v1/health/ready", 0)] {
        let (ready, cost) = world.cost_of(world.anyone.get(path)).await;
        assert_eq!((&ready.ok().data()["ready"], cost.calls), (&serde_json::json!(true), calls), "{path}");
    }
    world.advance(1).await;
    let (_, cost) = world.cost_of(world.anyone.get("/health/ready")).await;
    assert_eq!(cost.calls, 1);
}

#[tokio::test]
async fn the_service_is_not_ready_without_its_table() {
    let world = World::builder().without_ticks().start().await;
    world.faults.next("GetItem", Fault::Refused);
    world.anyone.get("/health/ready").await.refused(500, "INTERNAL_SERVER_ERROR");
    world.anyone.get("/health/ready").await.ok();
    world.anyone.get("/health").await.ok();
}
