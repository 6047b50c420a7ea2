//! The last minute of the story: requests that leave an unhandled message in each queue.

use domain::{
    due::Due,
    ids::{AnnouncementId, Position, PostId, WebhookId},
    posts::likes,
};
use platform::{
    outbox,
    table::{Index, Key, Write},
    time::Time,
};
use reqwest::Method;
use serde_json::{Value, json};
use tests::{PASSWORD, PasskeyDevice, send};

use super::{Past, rules::reports, talks::says};
use crate::{
    auth::second_factor::{Authenticator, confirms},
    circles::{cpr, critic::text, posts, sacrifice},
    likes::{like_jobs, random_user_ids},
    uploads::{self, pictures},
};

const HOUR: i64 = 3600;
const SECONDS_INTO_IT: i64 = 20;

pub(super) async fn run(past: &mut Past) {
    an_hour_begins(past).await;
    let begun = past.world.app().now();
    a_user_registers(past).await;
    an_account_gets_a_second_factor(past).await;
    posts_are_written_and_liked(past).await;
    a_photo_is_uploaded(past).await;
    relationships_change(past).await;
    circles_continue(past).await;
    outbox_records_are_relayed(past, begun).await;
    pages_are_left(past).await;
    events_are_left(past).await;
}

/// Advances the clock to the next hour. Then hourly HP losses, the ends of a ban and a CPR, a purge and new quests are
/// due.
async fn an_hour_begins(past: &Past) {
    let left = HOUR - past.world.app().now().seconds() % HOUR + SECONDS_INTO_IT;
    past.world.advance(left.unsigned_abs()).await;
    past.sends("quest-reset", &json!({ "job": "reset" })).await;
    past.sends("notification-tick", &json!({})).await;
}

async fn a_user_registers(past: &mut Past) {
    let form = json!({ "name": "Kim", "username": "kim", "email": "kim@example.com", "password": PASSWORD });
    let answer = past.world.anyone.post_once("kim's key", "/auth/register", form.clone()).await.ok();
    past.saves("kim", answer.data().clone());
    past.saves("kimsForm", form);
    past.world.anyone.post("/auth/forgot-password", json!({ "email": "lou@example.com" })).await.ok();
    let phone = past.world.anyone.request(Method::POST, "/auth/login").header("user-agent", "Dan's phone");
    send(phone.json(&json!({ "identifier": "dan", "password": PASSWORD }))).await.ok();
}

/// Adds a passkey, a second factor, an application token, an export request and a pending email change.
async fn an_account_gets_a_second_factor(past: &mut Past) {
    let max = past.user("max");
    let options = max.post("/auth/passkeys/options", json!({ "password": PASSWORD })).await.ok();
    let mut device = PasskeyDevice::new(-7, past.world.stack.url());
    let passkey = json!({ "name": "Phone", "credential": device.creates(options.data()) });
    max.post("/auth/passkeys", passkey).await.ok();
    let begun = max.post("/auth/totp", json!({ "password": PASSWORD })).await.ok();
    confirms(&max, &Authenticator::of(&begun).code(&past.world)).await.ok();
    past.saves("secondFactor", begun.data().clone());
    let token = json!({ "name": "Max's bot", "scopes": ["read", "write:posts"], "password": PASSWORD });
    let token = max.post("/auth/tokens", token).await.ok().data()["token"].clone();
    past.saves("applicationToken", token);
    max.post("/auth/export", json!({ "password": PASSWORD })).await.ok();
    max.post("/auth/email", json!({ "password": PASSWORD, "email": "maxim@example.com" })).await.ok();
}

async fn posts_are_written_and_liked(past: &mut Past) {
    let [bob, cleo, dan, fay] = ["bob", "cleo", "dan", "fay"].map(|name| past.user(name));
    let liked = past.post("liked");
    dan.likes(&liked).await;
    bob.unlikes(&liked).await;
    past.wrote("unbrought", bob.writes("Not yet brought to anyone #dogs").await).await;
    let bad = past.wrote("unjudged", fay.writes(&text("0.98", "not yet judged")).await).await;
    reports(&bob, &bad, "post").await;
    cleo.replies(&liked, "Not yet heard of").await;
    let crowded = past.post("ghost");
    let jobs = like_jobs(&past.world, &crowded, &random_user_ids(&past.world, 8), true).await;
    assert!(likes::apply(&past.world.app(), &jobs).await.is_empty());
    cleo.replies(&crowded, "Not yet counted").await;
}

async fn a_photo_is_uploaded(past: &mut Past) {
    let eve = past.user("eve");
    let ticket = uploads::puts(&eve, "image/jpeg", &pictures::photo(60, 40, 6)).await;
    let media = json!([{ "id": ticket["id"], "alt": "Not yet looked at" }]);
    let post = eve.posts(json!({ "content": "A photo", "media": media })).await;
    past.wrote("photo", post).await;
}

async fn relationships_change(past: &mut Past) {
    let [ann, bob, cleo, dan, eve] = ["ann", "bob", "cleo", "dan", "eve"].map(|name| past.user(name));
    dan.unfollows(&bob).await;
    eve.follows(&bob).await;
    dan.befriends(&cleo).await;
    eve.patch("/me/friend-requests/bob/accept", Value::Null).await.ok();
    says(&ann, past.id("pair"), "four").await;
    bob.patch(&format!("/message-group/{}/read", past.id("crowd")), Value::Null).await.ok();
}

async fn circles_continue(past: &mut Past) {
    let [bob, cleo, dan] = ["bob", "cleo", "dan"].map(|name| past.user(name));
    let written = posts::writes_in(&cleo, &past.circle("readers"), &text(9, "not yet judged")).await.ok();
    past.saves("pendingPost", posts::id(&written));
    sacrifice::gives(&bob, &past.circle("edge"), 1).await.ok();
    cpr::begins(&dan, &past.circle("begun"), 5).await.ok();
}

/// Delivers the outbox records written since `since` to the queues, before the workers run.
async fn outbox_records_are_relayed(past: &Past, since: Time) {
    let scan = past.world.unwatched_dynamodb().scan().table_name(past.world.table_name());
    let rows = scan.into_paginator().items().send().try_collect().await.unwrap();
    let outboxes = rows.iter().filter_map(|row| row.get(outbox::ATTRIBUTE)?.as_s().ok());
    for text in outboxes.filter(|text| outbox::written_at(text).is_some_and(|written| written >= since)) {
        let outbox: Value = serde_json::from_str(text).unwrap();
        for message in outbox["send"].as_array().into_iter().flatten() {
            past.sends(message["queue"].as_str().unwrap(), &message["body"]).await;
        }
        for event in outbox["publish"].as_array().into_iter().flatten() {
            past.publishes(event["name"].as_str().unwrap(), &event["detail"]).await;
        }
    }
}

/// Queues messages that continue long jobs. A test must not run workers meanwhile, because they would process these
/// messages.
async fn pages_are_left(past: &Past) {
    let page = json!({ "job": "page", "shard": 1, "after": "0" });
    past.sends("circle-drain", &page).await;
    past.sends("cpr-check", &page).await;
    past.sends("housekeeping", &json!({ "job": "purgePage", "shard": 1, "after": null })).await;
    past.sends("housekeeping", &json!({ "job": "purgeCircle", "circle": past.id("oldLights") })).await;
    let (recipient, notification) = (past.user("ann").id, past.known("readNotification"));
    let at = past.world.app().now();
    let pushed = json!({ "job": "webPush", "recipient": recipient, "notification": notification, "at": at });
    past.sends("web-push", &pushed).await;
    past.sends("outbound", &json!({ "job": "preview", "post": past.id("unbrought") })).await;
    past.sends("report-evaluation", &evaluation(past)).await;
    past.sends("timeline", &json!({ "job": "markFollows", "author": past.user("ann").id })).await;
    a_marking_is_at_its_last_page(past).await;
    a_fan_out_is_at_its_second_page(past).await;
    a_notification_was_pushed(past).await;
    a_preview_was_stored(past).await;
    a_webhook_delivery_failed(past).await;
    a_post_waits_for_a_verdict(past).await;
}

/// Returns the job that evaluates a report. The job was queued twice.
fn evaluation(past: &Past) -> Value {
    json!({ "job": "evaluation-report", "reportId": past.id("doubtfulReport"), "targetId": past.id("doubtful"),
        "type": "POST", "content": "doubtful", "reason": "It is bad.", "reporterId": past.user("bob").id,
        "reportedUserId": past.user("fay").id })
}

/// Stores that a post waits for the verdict of an external judge.
async fn a_post_waits_for_a_verdict(past: &Past) {
    let (app, post) = (past.world.app(), past.id("pendingPost"));
    let wait = Write::update(Key::new(format!("POST#{post}"), "WAIT")).set("post", post);
    let wait = wait.set("revision", 0).set("until", app.now());
    let id: PostId = post.parse().unwrap();
    let due = Due::Verdict.index_key(id, app.now());
    app.table.write(wait.index_key(Index::Gsi3, Some(due))).await.unwrap();
}

/// Creates a webhook and a delivery that waits for its next attempt.
async fn a_webhook_delivery_failed(past: &Past) {
    let app = past.world.app();
    let (id, message): (WebhookId, AnnouncementId) = (app.ids.next(app.now()), app.ids.next(app.now()));
    let webhook = Write::update(Key::new("WEBHOOKS", "00")).set("slot", 0).set("id", id);
    let webhook = webhook.set("url", "https://service.example/hook").set("events", ["circle.died"]);
    app.table.write(webhook.set("createdAt", app.now())).await.unwrap();
    let key = Key::new(format!("WEBHOOK#{id}"), format!("WAITING#{message}"));
    let circle = past.circle("edge").id;
    let announcement = json!({ "id": message, "event": "circle.died", "subject": circle, "at": app.now() });
    let waiting = Write::update(key).set("webhook", id).set("announcement", announcement);
    let waiting = waiting.set("attempts", 1).set("dueAt", app.now());
    let due = Due::Webhook.index_key(message, app.now());
    app.table.write(waiting.index_key(Index::Gsi3, Some(due))).await.unwrap();
}

/// Changes the notification preferences of a user, and stores that a notification was pushed.
async fn a_notification_was_pushed(past: &Past) {
    let (app, kim) = (past.world.app(), past.user("kim"));
    kim.patch("/me/notification-preferences", json!({ "LIKE": { "push": false } })).await.ok();
    let notification: Position = app.ids.next(app.now());
    let key = Key::new(format!("DEVICES#{}", kim.id), format!("PUSHED#{notification}"));
    let write = Write::update(key).set("recipient", &kim.id).set("notification", notification);
    let write = write.set("eventAt", app.now()).set("at", app.now()).set("devices", json!([]));
    app.table.write(write).await.unwrap();
}

/// Stores the preview of a link.
async fn a_preview_was_stored(past: &Past) {
    let (app, hash) = (past.world.app(), "0".repeat(64));
    let summary = json!({ "title": "A bridge opens", "description": null, "image": null });
    let key = Key::new(format!("PREVIEW#{hash}"), "PAGE");
    let write = Write::update(key).set("hash", hash).set("failures", 0);
    let kept_until = app.now().plus_seconds(7 * 24 * HOUR);
    app.table.write(write.set("summary", summary).set("expires", kept_until)).await.unwrap();
}

/// Stores the progress of a job in its first pass over ann's followers. The job has marked follows, so a second pass is
/// due.
async fn a_marking_is_at_its_last_page(past: &Past) {
    let app = past.world.app();
    let key = Key::new(format!("USER#{}", past.user("ann").id), "MARKING");
    let after: Position = app.ids.next(app.now());
    app.table.write(Write::update(key).set("after", after).set("foundUnmarked", true)).await.unwrap();
}

/// Stores the progress of a fan-out after the first page of followers, without a message that continues it.
async fn a_fan_out_is_at_its_second_page(past: &Past) {
    let app = past.world.app();
    let after: Position = app.ids.next(app.now());
    let key = Key::new(format!("POST#{}", past.known("ghost")), "FANOUT");
    let progress = Write::update(key).set("after", after);
    app.table.write(progress.set("ttl", app.now().plus_seconds(24 * HOUR).seconds())).await.unwrap();
}

/// Publishes events that only workers publish.
async fn events_are_left(past: &Past) {
    let user = past.user("ann").id;
    let (notification, circle) = (past.known("readNotification"), past.id("lostCause"));
    let at = "2026-01-02T07:00:00.000Z";
    let resolved = json!({ "circleId": circle, "sessionId": circle, "success": true, "createdAt": at });
    for (kind, detail) in [
        ("NotificationsFlushed", json!({ "count": 2 })),
        ("NotificationNew", json!({ "recipientId": user, "notificationId": notification })),
        ("CprResolved", resolved),
    ] {
        past.publishes(kind, &detail).await;
    }
}

impl Past {
    /// Publishes an event on the bus, as a function does.
    async fn publishes(&self, kind: &str, detail: &Value) {
        let entry = aws_sdk_eventbridge::types::PutEventsRequestEntry::builder().source("social");
        let entry = entry.event_bus_name("local").detail_type(kind).detail(detail.to_string()).build();
        let put = self.world.clients().bus.put_events().entries(entry).send().await.unwrap();
        assert_eq!(put.failed_entry_count, 0, "{put:?}");
    }
}
