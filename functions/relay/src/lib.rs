//! Relay: delivers outboxes from the table's stream.

mod delivered;

use aws_lambda_events::{
    dynamodb::{Event, EventRecord},
    streams::{DynamoDbBatchItemFailure, DynamoDbEventResponse},
};
use delivered::Delivered;
use platform::{
    App, Result, metrics,
    outbox::{self, Outbox},
    request_id,
};
use serde_dynamo::{AttributeValue, Item};

/// Delivers the outboxes in a batch of stream records. Moves a record to the dead-letter queue if its outbox is
/// unreadable, or if a part of the outbox can never be delivered. The response names the records to retry.
pub async fn work(app: &App, event: Event) -> DynamoDbEventResponse {
    let delivered = app.memory.of::<Delivered>();
    let mut response = DynamoDbEventResponse::default();
    let (mut records, mut outboxes) = (Vec::new(), Vec::new());
    for record in event.records.into_iter().filter(|record| !delivered.contains(record)) {
        match new_outbox(&record).map(Outbox::read) {
            None => {}
            Some(Ok(outbox)) => {
                outboxes.push(outbox);
                records.push(record);
            }
            Some(Err(unreadable)) => {
                tracing::error!(eventId = record.event_id, "failed to read an outbox: {unreadable}");
                give_up(app, &delivered, &mut response, &record).await;
            }
        }
    }
    request_id::log_all(outboxes.iter().filter_map(Outbox::request));
    let undelivered = outbox::deliver(app, &outboxes).await;
    for (position, record) in records.iter().enumerate() {
        if undelivered.again.contains(&position) {
            fail(&mut response, record);
        } else if undelivered.throttled.contains(&position) {
            retry(&mut response, record);
        } else if undelivered.never.contains(&position) {
            give_up(app, &delivered, &mut response, record).await;
        } else {
            delivered.insert(record);
        }
    }
    response
}

/// Returns the outbox that the recorded write added. Returns `None` if the row has no outbox, or if the write left the
/// outbox unchanged.
fn new_outbox(record: &EventRecord) -> Option<&str> {
    let outbox = outbox_of(&record.change.new_image);
    outbox.filter(|outbox| outbox_of(&record.change.old_image) != Some(outbox))
}

fn outbox_of(image: &Item) -> Option<&str> {
    match image.get(outbox::ATTRIBUTE)? {
        AttributeValue::S(text) => Some(text),
        _ => None,
    }
}

/// Moves a record to the dead-letter queue. If the move fails, marks the record for a retry.
async fn give_up(
    app: &App,
    delivered: &Delivered,
    response: &mut DynamoDbEventResponse,
    record: &EventRecord,
) {
    match send_to_dead_letters(app, record).await {
        Ok(()) => {
            metrics::failed_message();
            delivered.insert(record);
        }
        Err(error) => {
            tracing::error!("failed to send a record to the dead-letter queue: {error:?}");
            fail(response, record);
        }
    }
}

async fn send_to_dead_letters(app: &App, record: &EventRecord) -> Result<()> {
    let stream = record.event_source_arn.as_deref().unwrap_or_default();
    app.queues.give_up(stream, serde_json::to_string(record)?).await.map(drop)
}

/// Marks a record for a retry, and counts the failure.
fn fail(response: &mut DynamoDbEventResponse, record: &EventRecord) {
    metrics::failed_message();
    retry(response, record);
}

/// Marks a record for a retry. Throttling is not a fault of the code, so it must not roll back a deployment.
fn retry(response: &mut DynamoDbEventResponse, record: &EventRecord) {
    let mut failure = DynamoDbBatchItemFailure::default();
    failure.item_identifier = record.change.sequence_number.clone();
    response.batch_item_failures.push(failure);
}
