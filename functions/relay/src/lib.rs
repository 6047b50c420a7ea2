//! Relay: delivers what follows from writes, from the stream of the table.

mod delivered;

use aws_lambda_events::{
    dynamodb::{Event, EventRecord},
    streams::{DynamoDbBatchItemFailure, DynamoDbEventResponse},
};
use delivered::Delivered;
use platform::{
    App, Result,
    outbox::{self, Outbox},
};
use serde_dynamo::{AttributeValue, Item};

/// Delivers the outboxes that the records of a batch bring. An outbox that cannot be read, or of which something will
/// never be accepted, goes to the dead letters with its whole record. The response names the records of which something
/// was refused that may be accepted later: they come again.
pub async fn work(app: &App, event: Event) -> DynamoDbEventResponse {
    let delivered = app.memory.of::<Delivered>();
    let mut response = DynamoDbEventResponse::default();
    let (mut records, mut outboxes) = (Vec::new(), Vec::new());
    for record in event.records.into_iter().filter(|it| !delivered.contains(it)) {
        match new_outbox(&record).map(Outbox::read) {
            None => {}
            Some(Ok(outbox)) => {
                outboxes.push(outbox);
                records.push(record);
            }
            Some(Err(unreadable)) => {
                tracing::error!(eventId = record.event_id, "an outbox cannot be read: {unreadable}");
                give_up(app, &delivered, &mut response, &record).await;
            }
        }
    }
    let undelivered = outbox::deliver(app, &outboxes).await;
    for (position, record) in records.iter().enumerate() {
        if undelivered.again.contains(&position) {
            fail(&mut response, record);
        } else if undelivered.never.contains(&position) {
            give_up(app, &delivered, &mut response, record).await;
        } else {
            delivered.insert(record);
        }
    }
    response
}

/// Returns the outbox that the write of a record laid down; none when the row kept one from an earlier write.
fn new_outbox(record: &EventRecord) -> Option<&str> {
    let laid = outbox_of(&record.change.new_image);
    laid.filter(|it| outbox_of(&record.change.old_image) != Some(it))
}

fn outbox_of(image: &Item) -> Option<&str> {
    match image.get(outbox::ATTRIBUTE)? {
        AttributeValue::S(text) => Some(text),
        _ => None,
    }
}

/// Hands a record on, whole, once. It comes again when the dead letters do not take it.
async fn give_up(
    app: &App,
    delivered: &Delivered,
    response: &mut DynamoDbEventResponse,
    record: &EventRecord,
) {
    match to_dead_letters(app, record).await {
        Ok(()) => delivered.insert(record),
        Err(error) => {
            tracing::error!("the dead letters did not take a record: {error:?}");
            fail(response, record);
        }
    }
}

async fn to_dead_letters(app: &App, record: &EventRecord) -> Result<()> {
    let stream = record.event_source_arn.as_deref().unwrap_or_default();
    app.queues.give_up(stream, serde_json::to_string(record)?).await.map(drop)
}

fn fail(response: &mut DynamoDbEventResponse, record: &EventRecord) {
    let mut failure = DynamoDbBatchItemFailure::default();
    failure.item_identifier = record.change.sequence_number.clone();
    response.batch_item_failures.push(failure);
}
