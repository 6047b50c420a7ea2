//! Notifications are grouped, count each event once, and stay unread until the user reads them.

mod conversations;
mod devices;
pub(crate) mod job;
mod kinds;
mod likes;
mod many_people;
mod marks;
mod preferences;
mod recorded;
mod repeated;
mod shares;
mod withdrawn;

use std::sync::Arc;

use local::Report;
use platform::{App, settings::Settings};
use serde_json::{Value, json};
use tests::{Fault, Person, Post, World};

const TICK: &str = "notification-tick";

#[tokio::test]
async fn a_reply_notifies_the_author_within_40_seconds() {
    let (world, [ann, bob], post) = World::with_post(["ann", "bob"]).await;
    world.advance_and_settle(500).await;
    bob.replies(&post, "hi").await;
    assert_eq!(notifications(&ann).await, Vec::<Value>::new(), "no tick has flushed the reply yet");
    ticks(&world).await;
    let group = one(&ann).await;
    assert_eq!(json!([group["type"], group["targetType"]]), json!(["POST", "REPLY"]));
    assert_eq!(json!([group["targetId"], group["recipientId"]]), json!([post.id, ann.public_id]));
    assert_eq!(json!([group["count"], group["isRead"]]), json!([1, false]));
    assert_eq!(json!([group["actorIds"], group["lastActorId"]]), json!([[bob.public_id], bob.public_id]));
    let actor = &group["actors"][0];
    assert_eq!(json!([actor["username"], actor["userId"]]), json!(["bob", bob.public_id]));
    assert_eq!(group["lastEventAt"], "2026-01-01T00:08:20.000Z");
    assert_eq!(group["message"], "bob replied to your post");
    assert_eq!(notifications(&bob).await, Vec::<Value>::new());
}

#[tokio::test]
async fn a_notification_id_is_a_valid_cursor() {
    let (world, [ann, bob]) = World::with(["ann", "bob"]).await;
    for text in ["one", "two", "three"] {
        let post = ann.writes(text).await;
        bob.replies(&post, "hi").await;
        world.advance(1).await;
    }
    ticks(&world).await;
    let all = notifications(&ann).await;
    let first = ann.get("/notification?take=1").await.ok();
    for after in [first.after().unwrap(), all[0]["publicId"].as_str().unwrap()] {
        let rest = ann.get(&format!("/notification?after={after}")).await.ok();
        assert_eq!((rest.rows(), rest.after()), (&all[1..], None));
    }
    let last = all[2]["publicId"].as_str().unwrap();
    assert!(ann.get(&format!("/notification?after={last}")).await.ok().rows().is_empty());
    ann.get("/notification?after=x").await.refused(400, "VALIDATION_FAILED");
}

#[tokio::test]
async fn a_new_event_updates_the_existing_notification() {
    let (world, [ann, bob, cleo, dan], post) = World::with_post(["ann", "bob", "cleo", "dan"]).await;
    bob.replies(&post, "1").await;
    cleo.replies(&post, "2").await;
    ticks(&world).await;
    let first = one(&ann).await;
    assert_eq!(json!([first["count"], first["actorIds"]]), json!([2, [cleo.public_id, bob.public_id]]));
    assert_eq!(first["message"], "cleo and bob replied to your post");
    ann.patch(&path(&first), Value::Null).await.ok();
    assert_eq!(one(&ann).await["isRead"], true);

    dan.replies(&post, "3").await;
    bob.replies(&post, "4").await;
    bob.replies(&post, "5").await;
    ticks(&world).await;
    let again = one(&ann).await;
    assert_eq!(again["publicId"], first["publicId"]);
    assert_eq!(json!([again["count"], again["isRead"]]), json!([5, false]));
    assert_eq!(again["actorIds"], json!([bob.public_id, dan.public_id, cleo.public_id]));
    assert_eq!(again["message"], "bob and 2 others replied to your post");
}

#[tokio::test]
async fn an_idempotent_retry_of_a_reply_notifies_once() {
    let (world, [ann, bob], post) = World::with_post(["ann", "bob"]).await;
    for fault in [None, Some(Fault::LostAnswer), Some(Fault::CrashAfter)] {
        if let Some(fault) = fault {
            world.faults.next("TransactWriteItems", fault);
        }
        let body = json!({ "content": "hi" });
        bob.post_once(&format!("{fault:?}"), &post.path("/reply"), body.clone()).await;
        world.faults.calm();
        bob.post_once(&format!("{fault:?}"), &post.path("/reply"), body).await.ok();
    }
    ticks(&world).await;
    assert_eq!(one(&ann).await["count"], 3);
}

#[tokio::test]
async fn a_new_event_moves_its_notification_to_the_top() {
    let (world, [ann, bob]) = World::with(["ann", "bob"]).await;
    let posts = [ann.writes("one").await, ann.writes("two").await, ann.writes("three").await];
    for post in &posts {
        world.advance(1).await;
        bob.replies(post, "hi").await;
    }
    ticks(&world).await;
    bob.replies(&posts[0], "again").await;
    ticks(&world).await;
    let targets = ann.columns("/notification", 1, "targetId").await;
    assert_eq!(targets, [&posts[0], &posts[2], &posts[1]].map(|post| [json!(post.id)]));
    assert_eq!(ann.all("/notification", 1, "isRead").await, [false; 3]);
}

/// Returns an [`App`] with a signing secret. Writes with an idempotency key need the secret.
fn signing_app(world: &World) -> App {
    let table = world.stack.table_name().to_owned();
    let settings = Settings::read(|name| match name {
        "TABLE_NAME" => Some(table.clone()),
        "EVENT_BUS_NAME" => Some("local".to_owned()),
        "JWT_SECRET" => Some("x".repeat(32)),
        _ => None,
    });
    let clock = world.stack.clock().clone();
    App::new(world.clients(), settings.unwrap(), Arc::new(move || clock.now()))
}

/// Runs one notification tick, which flushes pending events, without advancing the clock.
async fn ticks_once(world: &World) -> Report {
    world.stack.fire(TICK).await.unwrap();
    world.stack.settle(None).await.unwrap()
}

/// Advances the clock by 40 seconds, which starts one notification tick. Then delivers all messages.
pub(crate) async fn ticks(world: &World) {
    world.advance_and_settle(40).await;
}

pub(crate) async fn notifications(person: &Person) -> Vec<Value> {
    person.get("/notification").await.ok().rows().to_vec()
}

pub(crate) async fn one(person: &Person) -> Value {
    let mut groups = notifications(person).await;
    assert_eq!(groups.len(), 1, "{groups:?}");
    groups.remove(0)
}

/// Returns these fields of the user's only notification.
async fn fields<const N: usize>(person: &Person, names: [&str; N]) -> Value {
    let group = one(person).await;
    names.into_iter().map(|name| group[name].clone()).collect()
}

pub(crate) async fn unread(person: &Person) -> i64 {
    let answer = person.get("/notification/unread").await.ok();
    let count = answer.data()["unreadCount"].as_i64().unwrap();
    assert_eq!(answer.data()["hasUnread"], count > 0);
    count
}

/// Returns the partition key of the pending record about replies to a post.
pub(crate) fn pending(author: &Person, post: &Post) -> String {
    format!("PENDING#{}#{}#POST", author.id, post.id)
}

fn path(group: &Value) -> String {
    format!("/notification/{}/read", group["publicId"].as_str().unwrap())
}
