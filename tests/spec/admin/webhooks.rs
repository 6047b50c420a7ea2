//! Outgoing webhooks: what an administrator's service is told, and how it knows who tells it.

mod service;

use domain::{jobs::Chore, people::users::Role};
use futures::future::join_all;
use platform::outbox::letter_write;
use serde_json::{Value, json};
use tests::{Person, World};

use self::service::Service;
use super::administrator;
use crate::{
    circles::founds,
    moderation::{HARMFUL, reports},
};

const MINUTE: u64 = 60;
const HOUR: u64 = 60 * MINUTE;

async fn world() -> World {
    World::of_days(&[("INNER_ADDRESSES", "allowed")]).await
}

async fn root(world: &World) -> Person {
    administrator(world, "root", Role::Admin).await
}

/// Makes a webhook, and returns its id and its secret.
async fn hooks(root: &Person, service: &Service, events: &[&str]) -> (String, String) {
    let made = root.post("/admin/webhooks", json!({ "url": service.url, "events": events })).await.ok();
    let text = |field: &str| made.data()[field].as_str().unwrap().to_owned();
    (text("id"), text("secret"))
}

fn test_of(id: &str) -> String {
    format!("/admin/webhooks/{id}/test")
}

/// The oldest webhook, as the list shows it.
async fn listed(root: &Person) -> Value {
    root.get("/admin/webhooks").await.ok().rows()[0].clone()
}

/// So much time goes by; what waits and is due then is looked for as each minute.
async fn waits(world: &World, seconds: u64) {
    world.advance(seconds).await;
    let app = world.app();
    app.table.write(letter_write(&app).then(&Chore::Minute)).await.unwrap();
    world.settle().await;
}

#[tokio::test]
async fn a_service_is_told_of_what_it_wants_to_know_signed_and_by_ids_alone() {
    let world = world().await;
    let root = root(&world).await;
    let [ann, bob] = world.people(["ann", "bob"]).await;
    let [service, other] = [Service::begins().await, Service::begins().await];
    let all = ["report.created", "report.decided", "post.hidden", "user.suspended", "circle.died"];
    let (_, secret) = hooks(&root, &service, &all).await;
    let (_, unused) = hooks(&root, &other, &["circle.died"]).await;
    let post = ann.writes(HARMFUL).await;
    let report = reports(&bob, &post.id, json!({})).await;
    world.settle().await;
    let id = report.rsplit('/').next().unwrap();
    let told = service.told(&secret);
    assert_eq!(told.len(), 2, "once each by their ids, though all comes twice: {told:?}");
    let one = |kind: &str| told.iter().find(|it| it["type"] == kind).unwrap().clone();
    let mut created = one("report.created");
    created.as_object_mut().unwrap().remove("messageId").unwrap();
    let at = "2026-01-01T00:00:00.000Z";
    assert_eq!(created, json!({ "type": "report.created", "timestamp": at, "data": { "id": id } }));
    assert_eq!(one("post.hidden")["data"], json!({ "id": post.id }));
    root.patch(&report, json!({ "action": "hide" })).await.ok();
    world.settle().await;
    assert_eq!(service.news(&secret), [json!(["report.decided", id])]);
    root.patch(&format!("/admin/users/{}/lock", ann.id), Value::Null).await.ok();
    world.settle().await;
    let public = root.get("/admin/users?q=ann").await.ok().rows()[0]["publicId"].clone();
    assert_eq!(service.news(&secret), [json!(["user.suspended", public])]);
    assert!(other.told(&unused).is_empty());
    let circle = founds(&bob, "Readers").await;
    world.settle().await;
    circle.feels(&world, -1_000, 0).await;
    world.settle().await;
    assert_eq!(service.news(&secret), [json!(["circle.died", circle.id])]);
    assert_eq!(other.news(&unused), [json!(["circle.died", circle.id])]);
    assert!(listed(&root).await["lastSuccessAt"].is_string());
}

#[tokio::test]
async fn the_secret_is_shown_at_the_creation_alone_and_kept_nowhere() {
    let world = world().await;
    let root = root(&world).await;
    let body = json!({ "url": "https://service.example/hook", "events": ["circle.died", "circle.died"] });
    let first = root.post_once("k", "/admin/webhooks", body.clone()).await.ok();
    let again = root.post_once("k", "/admin/webhooks", body).await.ok();
    assert_eq!((first.status, first.data()), (201, again.data()), "the same request, the same webhook");
    let secret = first.data()["secret"].as_str().unwrap();
    assert!(secret.starts_with("whsec_") && secret.len() == 50, "{secret}");
    let listed = root.get("/admin/webhooks").await.ok();
    assert_eq!(listed.rows().len(), 1);
    assert_eq!(listed.rows()[0]["events"], json!(["circle.died"]));
    assert!(listed.rows()[0].get("secret").is_none());
    let kept = crate::leaving::traces::rows_with(&world, &[&secret["whsec_".len()..]]).await;
    assert!(kept.is_empty(), "{kept:?}");
}

#[tokio::test]
async fn a_bad_webhook_is_refused_by_the_name_of_its_field() {
    let world = World::new().await;
    let root = root(&world).await;
    let events = json!(["circle.died"]);
    let url = "https://service.example/hook";
    for (body, field) in [
        (json!({ "url": "http://service.example", "events": events }), "url"),
        (json!({ "url": "https://127.0.0.1/x", "events": events }), "url"),
        (json!({ "url": "https://169.254.169.254/latest", "events": events }), "url"),
        (json!({ "url": "https://me:secret@service.example", "events": events }), "url"),
        (json!({ "url": "nonsense", "events": events }), "url"),
        (json!({ "events": events }), "url"),
        (json!({ "url": url }), "events"),
        (json!({ "url": url, "events": [] }), "events"),
        (json!({ "url": url, "events": ["everything"] }), "events"),
        (json!({ "url": url, "events": ["webhook.test"] }), "events"),
        (json!({ "url": url, "events": events, "secret": "mine" }), "secret"),
    ] {
        let refused = root.post("/admin/webhooks", body.clone()).await;
        let why = refused.refused(400, "VALIDATION_FAILED");
        assert!(why.contains(field), "{body}: {why}");
    }
    assert!(root.get("/admin/webhooks").await.ok().rows().is_empty());
}

#[tokio::test]
async fn there_are_ten_webhooks_and_two_made_at_once_are_two() {
    let world = World::new().await;
    let root = root(&world).await;
    let body = json!({ "url": "https://service.example/hook", "events": ["circle.died"] });
    for _ in 0..5 {
        let made = join_all((0..2).map(|_| root.post("/admin/webhooks", body.clone()))).await;
        assert!(made.iter().all(|it| it.status == 201), "{made:?}");
    }
    let webhooks = root.get("/admin/webhooks").await.ok().column("id");
    assert_eq!(webhooks.len(), 10);
    root.post("/admin/webhooks", body.clone()).await.refused(400, "VALIDATION_FAILED");
    let path = format!("/admin/webhooks/{}", webhooks[3].as_str().unwrap());
    root.delete(&path).await.ok();
    root.delete(&path).await.refused(404, "NOT_FOUND");
    root.post(&format!("{path}/test"), Value::Null).await.refused(404, "NOT_FOUND");
    root.post("/admin/webhooks", body).await.ok();
}

#[tokio::test]
async fn administrators_alone_have_webhooks_and_what_they_do_is_in_their_log() {
    let world = world().await;
    let root = root(&world).await;
    let moderator = administrator(&world, "moderator", Role::Moderator).await;
    world.advance(1).await;
    let service = Service::begins().await;
    let (id, secret) = hooks(&root, &service, &["circle.died"]).await;
    let path = format!("/admin/webhooks/{id}");
    moderator.get("/admin/webhooks").await.refused(403, "FORBIDDEN");
    moderator
        .post("/admin/webhooks", json!({ "url": service.url, "events": ["circle.died"] }))
        .await
        .refused(403, "FORBIDDEN");
    moderator.post(&test_of(&id), Value::Null).await.refused(403, "FORBIDDEN");
    moderator.delete(&path).await.refused(403, "FORBIDDEN");
    world.advance(1).await;
    let test = root.post(&test_of(&id), Value::Null).await.ok();
    assert_eq!(test.status, 202);
    world.settle().await;
    let told = service.told(&secret);
    assert_eq!(
        (told.len(), &told[0]["type"], &told[0]["data"]["id"]),
        (1, &json!("webhook.test"), &json!(id))
    );
    assert_eq!(told[0]["messageId"], test.data()["messageId"]);
    world.advance(1).await;
    root.delete(&path).await.ok();
    let log = root.get("/admin/audit").await.ok();
    assert_eq!(log.column("action")[..3], ["DELETE_WEBHOOK", "TEST_WEBHOOK", "CREATE_WEBHOOK"]);
    assert!(log.rows()[..3].iter().all(|it| it["targetId"] == json!(id) && it["adminId"] == json!(root.id)));
}

#[tokio::test]
async fn what_a_service_does_not_take_it_is_told_again_with_the_same_id_and_no_redirect_is_followed() {
    let world = world().await;
    let root = root(&world).await;
    let service = Service::begins().await;
    let (id, secret) = hooks(&root, &service, &["circle.died"]).await;
    for (status, why) in [(500, "it answered 500"), (302, "it answered 302")] {
        service.answers(status);
        let root = root.signs_in().await;
        root.post(&test_of(&id), Value::Null).await.ok();
        world.settle().await;
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
    let world = world().await;
    let root = root(&world).await;
    let service = Service::begins().await;
    let (id, secret) = hooks(&root, &service, &["circle.died"]).await;
    service.answers(503);
    root.post(&test_of(&id), Value::Null).await.ok();
    world.settle().await;
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
        (&json!("it answered 503"), &json!("2026-01-02T00:00:00.000Z"))
    );
    let off = root.get("/admin/audit").await.ok().rows()[0].clone();
    assert_eq!(
        [&off["action"], &off["adminId"], &off["targetId"], &off["note"]],
        [&json!("DISABLE_WEBHOOK"), &Value::Null, &json!(id), &json!("it answered 503")]
    );
    root.post(&test_of(&id), Value::Null).await.refused(400, "VALIDATION_FAILED");
    let [ann, bob] = world.people(["ann", "bob"]).await;
    reports(&bob, &ann.writes("hello").await.id, json!({})).await;
    world.settle().await;
    waits(&world, 24 * HOUR).await;
    assert!(service.told(&secret).is_empty(), "it is off");
}

#[tokio::test]
async fn a_webhook_that_took_another_message_meanwhile_stays_on() {
    let world = world().await;
    let root = root(&world).await;
    let service = Service::begins().await;
    let (id, secret) = hooks(&root, &service, &["circle.died"]).await;
    service.answers(503);
    root.post(&test_of(&id), Value::Null).await.ok();
    world.settle().await;
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
    waits(&world, 24 * HOUR).await;
    assert!(service.told(&secret).is_empty(), "it was given up");
}

#[tokio::test]
async fn a_service_that_is_gone_is_switched_off_at_once_and_a_deleted_one_is_told_nothing_more() {
    let world = world().await;
    let root = root(&world).await;
    let service = Service::begins().await;
    let (id, secret) = hooks(&root, &service, &["circle.died"]).await;
    service.answers(500);
    root.post(&test_of(&id), Value::Null).await.ok();
    world.settle().await;
    root.delete(&format!("/admin/webhooks/{id}")).await.ok();
    assert_eq!(service.told(&secret).len(), 1);
    waits(&world, MINUTE).await;
    assert!(service.told(&secret).is_empty());
    assert!(crate::leaving::traces::rows_with(&world, &["WAITING#"]).await.is_empty());
    let (id, secret) = hooks(&root, &service, &["circle.died"]).await;
    service.answers(410);
    root.post(&test_of(&id), Value::Null).await.ok();
    world.settle().await;
    assert_eq!(service.told(&secret).len(), 1);
    assert!(listed(&root).await["disabledAt"].is_string());
}

#[tokio::test]
async fn webhooks_cost_what_their_chart_says() {
    let world = world().await;
    let root = root(&world).await;
    let service = Service::begins().await;
    let body = json!({ "url": service.url, "events": ["circle.died"] });
    // Each with the session.
    let (made, cost) = world.cost_of(root.post("/admin/webhooks", body)).await;
    assert!(cost.calls <= 3 && cost.rru <= 1.0 && cost.wru <= 5.0, "{cost:?}");
    let (_, cost) = world.cost_of(root.get("/admin/webhooks")).await;
    assert!(cost.calls <= 2 && cost.rru <= 2.0 && cost.wru == 0.0, "{cost:?}");
    let id = made.data()["id"].as_str().unwrap();
    let (_, cost) = world.cost_of(root.post(&test_of(id), Value::Null)).await;
    assert!(cost.calls <= 3 && cost.rru <= 1.0 && cost.wru <= 2.0, "{cost:?}");
    let (_, cost) = world.cost_of(root.delete(&format!("/admin/webhooks/{id}"))).await;
    assert!(cost.calls <= 3 && cost.rru <= 1.0 && cost.wru <= 5.0, "{cost:?}");
}
