//! Messages that a worker cannot handle become dead letters after two receives. Newer code may handle the second.

use std::{
    io::Write,
    sync::{Arc, Mutex},
};

use runtime::worker;
use serde_json::{Value, json};
use tests::{Fault, World};

use super::{
    failures::{app, batch},
    put, take_dead_letters,
};

/// Every queue with a well-formed message that its worker cannot handle.
const QUEUES: [(&str, &str); 15] = [
    ("circle-drain", r#"{"job":"page","shard":256,"after":null}"#),
    ("circle-judge", r#"{"post":"nothing"}"#),
    ("cpr-check", r#"{"job":"page"}"#),
    ("housekeeping", r#"{"job":"purgeCircle","circle":"none"}"#),
    ("leaving", r#"{"job":"erase","user":"unknown"}"#),
    ("liked-add", r#"{"user":"unknown","post":"nothing"}"#),
    ("liked-remove", r#"{"user":"unknown"}"#),
    ("mail", r#"{"user":"unknown"}"#),
    ("notification-events", r#"{"detail-type":"MessageSent","detail":{}}"#),
    ("notification-tick", r#"{"messages":-1}"#),
    ("quest-reset", r#"{"job":"resetAll"}"#),
    ("realtime", r#"{"detail-type":"Unheard","detail":{}}"#),
    ("report-evaluation", r#"{"report":1}"#),
    ("search-index", r#"{"job":"post","post":null}"#),
    ("timeline", r#"{"job":"fanIn","post":"01KGB5T9G0A1B2C3D4E5F6G7H8"}"#),
];

#[tokio::test]
async fn a_failing_message_is_a_dead_letter_after_two_receives() {
    let world = World::new().await;
    for (queue, impossible) in QUEUES {
        for body in ["this is no JSON", impossible] {
            put(&world, queue, body).await;
            let report = world.stack.settle(None).await.unwrap();
            assert_eq!((report.delivered, report.failed, report.dead), (1, 1, 0), "{queue}: {body}");
            assert_eq!(take_dead_letters(&world, queue).await, [body], "{queue}");
        }
    }
}

#[tokio::test]
async fn a_message_that_always_fails_does_not_block_other_messages() {
    let (world, [ann, bob]) = World::with(["ann", "bob"]).await;
    let post = ann.writes("hello").await;
    world.settle().await;
    put(&world, "liked-add", "this is no JSON").await;
    bob.likes(&post).await;
    world.stack.settle(None).await.unwrap();
    assert_eq!(ann.sees(&post).await["likesCount"], 1);
    assert_eq!(take_dead_letters(&world, "liked-add").await.len(), 1);
}

#[tokio::test]
async fn a_like_in_a_dead_letter_is_counted_after_a_redrive() {
    let (world, [ann, bob]) = World::with(["ann", "bob"]).await;
    let post = ann.writes("hello").await;
    world.settle().await;
    bob.likes(&post).await;
    world.faults.plan("TransactWriteItems", Fault::Crash, 0, u32::MAX);
    let report = world.stack.settle(None).await.unwrap();
    assert!(world.faults.calm() > 0);
    assert_eq!((report.dead, &ann.sees(&post).await["likesCount"]), (1, &json!(0)));
    for message in take_dead_letters(&world, "liked-add").await {
        put(&world, "liked-add", &message).await;
    }
    world.settle().await;
    assert_eq!(ann.sees(&post).await["likesCount"], 1);
}

#[tokio::test]
async fn sqs_creates_a_dead_letter_that_the_worker_could_not_send() {
    let world = World::new().await;
    put(&world, "mail", "this is no JSON").await;
    world.faults.plan("SendMessage", Fault::Refused, 0, 100);
    let report = world.stack.settle(None).await.unwrap();
    assert!(world.faults.calm() > 0);
    assert_eq!((report.failed, report.dead), (5, 1));
    assert_eq!(take_dead_letters(&world, "mail").await, ["this is no JSON"]);
}

#[tokio::test]
async fn the_log_of_a_dead_letter_omits_the_message_body() {
    let world = World::new().await;
    let (app, log) = (app(&world), Log::default());
    let writer = log.clone();
    let subscriber = tracing_subscriber::fmt().json().with_writer(move || writer.clone()).finish();
    let _guard = tracing_subscriber::util::SubscriberInitExt::set_default(subscriber);
    let batch = batch(r#"{"token":"secret-token"}"#, None);
    let response = worker::each(&app, batch, async |_: Vec<u8>| Ok(())).await;
    assert_eq!(response.batch_item_failures.len(), 0);
    let text = String::from_utf8(log.0.lock().unwrap().clone()).unwrap();
    assert_eq!(text.lines().count(), 1, "{text}");
    let line: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(json!([line["level"], line["fields"]["message_id"]]), json!(["ERROR", "message-1"]));
    assert!(text.contains("is not a job of this worker"), "{text}");
    assert!(!text.contains("secret-token"), "{text}");
    assert_eq!(take_dead_letters(&world, "mail").await, [r#"{"token":"secret-token"}"#]);
}

/// A log writer that collects its output.
#[derive(Clone, Default)]
struct Log(Arc<Mutex<Vec<u8>>>);

impl Write for Log {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().unwrap().write(bytes)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}
