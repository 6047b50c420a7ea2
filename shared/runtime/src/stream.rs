//! Runs functions that read the stream of a table.

use aws_lambda_events::{dynamodb::Event, streams::DynamoDbEventResponse};
use lambda_runtime::LambdaEvent;
use platform::{App, Result};

use crate::batches::{self, BatchSize};

/// Runs a stream function until Lambda stops it.
///
/// # Errors
/// Fails if a setting is malformed, if a secret is unreadable, or if the runtime API does not respond.
pub async fn run<F>(work: F) -> Result<(), lambda_runtime::Error>
where
    F: AsyncFn(&App, Event) -> DynamoDbEventResponse,
{
    batches::run(async |app, event: LambdaEvent<Event>| batch(app, event.payload, &work).await).await
}

/// Processes a batch of records, and logs the batch's size and cost.
///
/// The response has the sequence numbers of failed records. Lambda delivers the first failed record and all later
/// records again.
pub async fn batch<F>(app: &App, event: Event, work: &F) -> DynamoDbEventResponse
where
    F: AsyncFn(&App, Event) -> DynamoDbEventResponse,
{
    let size =
        BatchSize { records: Some(event.records.len()), oldest: oldest(&event), ..BatchSize::default() };
    batches::log_batch(app, size, work(app, event), |response| response.batch_item_failures.len()).await
}

/// Returns the Unix time in milliseconds at which the oldest record was written, rounded to seconds.
fn oldest(event: &Event) -> Option<i64> {
    let written = event.records.iter().map(|record| record.change.approximate_creation_date_time);
    written.map(|time| time.timestamp_millis()).min()
}
