//! Devices, and Web Push notifications to devices.

use domain::jobs::OutboundJob;
use platform::outbox::outbox_record_write;
use serde_json::{Value, json};
use tests::{Browser, Person, PushService, World};

use super::{notifications, ticks};
use crate::realtime::listener::Listener;

const SETTINGS: &[(&str, &str)] = &[("INNER_ADDRESSES", "allowed")];

#[tokio::test]
async fn a_push_is_encrypted_for_the_browser() {
    let (world, service, [ann, bob]) = world(["ann", "bob"]).await;
    let browser = service.browser("firefox");
    let key = ann.get("/push/key").await.ok().data()["key"].clone();
    registers(&ann, &browser).await;
    notifies(&world, &ann, &bob).await;
    let notification = notifications(&ann).await[0].clone();
    let names = ["publicId", "type", "targetType", "targetId", "count", "lastEventAt", "message"];
    let expected: Value = names.into_iter().map(|name| (name, notification[name].clone())).collect();
    assert_eq!(browser.reads(), [expected], "one push despite duplicate messages");
    let pushed = &browser.pushed()[0];
    let (claims, signer) = pushed.signed();
    assert_eq!(json!(signer), key);
    assert_eq!(claims["aud"], browser.endpoint().trim_end_matches("/firefox"));
    assert!(claims["sub"].as_str().unwrap().starts_with("mailto:"));
    let seconds_left = claims["exp"].as_i64().unwrap() - world.app().now().seconds();
    assert!((60..=24 * 60 * 60).contains(&seconds_left), "{seconds_left}");
    let headers = ["ttl", "urgency", "content-encoding"].map(|name| pushed.header(name));
    assert_eq!(headers, ["86400", "normal", "aes128gcm"]);
    assert_eq!(json!(pushed.header("topic")), notification["publicId"]);
    assert!(pushed.bytes() <= 3000);
}

#[tokio::test]
async fn a_push_has_the_same_text_as_its_notification() {
    let world = World::builder().with_minute_ticks().settings(SETTINGS).start().await;
    let (service, ann) = (PushService::new().await, world.person("ann").await);
    let browser = service.browser("firefox");
    registers(&ann, &browser).await;
    let channel = format!("private-user-{}", ann.id);
    let mut listener = Listener::of(&world, &ann, &channel).await;
    let poll = json!({ "options": ["Tea", "Coffee"], "durationMinutes": 5 });
    ann.posts(json!({ "content": "Tea or coffee?", "poll": poll })).await;
    for _ in 0..4 {
        world.advance(120).await;
        world.stack.settle(None).await.unwrap();
    }
    let listed = notifications(&ann).await[0].clone();
    assert_eq!(listed["message"], "Your poll has ended. Open it to see the result.");
    assert_eq!(listener.received(&channel, "notification:new").await, listed);
    assert_eq!(browser.reads()[0]["message"], listed["message"]);
}

#[tokio::test]
async fn a_device_is_registered_listed_and_removed() {
    let (_world, service, [ann, bob]) = world(["ann", "bob"]).await;
    let device = registers(&ann, &service.browser("firefox")).await;
    assert_eq!(json!([device["platform"], device["pushService"]]), json!(["web", "127.0.0.1"]));
    assert_eq!(device["isCurrent"], true);
    assert_eq!(ann.get("/me/devices").await.ok().rows(), std::slice::from_ref(&device));
    assert!(bob.get("/me/devices").await.ok().rows().is_empty());
    let path = format!("/me/devices/{}", device["id"].as_str().unwrap());
    bob.delete(&path).await.refused(404, "NOT_FOUND");
    ann.delete(&path).await.ok();
    ann.delete(&path).await.refused(404, "NOT_FOUND");
    assert!(ann.get("/me/devices").await.ok().rows().is_empty());
}

#[tokio::test]
async fn an_endpoint_belongs_to_the_last_user_who_registered_it() {
    let (world, service, [ann, bob, cleo]) = world(["ann", "bob", "cleo"]).await;
    let browser = service.browser("shared");
    let first = registers(&ann, &browser).await;
    assert_eq!(registers(&ann, &browser).await, first);
    registers(&bob, &browser).await;
    assert!(ann.get("/me/devices").await.ok().rows().is_empty());
    notifies(&world, &ann, &cleo).await;
    assert!(browser.reads().is_empty(), "the device now belongs to bob, so it gets no push for ann");
}

#[tokio::test]
async fn the_21st_device_replaces_the_oldest_device() {
    let (world, service, [ann]) = world(["ann"]).await;
    let mut devices = Vec::new();
    for number in 0..21 {
        world.advance(1).await;
        devices.push(registers(&ann, &service.browser(&format!("browser{number}"))).await);
    }
    assert_eq!(ann.get("/me/devices").await.ok().rows(), &devices[1..]);
}

#[tokio::test]
async fn a_device_is_removed_when_its_session_ends() {
    let (world, service, [ann, bob]) = world(["ann", "bob"]).await;
    let (here, there) = (service.browser("here"), service.browser("there"));
    registers(&ann, &here).await;
    let again = ann.signs_in().await;
    registers(&again, &there).await;
    ann.with_refresh("/auth/logout").await.ok();
    assert_eq!(again.get("/me/devices").await.ok().column("isCurrent"), [json!(true)]);
    notifies(&world, &again, &bob).await;
    assert_eq!((here.reads().len(), there.reads().len()), (0, 1));
}

#[tokio::test]
async fn a_device_unknown_to_its_push_service_is_removed() {
    let (world, service, [ann, bob]) = world(["ann", "bob"]).await;
    for (number, status) in [404, 410].into_iter().enumerate() {
        registers(&ann, &service.browser(&format!("gone{number}"))).await;
        service.refuses(&[status]);
        notifies(&world, &ann, &bob).await;
        assert!(ann.get("/me/devices").await.ok().rows().is_empty(), "{status}");
    }
}

#[tokio::test]
async fn a_failed_push_is_retried_for_its_device_only() {
    let (world, service, [ann, bob]) = world(["ann", "bob"]).await;
    let (one, other) = (service.browser("one"), service.browser("other"));
    registers(&ann, &one).await;
    registers(&ann, &other).await;
    service.refuses(&[503]);
    notifies(&world, &ann, &bob).await;
    assert_eq!((one.reads().len(), other.reads().len()), (1, 1));
}

#[tokio::test]
async fn pages_that_do_not_answer_do_not_stop_pushes() {
    let (world, service, [ann, bob]) = world(["ann", "bob"]).await;
    let browser = service.browser("firefox");
    registers(&ann, &browser).await;
    let post = ann.writes("hello").await;
    for number in 0..2 {
        bob.replies(&post, &format!("http://127.0.0.1:1/{number}")).await;
    }
    world.settle().await;
    bob.replies(&post, "hi").await;
    ticks(&world).await;
    assert!(!browser.reads().is_empty());
}

#[tokio::test]
async fn an_unresponsive_push_service_gets_no_pushes_for_5_minutes() {
    let (world, service, [ann, bob, cleo]) = world(["ann", "bob", "cleo"]).await;
    notifies(&world, &ann, &cleo).await;
    let silent = service.browser("silent");
    for number in 0..5 {
        let mut device = silent.subscription();
        device["endpoint"] = json!(format!("http://127.0.0.1:1/{number}"));
        ann.post("/me/devices", device).await.ok();
    }
    pushes_late(&world, &ann).await;
    notifies(&world, &bob, &cleo).await;
    let browser = service.browser("firefox");
    registers(&bob, &browser).await;
    pushes_late(&world, &bob).await;
    assert!(browser.reads().is_empty(), "the host of both push services is the same");
    world.advance_and_settle(300).await;
    pushes_late(&world, &bob).await;
    assert_eq!(browser.reads().len(), 1);
}

/// Pushes the newest notification of a user so late that a failed push is not retried.
async fn pushes_late(world: &World, person: &Person) {
    let (app, notification) = (world.app(), notifications(person).await[0].clone());
    let notification = notification["publicId"].as_str().unwrap().parse().unwrap();
    let (recipient, at) = (person.id.parse().unwrap(), app.now().plus_seconds(-240));
    let job = OutboundJob::WebPush { recipient, notification, at };
    app.table.write(outbox_record_write(&app).then(&job)).await.unwrap();
    world.settle().await;
}

#[tokio::test]
async fn an_old_failing_push_is_dropped_without_a_dead_letter() {
    let (world, service, [ann, bob]) = world(["ann", "bob"]).await;
    notifies(&world, &ann, &bob).await;
    let browser = service.browser("busy");
    registers(&ann, &browser).await;
    service.refuses(&[429; 100]);
    pushes_late(&world, &ann).await;
    assert!(browser.reads().is_empty());
    assert_eq!(ann.get("/me/devices").await.ok().rows().len(), 1, "the device stays registered");
}

#[tokio::test]
async fn hidden_and_disabled_notifications_are_not_pushed() {
    let (world, service, [ann, bob, cleo]) = world(["ann", "bob", "cleo"]).await;
    let browser = service.browser("firefox");
    registers(&ann, &browser).await;
    ann.patch("/me/notification-preferences", json!({ "LIKE": { "push": false } })).await.ok();
    let post = ann.writes("hello").await;
    bob.likes(&post).await;
    ticks(&world).await;
    assert_eq!(notifications(&ann).await.len(), 1, "the notification is stored but not pushed");
    cleo.replies(&post, "hi").await;
    ann.blocks(&cleo).await;
    ticks(&world).await;
    assert!(browser.reads().is_empty());
}

#[tokio::test]
async fn a_device_needs_a_public_endpoint_and_valid_keys() {
    let world = World::new().await;
    let service = PushService::new().await;
    let ann = world.person("ann").await;
    let good = service.browser("firefox").subscription();
    let refused = async |field: &str, value: Value| {
        let mut body = good.clone();
        body["endpoint"] = json!("https://updates.push.services.mozilla.com/wpush/v2/x");
        *body.pointer_mut(field).unwrap() = value;
        ann.post("/me/devices", body).await.refused(400, "VALIDATION_FAILED");
    };
    for endpoint in [
        "https://127.0.0.1/x",
        "https://169.254.169.254/",
        "http://example.com/",
        "https://a:b@example.com",
        "https://[::ffff:10.0.0.1]/",
        "https://example.com:22/",
        "https://2130706433/",
        "no address",
        "",
        &service.browser("firefox").endpoint(),
    ] {
        refused("/endpoint", json!(endpoint)).await;
    }
    refused("/platform", json!("ios")).await;
    let mut complete = good.clone();
    complete["endpoint"] = json!("https://updates.push.services.mozilla.com/wpush/v2/x");
    complete["expirationTime"] = Value::Null;
    ann.post("/me/devices", complete).await.ok();
    refused("/keys", json!([good["keys"]["p256dh"], good["keys"]["auth"]])).await;
    refused("/keys/auth", json!("BTBZ")).await;
    refused("/keys/p256dh", json!("BTBZMqHH6r4Tts7J_aSIgg")).await;
    let no_point = "BAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQ";
    refused("/keys/p256dh", json!(no_point)).await;
}

#[tokio::test]
async fn device_requests_stay_within_their_cost_budgets() {
    let (world, service, [ann]) = world(["ann"]).await;
    let browser = service.browser("firefox");
    // Each budget includes the read of the session.
    for budget in ["register a user's first device", "register a device again"] {
        world.budget(budget, ann.post("/me/devices", browser.subscription())).await;
    }
    world.budget("devices", ann.get("/me/devices")).await;
}

/// Starts a push service, and a world with these users that can push to it.
async fn world<const N: usize>(names: [&str; N]) -> (World, PushService, [Person; N]) {
    let (world, people) = World::builder().settings(SETTINGS).start_with(names).await;
    (world, PushService::new().await, people)
}

/// Notifies `author` of a reply to a new post.
async fn notifies(world: &World, author: &Person, replier: &Person) {
    let post = author.writes("hello").await;
    replier.replies(&post, "hi").await;
    ticks(world).await;
}

/// Registers a browser and returns the device.
async fn registers(person: &Person, browser: &Browser) -> Value {
    person.post("/me/devices", browser.subscription()).await.ok().data().clone()
}
