//! Failed messages and records are counted for the alarm that rolls back deployments.

use std::sync::{
    Arc,
    atomic::{AtomicU64, Ordering},
};

use anyhow::anyhow;
use aws_lambda_events::dynamodb::Event;
use metrics::{Counter, Gauge, Histogram, Key, KeyName, Metadata, SharedString, Unit};
use platform::{App, Error, clock::system_clock, deadline::Deadline, settings::Settings};
use runtime::worker::{self, Batch};
use serde_json::json;
use tests::{Fault, World};

/// Counts the metric `FailedMessages` of this thread.
#[derive(Default)]
struct Failures(Arc<AtomicU64>);

#[tokio::test]
async fn each_failed_message_is_counted_unless_it_was_throttled() {
    let failures = Failures::default();
    let _guard = metrics::set_default_local_recorder(&failures);
    let app = app(&World::new().await);
    let cases = [("fails", 1), ("panics", 1), ("throttled", 0), ("succeeds", 0), ("not JSON", 1)];
    for (job, counted) in cases {
        let body = if job == "not JSON" { job.to_owned() } else { json!(job).to_string() };
        let response = worker::each(&app, batch(&body, Some(1)), async |job: String| run(&job)).await;
        assert_eq!(response.batch_item_failures.len(), usize::from(job != "succeeds"), "{job}");
        assert_eq!(failures.take(), counted, "{job}");
    }
    let together = async |jobs: Vec<String>| vec![(jobs.len() - 1, Error::internal(anyhow!("failed")))];
    worker::together(&app, batch(r#""fails""#, Some(1)), together).await;
    assert_eq!(failures.take(), 1);
}

#[tokio::test]
async fn messages_and_records_that_become_dead_letters_are_counted() {
    let failures = Failures::default();
    let _guard = metrics::set_default_local_recorder(&failures);
    let world = World::new().await;
    let app = app(&world);
    let response = worker::each(&app, batch("not JSON", Some(2)), async |_: String| Ok(())).await;
    assert_eq!((response.batch_item_failures.len(), failures.take()), (0, 1));
    super::purge(&world, "mail-dead-letters").await;

    let response = relay::work(&app, record("unreadable")).await;
    assert_eq!((response.batch_item_failures.len(), failures.take()), (0, 1));
    super::purge(&world, "mail-dead-letters").await;
}

#[tokio::test]
async fn a_retried_record_is_counted_unless_it_was_throttled() {
    let failures = Failures::default();
    let _guard = metrics::set_default_local_recorder(&failures);
    let world = World::new().await;
    let app = app(&world);
    let outbox = json!({
        "id": "1", "send": [{ "queue": "mail", "body": {} }], "publish": [{ "name": "Unknown", "detail": {} }],
        "raise": [{ "pk": "a", "sk": "a", "name": "count" }],
    });
    // Each call has up to 8 attempts.
    for operation in ["SendMessageBatch", "PutEvents", "UpdateItem"] {
        for (fault, counted) in [(Fault::Throttle, 0), (Fault::Refused, 1)] {
            world.faults.plan(operation, fault, 0, 8);
            let response = relay::work(&app, record(&outbox.to_string())).await;
            assert!(world.faults.calm() > 0);
            let failed = (response.batch_item_failures.len(), failures.take());
            assert_eq!(failed, (1, counted), "{operation} {fault:?}");
        }
    }
    super::purge(&world, "mail").await;
}

/// Returns a batch with one stream record, which added this outbox to a row.
fn record(outbox: &str) -> Event {
    let record = json!({ "Records": [{
        "awsRegion": "us-east-1", "eventID": outbox, "eventName": "INSERT", "eventSource": "aws:dynamodb",
        "eventVersion": "1.1", "eventSourceARN": MAIL,
        "dynamodb": {
            "ApproximateCreationDateTime": 1_700_000_000, "Keys": {}, "NewImage": { "outbox": { "S": outbox } },
            "SequenceNumber": "1", "SizeBytes": 1, "StreamViewType": "NEW_AND_OLD_IMAGES"
        }
    }] });
    serde_json::from_value(record).unwrap()
}

/// The queue of the messages. Its dead letters also get the records.
const MAIL: &str = "arn:aws:sqs:us-east-1:000000000000:mail";

fn run(job: &str) -> Result<(), Error> {
    match job {
        "fails" => Err(Error::internal(anyhow!("failed"))),
        "panics" => panic!("failed"),
        "throttled" => Err(Error::Throttled(anyhow!("busy"))),
        _ => Ok(()),
    }
}

/// Returns the app of a worker whose queue is `mail`.
pub(super) fn app(world: &World) -> App {
    let pair = format!("{} {}", world.stack.queue_url("mail"), world.stack.queue_url("mail-dead-letters"));
    let settings = Settings::read(|name| match name {
        "DEAD_LETTERS_URLS" => Some(pair.clone()),
        "EVENT_BUS_NAME" => Some("local".to_owned()),
        "MAIL_QUEUE_URL" => Some(world.stack.queue_url("mail")),
        "TABLE_NAME" => Some(world.table_name().to_owned()),
        _ => None,
    });
    App::new(world.clients(), settings.unwrap(), system_clock())
}

/// Returns a batch with one message that was received `receives` times, or whose number of receives is unknown.
pub(super) fn batch(body: &str, receives: Option<u32>) -> Batch {
    let attributes =
        receives.map_or(json!({}), |count| json!({ "ApproximateReceiveCount": count.to_string() }));
    let message = json!({
        "messageId": "message-1", "body": body, "eventSourceARN": MAIL, "attributes": attributes, "messageAttributes": {},
    });
    let event = serde_json::from_value(json!({ "Records": [message] })).unwrap();
    Batch::new(event, Deadline::after_pages(1))
}

impl Failures {
    /// Returns the count, and sets it to 0.
    fn take(&self) -> u64 {
        self.0.swap(0, Ordering::Relaxed)
    }
}

impl metrics::Recorder for Failures {
    fn describe_counter(&self, _: KeyName, _: Option<Unit>, _: SharedString) {}
    fn describe_gauge(&self, _: KeyName, _: Option<Unit>, _: SharedString) {}
    fn describe_histogram(&self, _: KeyName, _: Option<Unit>, _: SharedString) {}

    fn register_counter(&self, key: &Key, _: &Metadata<'_>) -> Counter {
        if key.name() == "FailedMessages" { Counter::from_arc(Arc::clone(&self.0)) } else { Counter::noop() }
    }

    fn register_gauge(&self, _: &Key, _: &Metadata<'_>) -> Gauge {
        Gauge::noop()
    }

    fn register_histogram(&self, _: &Key, _: &Metadata<'_>) -> Histogram {
        Histogram::noop()
    }
}
