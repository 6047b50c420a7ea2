//! What a service does not take: when it is told again, and when it is told no more.

use domain::jobs::Chore;
use platform::outbox::outbox_record_write;
use serde_json::{Value, json};
use tests::{Fault, Person, World};

use super::{MINUTE, hooks, listed, root, rows, service::Service, test_of, world};
use crate::moderation::reports;

const HOUR: u64 = 60 * MINUTE;

/// So much time goes by; what waits and is due then is looked for as each minute.
async fn waits(world: &World, seconds: u64) {
    world.advance(seconds).await;
    let app = world.app();
    app.table.write(outbox_record_write(&app).then(&Chore::Minute)).await.unwrap();
    world.settle().await;
}

/// A service that is to be told of deaths, with its webhook's id and secret.
async fn hooked() -> (World, Person, Service, (String, String)) {
    let world = world().await;
    let root = root(&world).await;
    let service = Service::begins().await;
    let webhook = hooks(&root, &service, &["circle.died"]).await;
    (world, root, service, webhook)
}

/// The webhook is tested, and its service was told of that.
async fn tests_it(world: &World, root: &Person, webhook: &str) {
    root.post(&test_of(webhook), Value::Null).await.ok();
    world.settle().await;
}

/// Whether anything waits to be told again.
async fn something_waits(world: &World) -> bool {
    rows(world).await.contains("WAITING#")
}

#[tokio::test]
async fn what_a_service_does_not_take_it_is_told_again_with_the_same_id_and_no_redirect_is_followed() {
    let (world, root, service, (id, secret)) = hooked().await;
    for (status, why) in [(500, "responded with status 500"), (302, "responded with status 302")] {
        service.answers(status);
        let root = root.signs_in().await;
        tests_it(&world, &root, &id).await;
        let first = service.told(&secret);
        assert_eq!(first.len(), 1);
        let shown = listed(&root).await;
        assert_eq!((&shown["lastError"], &shown["disabledAt"]), (&json!(why), &Value::Null));
        waits(&world, MINUTE / 2).await;
        assert!(service.told(&secret).is_empty(), "it is not due");
        service.answers(200);
        waits(&world, MINUTE / 2).await;
        assert_eq!(service.told(&secret), first);
        waits(&world, HOUR / 2).await;
        assert!(service.told(&secret).is_empty(), "it was taken");
    }
    assert!(service.strayed().is_empty());
}

#[tokio::test]
async fn a_webhook_that_takes_nothing_for_a_day_is_switched_off_and_says_why() {
    let (world, root, service, (id, secret)) = hooked().await;
    service.answers(503);
    tests_it(&world, &root, &id).await;
    let mut attempts = service.told(&secret).len();
    for pause in [MINUTE, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 5 * HOUR, 8 * HOUR] {
        waits(&world, pause).await;
        attempts += service.told(&secret).len();
    }
    let root = root.signs_in().await;
    assert_eq!((attempts, &listed(&root).await["disabledAt"]), (7, &Value::Null));
    waits(&world, 504 * MINUTE).await;
    assert_eq!(service.told(&secret).len(), 1);
    let root = root.signs_in().await;
    let shown = listed(&root).await;
    assert_eq!(
        (&shown["lastError"], &shown["disabledAt"]),
        (&json!("responded with status 503"), &json!("2026-01-02T00:00:00.000Z"))
    );
    let off = root.get("/admin/audit").await.ok().rows()[0].clone();
    assert_eq!(
        [&off["action"], &off["adminId"], &off["targetId"], &off["note"]],
        [&json!("DISABLE_WEBHOOK"), &Value::Null, &json!(id), &json!("responded with status 503")]
    );
    root.post(&test_of(&id), Value::Null).await.refused(400, "VALIDATION_FAILED");
    let [ann, bob] = world.people(["ann", "bob"]).await;
    reports(&bob, &ann.writes("hello").await.id, json!({})).await;
    waits(&world, MINUTE).await;
    assert!(service.told(&secret).is_empty(), "it is off");
    assert!(!something_waits(&world).await);
}

#[tokio::test]
async fn a_webhook_that_took_another_message_meanwhile_stays_on() {
    let (world, root, service, (id, secret)) = hooked().await;
    service.answers(503);
    tests_it(&world, &root, &id).await;
    let refused = service.told(&secret)[0]["messageId"].clone();
    service.refuses_only(refused.as_str().unwrap());
    for pause in [MINUTE, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 5 * HOUR, 8 * HOUR, 504 * MINUTE] {
        let root = root.signs_in().await;
        root.post(&test_of(&id), Value::Null).await.ok();
        waits(&world, pause).await;
    }
    let told = service.told(&secret);
    assert_eq!(told.iter().filter(|it| it["messageId"] == refused).count(), 1, "{told:?}");
    let root = root.signs_in().await;
    assert_eq!(listed(&root).await["disabledAt"], Value::Null);
    assert!(!something_waits(&world).await, "it was given up");
}

#[tokio::test]
async fn a_service_that_is_gone_is_switched_off_at_once_and_a_deleted_one_is_told_nothing_more() {
    let (world, root, service, (id, secret)) = hooked().await;
    service.answers(500);
    tests_it(&world, &root, &id).await;
    assert!(something_waits(&world).await);
    root.delete(&format!("/admin/webhooks/{id}")).await.ok();
    assert_eq!(service.told(&secret).len(), 1);
    waits(&world, MINUTE).await;
    assert!(service.told(&secret).is_empty());
    assert!(!something_waits(&world).await);
    let (id, secret) = hooks(&root, &service, &["circle.died"]).await;
    service.answers(410);
    tests_it(&world, &root, &id).await;
    assert_eq!(service.told(&secret).len(), 1);
    assert!(listed(&root).await["disabledAt"].is_string());
}

#[tokio::test]
async fn a_worker_that_crashes_tells_again_and_loses_nothing() {
    for (operation, fault) in
        [("PutItem", Fault::Crash), ("PutItem", Fault::CrashAfter), ("UpdateItem", Fault::Crash)]
    {
        let (world, root, service, (id, secret)) = hooked().await;
        world.settle().await;
        service.answers(500);
        root.post(&test_of(&id), Value::Null).await.ok();
        world.faults.next(operation, fault);
        world.settle().await;
        assert!(world.faults.calm() > 0, "{operation} {fault:?}");
        let first = service.told(&secret);
        assert_eq!(listed(&root).await["lastError"], "responded with status 500", "{operation} {fault:?}");
        service.answers(200);
        waits(&world, MINUTE).await;
        assert_eq!(service.told(&secret), first, "{operation} {fault:?}");
        waits(&world, HOUR).await;
        assert!(service.told(&secret).is_empty(), "{operation} {fault:?}");
    }
}
