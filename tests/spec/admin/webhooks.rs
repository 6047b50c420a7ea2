//! Outgoing webhooks: the events they deliver, and the signature of each message.

pub(crate) mod again;
pub(crate) mod service;

use domain::{
    announcements::{AnnouncedEvent, Announcement},
    people::users::Role,
    webhooks,
};
use futures::future::join_all;
use serde_json::{Value, json};
use tests::{Person, World};

use self::service::Service;
use super::{administrator, change, start_with_root, world_with_admin};
use crate::{
    circles::{
        creates_circle,
        posts::{id, writes_in},
    },
    moderation::{HARMFUL, id_of, reports},
};

const MINUTE: u64 = 60;

/// Starts a world that can send requests to servers of this test. Creates an administrator and these users.
pub(crate) async fn webhook_world<const N: usize>(names: [&str; N]) -> (World, Person, [Person; N]) {
    let builder = World::builder().without_ticks().settings(&[("INNER_ADDRESSES", "allowed")]);
    start_with_root(builder, Role::Admin, names).await
}

/// Creates a webhook, and returns its ID and its secret.
pub(crate) async fn adds_webhook(root: &Person, service: &Service, events: &[&str]) -> (String, String) {
    let made = root.post("/admin/webhooks", json!({ "url": service.url, "events": events })).await.ok();
    let text = |field: &str| made.data()[field].as_str().unwrap().to_owned();
    (text("id"), text("secret"))
}

fn test_path(id: &str) -> String {
    format!("/admin/webhooks/{id}/test")
}

/// Returns the oldest webhook in the list.
async fn listed(root: &Person) -> Value {
    root.get("/admin/webhooks").await.ok().rows()[0].clone()
}

/// Returns all rows of the table, as text.
async fn rows(world: &World) -> String {
    let scan = world.unwatched_dynamodb().scan().table_name(world.table_name());
    let rows: Vec<_> = scan.into_paginator().items().send().try_collect().await.unwrap();
    format!("{rows:?}")
}

#[tokio::test]
async fn a_webhook_gets_signed_messages_about_chosen_events() {
    let (world, root, [ann, bob]) = webhook_world(["ann", "bob"]).await;
    let [service, other] = [Service::starts().await, Service::starts().await];
    let all = ["report.created", "report.decided", "post.hidden", "user.suspended", "circle.died"];
    let (_, secret) = adds_webhook(&root, &service, &all).await;
    let (_, unused) = adds_webhook(&root, &other, &["circle.died"]).await;
    let post = ann.writes(HARMFUL).await;
    let report = reports(&bob, &post.id, json!({})).await;
    world.settle().await;
    let id = id_of(&report);
    let received = service.received(&secret);
    assert_eq!(received.len(), 2, "duplicates have the same message ID: {received:?}");
    let one = |kind: &str| received.iter().find(|message| message["type"] == kind).unwrap().clone();
    let mut created = one("report.created");
    created.as_object_mut().unwrap().remove("messageId").unwrap();
    let at = "2026-01-01T00:00:00.000Z";
    assert_eq!(created, json!({ "type": "report.created", "timestamp": at, "data": { "id": id } }));
    assert_eq!(one("post.hidden")["data"], json!({ "id": post.id }));
    let about_user = bob.post(&post.path("/report"), json!({ "reason": "no", "type": "user" })).await.ok();
    world.settle().await;
    let of_user = service.received(&secret);
    assert_eq!(of_user[0]["data"], json!({ "id": about_user.data()["id"] }));
    assert!(!json!(of_user).to_string().contains(&ann.id));
    root.patch(&report, json!({ "action": "hide" })).await.ok();
    world.settle().await;
    assert_eq!(service.kinds_and_ids(&secret), [json!(["report.decided", id])]);
    change(&root, &ann, "lock", Value::Null).await.ok();
    world.settle().await;
    assert_eq!(service.kinds_and_ids(&secret), [json!(["user.suspended", ann.public_id])]);
    assert!(other.received(&unused).is_empty());
    let circle = creates_circle(&bob, "Readers").await;
    world.settle().await;
    circle.gains(&world, -1_000, 0).await;
    world.settle().await;
    assert_eq!(service.kinds_and_ids(&secret), [json!(["circle.died", circle.id])]);
    assert_eq!(other.kinds_and_ids(&unused), [json!(["circle.died", circle.id])]);
    assert!(listed(&root).await["lastSuccessAt"].is_string());
}

#[tokio::test]
async fn hiding_a_reported_post_sends_one_webhook_event() {
    let (world, root, [ann, bob]) = webhook_world(["ann", "bob"]).await;
    let service = Service::starts().await;
    let (_, secret) = adds_webhook(&root, &service, &["post.hidden"]).await;
    let circle = creates_circle(&ann, "Readers").await;
    let in_circle = id(&writes_in(&ann, &circle, "buy now").await.ok());
    for post in [ann.writes("buy now").await.id, in_circle] {
        let [report, other] = [reports(&bob, &post, json!({})).await, reports(&bob, &post, json!({})).await];
        let decisions = [(&report, "dismiss"), (&report, "hide"), (&report, "hide"), (&other, "hide")];
        for (report, action) in decisions {
            root.patch(report, json!({ "action": action })).await.ok();
        }
        world.settle().await;
        assert_eq!(service.kinds_and_ids(&secret), [json!(["post.hidden", post])]);
        for action in ["dismiss", "delete"] {
            root.patch(&report, json!({ "action": action })).await.ok();
        }
        world.settle().await;
        assert!(service.received(&secret).is_empty());
    }
}

#[tokio::test]
async fn a_repeated_sanction_sends_one_webhook_event() {
    let (world, root, []) = webhook_world([]).await;
    let service = Service::starts().await;
    let (_, secret) = adds_webhook(&root, &service, &["user.suspended"]).await;
    for action in ["lock", "temp-ban", "ban"] {
        let user = world.person(&format!("user.{action}").replace('-', ".")).await;
        for _ in 0..2 {
            change(&root, &user, action, Value::Null).await.ok();
        }
        change(&root, &user, "unlock", Value::Null).await.ok();
        world.settle().await;
        assert_eq!(service.kinds_and_ids(&secret), [json!(["user.suspended", user.public_id])]);
    }
}

#[tokio::test]
async fn a_webhooks_secret_is_returned_once_and_never_stored() {
    let (world, root, []) = webhook_world([]).await;
    let body = json!({ "url": "https://service.example/hook", "events": ["circle.died", "circle.died"] });
    let first = root.post_once("k", "/admin/webhooks", body.clone()).await.ok();
    let again = root.post_once("k", "/admin/webhooks", body).await.ok();
    assert_eq!((first.status, first.data()), (201, again.data()), "the retry returns the first webhook");
    let secret = first.data()["secret"].as_str().unwrap();
    assert!(secret.starts_with("whsec_") && secret.len() == 50, "{secret}");
    let listed = root.get("/admin/webhooks").await.ok();
    assert_eq!(listed.rows().len(), 1);
    assert_eq!(listed.rows()[0]["events"], json!(["circle.died"]));
    assert!(listed.rows()[0].get("secret").is_none());
    assert!(rows(&world).await.contains("https://service.example/hook"));
    assert!(!rows(&world).await.contains(&secret["whsec_".len()..]));
}

#[tokio::test]
async fn the_error_for_an_invalid_webhook_names_the_field() {
    let (_world, root, []) = world_with_admin([]).await;
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
async fn concurrent_requests_create_at_most_ten_webhooks() {
    let (_world, root, []) = world_with_admin([]).await;
    let body = json!({ "url": "https://service.example/hook", "events": ["circle.died"] });
    for _ in 0..5 {
        let made = join_all((0..2).map(|_| root.post("/admin/webhooks", body.clone()))).await;
        assert!(made.iter().all(|answer| answer.status == 201), "{made:?}");
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
async fn webhook_management_is_audited() {
    let (world, root, []) = webhook_world([]).await;
    let moderator = administrator(&world, "moderator", Role::Moderator).await;
    world.advance(1).await;
    let service = Service::starts().await;
    let (id, secret) = adds_webhook(&root, &service, &["circle.died"]).await;
    let path = format!("/admin/webhooks/{id}");
    moderator.delete(&path).await.refused(403, "FORBIDDEN");
    world.advance(1).await;
    let test = root.post(&test_path(&id), Value::Null).await.ok();
    assert_eq!(test.status, 202);
    world.settle().await;
    let received = service.received(&secret);
    assert_eq!(received.len(), 1);
    assert_eq!(json!([received[0]["type"], received[0]["data"]["id"]]), json!(["webhook.test", id]));
    assert_eq!(received[0]["messageId"], test.data()["messageId"]);
    world.advance(1).await;
    root.delete(&path).await.ok();
    let log = root.get("/admin/audit").await.ok();
    assert_eq!(log.column("action")[..3], ["DELETE_WEBHOOK", "TEST_WEBHOOK", "CREATE_WEBHOOK"]);
    for (field, expected) in [("targetId", &id), ("adminId", &root.public_id)] {
        assert!(log.column(field)[..3].iter().all(|found| found == expected), "{log}");
    }
}

#[tokio::test]
async fn webhook_requests_match_their_cost_budgets() {
    let (world, root, []) = webhook_world([]).await;
    let service = Service::starts().await;
    let body = json!({ "url": service.url, "events": ["circle.died"] });
    let made = world.budget("create a webhook", root.post("/admin/webhooks", body)).await;
    world.budget("webhooks", root.get("/admin/webhooks")).await;
    let id = made.data()["id"].as_str().unwrap();
    let path = format!("/admin/webhooks/{id}");
    for enabled in [false, true] {
        let switched = root.patch(&path, json!({ "enabled": enabled }));
        world.budget("switch a webhook on or off", switched).await.ok();
    }
    world.budget("test a webhook", root.post(&test_path(id), Value::Null)).await;
    world.budget("delete a webhook", root.delete(&path)).await;
}

#[tokio::test]
async fn webhook_deliveries_match_their_cost_budgets() {
    let (world, root, []) = webhook_world([]).await;
    let (app, at) = (world.app(), world.app().now());
    let event = Some(AnnouncedEvent::CircleDied);
    let announcement = Announcement { id: app.ids.next(at), event, subject: "x".into(), at };
    let announce = async || webhooks::announce(&app, &announcement).await.unwrap();
    world.budget("deliver an event to no webhook (job)", announce()).await;
    // Delivery fails, because this app cannot call private addresses.
    let (id, _) = adds_webhook(&root, &Service::starts().await, &["circle.died"]).await;
    world.budget("fail to deliver an event to a webhook (job)", announce()).await;
    world.advance(MINUTE).await;
    let again = webhooks::retry_delivery(&app, id.parse().unwrap(), announcement.id);
    world.budget("retry a failed delivery to a webhook (job)", again).await.unwrap();
}
