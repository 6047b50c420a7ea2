//! Retries of failed webhook deliveries, and when the retries stop.

use domain::jobs::Chore;
use platform::outbox::outbox_record_write;
use serde_json::{Value, json};
use tests::{Fault, Person, World};

use super::{MINUTE, adds_webhook, listed, rows, service::Service, test_path, webhook_world};
use crate::{circles::creates_circle, moderation::reports, routes::UNKNOWN_ID};

const HOUR: u64 = 60 * MINUTE;

/// Advances the clock, and retries the webhook deliveries that are due.
pub(crate) async fn advance(world: &World, seconds: u64) {
    world.advance(seconds).await;
    let app = world.app();
    app.table.write(outbox_record_write(&app).then(&Chore::Minute)).await.unwrap();
    world.settle().await;
}

/// Creates a webhook for `circle.died` events. Returns the world, the administrator, the receiver, and the webhook's ID
/// and secret.
async fn with_webhook() -> (World, Person, Service, (String, String)) {
    let (world, root, []) = webhook_world([]).await;
    let service = Service::starts().await;
    let webhook = adds_webhook(&root, &service, &["circle.died"]).await;
    (world, root, service, webhook)
}

/// Sends a test message to the webhook.
async fn sends_test(world: &World, root: &Person, webhook: &str) {
    root.post(&test_path(webhook), Value::Null).await.ok();
    world.settle().await;
}

/// Returns whether any webhook delivery is waiting for a retry.
async fn has_waiting_delivery(world: &World) -> bool {
    rows(world).await.contains("WAITING#")
}

#[tokio::test]
async fn a_410_response_to_an_event_disables_the_webhook() {
    let (world, root, service, _) = with_webhook().await;
    let ann = world.person("ann").await;
    let circle = creates_circle(&ann, "Night readers").await;
    circle.gains(&world, -495, 0).await;
    service.answers(410);
    advance(&world, HOUR).await;
    assert!(listed(&root.signs_in().await).await["disabledAt"].is_string());
    assert!(!has_waiting_delivery(&world).await);
}

#[tokio::test]
async fn a_refused_or_redirected_message_is_retried_with_its_id() {
    let (world, root, service, (id, secret)) = with_webhook().await;
    for (status, why) in [(500, "responded with status 500"), (302, "responded with status 302")] {
        service.answers(status);
        let root = root.signs_in().await;
        sends_test(&world, &root, &id).await;
        let first = service.received(&secret);
        assert_eq!(first.len(), 1);
        let shown = listed(&root).await;
        assert_eq!(json!([shown["lastError"], shown["disabledAt"]]), json!([why, null]));
        advance(&world, MINUTE / 2).await;
        assert!(service.received(&secret).is_empty(), "the retry is not due");
        service.answers(200);
        advance(&world, MINUTE / 2).await;
        assert_eq!(service.received(&secret), first);
        advance(&world, HOUR / 2).await;
        assert!(service.received(&secret).is_empty(), "the retry succeeded");
    }
    assert!(service.redirected().is_empty());
}

#[tokio::test]
async fn a_webhook_is_disabled_after_failing_for_a_day() {
    let (world, root, service, (id, secret)) = with_webhook().await;
    service.answers(503);
    sends_test(&world, &root, &id).await;
    let mut attempts = service.received(&secret).len();
    for pause in [MINUTE, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 5 * HOUR, 8 * HOUR] {
        advance(&world, pause).await;
        attempts += service.received(&secret).len();
    }
    let root = root.signs_in().await;
    assert_eq!((attempts, &listed(&root).await["disabledAt"]), (7, &Value::Null));
    advance(&world, 504 * MINUTE).await;
    assert_eq!(service.received(&secret).len(), 1);
    let root = root.signs_in().await;
    let shown = listed(&root).await;
    let error = "responded with status 503";
    assert_eq!(json!([shown["lastError"], shown["disabledAt"]]), json!([error, "2026-01-02T00:00:00.000Z"]));
    let off = root.get("/admin/audit").await.ok().rows()[0].clone();
    let fields = json!([off["action"], off["adminId"], off["targetId"], off["note"]]);
    assert_eq!(fields, json!(["DISABLE_WEBHOOK", null, id, error]));
    root.post(&test_path(&id), Value::Null).await.refused(400, "VALIDATION_FAILED");
    let [ann, bob] = world.people(["ann", "bob"]).await;
    reports(&bob, &ann.writes("hello").await.id, json!({})).await;
    advance(&world, MINUTE).await;
    assert!(service.received(&secret).is_empty(), "the webhook is disabled");
    assert!(!has_waiting_delivery(&world).await);
}

#[tokio::test]
async fn a_webhook_that_accepts_later_messages_stays_enabled() {
    let (world, root, service, (id, secret)) = with_webhook().await;
    service.answers(503);
    sends_test(&world, &root, &id).await;
    let refused = service.received(&secret)[0]["messageId"].clone();
    service.refuses_only(refused.as_str().unwrap());
    for pause in [MINUTE, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 5 * HOUR, 8 * HOUR, 504 * MINUTE] {
        let root = root.signs_in().await;
        root.post(&test_path(&id), Value::Null).await.ok();
        advance(&world, pause).await;
    }
    let received = service.received(&secret);
    assert_eq!(received.iter().filter(|message| message["messageId"] == refused).count(), 1, "{received:?}");
    let root = root.signs_in().await;
    assert_eq!(listed(&root).await["disabledAt"], Value::Null);
    assert!(!has_waiting_delivery(&world).await, "the failed delivery is no longer retried");
}

#[tokio::test]
async fn webhooks_that_are_deleted_or_return_410_are_not_retried() {
    let (world, root, service, (id, secret)) = with_webhook().await;
    service.answers(500);
    sends_test(&world, &root, &id).await;
    assert!(has_waiting_delivery(&world).await);
    root.delete(&format!("/admin/webhooks/{id}")).await.ok();
    assert_eq!(service.received(&secret).len(), 1);
    advance(&world, MINUTE).await;
    assert!(service.received(&secret).is_empty());
    assert!(!has_waiting_delivery(&world).await);
    let (id, secret) = adds_webhook(&root, &service, &["circle.died"]).await;
    service.answers(410);
    sends_test(&world, &root, &id).await;
    assert_eq!(service.received(&secret).len(), 1);
    assert!(listed(&root).await["disabledAt"].is_string());
}

#[tokio::test]
async fn a_disabled_webhook_can_be_enabled_again() {
    let (world, root, service, (id, secret)) = with_webhook().await;
    let path = format!("/admin/webhooks/{id}");
    service.answers(410);
    sends_test(&world, &root, &id).await;
    assert_eq!(listed(&root).await["enabled"], false);
    // IDs that two processes generate in the same millisecond have no defined order.
    world.advance(1).await;
    service.answers(200);
    service.received(&secret);
    let enabled = root.patch(&path, json!({ "enabled": true })).await.ok();
    assert_eq!(json!([enabled.data()["enabled"], enabled.data()["disabledAt"]]), json!([true, null]));
    assert_eq!(&listed(&root).await, enabled.data());
    sends_test(&world, &root, &id).await;
    assert_eq!(service.received(&secret).len(), 1);
    let disabled = root.patch(&path, json!({ "enabled": false })).await.ok();
    assert_eq!(disabled.data()["disabledAt"], json!(world.app().now()));
    assert_eq!(root.patch(&path, json!({ "enabled": false })).await.ok().data(), disabled.data());
    root.post(&test_path(&id), Value::Null).await.refused(400, "VALIDATION_FAILED");
    let log = root.get("/admin/audit").await.ok();
    assert_eq!(log.column("action")[..3], ["DISABLE_WEBHOOK", "TEST_WEBHOOK", "ENABLE_WEBHOOK"]);
    assert!(log.column("adminId")[..3].iter().all(|admin| *admin == json!(root.public_id)));
}

#[tokio::test]
async fn retries_are_dropped_while_a_webhook_is_disabled() {
    let (world, root, service, (id, secret)) = with_webhook().await;
    let path = format!("/admin/webhooks/{id}");
    service.answers(500);
    sends_test(&world, &root, &id).await;
    assert_eq!(service.received(&secret).len(), 1);
    root.patch(&path, json!({ "enabled": false })).await.ok();
    advance(&world, MINUTE).await;
    root.patch(&path, json!({ "enabled": true })).await.ok();
    advance(&world, MINUTE).await;
    assert!(service.received(&secret).is_empty());
    assert!(!has_waiting_delivery(&world).await);
}

#[tokio::test]
async fn an_invalid_webhook_change_is_refused() {
    let (_world, root, _, (id, _)) = with_webhook().await;
    let path = format!("/admin/webhooks/{id}");
    for (body, field) in [
        (json!({}), "enabled"),
        (json!({ "enabled": "yes" }), "enabled"),
        (json!({ "enabled": true, "url": "https://service.example" }), "url"),
    ] {
        root.patch(&path, body).await.invalid(field);
    }
    let unknown = format!("/admin/webhooks/{UNKNOWN_ID}");
    root.patch(&unknown, json!({ "enabled": true })).await.refused(404, "NOT_FOUND");
}

#[tokio::test]
async fn no_webhook_message_is_lost_if_the_worker_crashes() {
    for (operation, fault) in
        [("PutItem", Fault::Crash), ("PutItem", Fault::CrashAfter), ("UpdateItem", Fault::Crash)]
    {
        let (world, root, service, (id, secret)) = with_webhook().await;
        world.settle().await;
        service.answers(500);
        root.post(&test_path(&id), Value::Null).await.ok();
        world.faults.next(operation, fault);
        world.settle().await;
        assert!(world.faults.calm() > 0, "{operation} {fault:?}");
        let first = service.received(&secret);
        assert_eq!(listed(&root).await["lastError"], "responded with status 500", "{operation} {fault:?}");
        service.answers(200);
        advance(&world, MINUTE).await;
        assert_eq!(service.received(&secret), first, "{operation} {fault:?}");
        advance(&world, HOUR).await;
        assert!(service.received(&secret).is_empty(), "{operation} {fault:?}");
    }
}

#[tokio::test]
async fn an_unresponsive_webhook_host_gets_no_messages_for_5_minutes() {
    let (world, root, []) = webhook_world([]).await;
    let body = json!({ "url": "http://127.0.0.1:1/hook", "events": ["circle.died"] });
    let silent = root.post("/admin/webhooks", body).await.ok().data()["id"].as_str().unwrap().to_owned();
    for _ in 0..5 {
        root.post(&test_path(&silent), Value::Null).await.ok();
    }
    world.settle().await;
    let service = Service::starts().await;
    let (id, secret) = adds_webhook(&root, &service, &["circle.died"]).await;
    root.delete(&format!("/admin/webhooks/{silent}")).await.ok();
    sends_test(&world, &root, &id).await;
    assert!(service.received(&secret).is_empty());
    advance(&world, 5 * MINUTE).await;
    assert_eq!(service.received(&secret).len(), 1, "a skipped message is retried");
}
