//! The loop of a function that a table's stream calls.

use aws_lambda_events::{dynamodb::Event, streams::DynamoDbEventResponse};
use lambda_runtime::LambdaEvent;
use platform::{App, Result};

use crate::batches::{self, Brought};

/// Runs a stream function until Lambda ends it.
///
/// # Errors
/// Fails when the settings are incomplete or the runtime API does not answer.
pub async fn run<F>(work: F) -> Result<(), lambda_runtime::Error>
where
    F: AsyncFn(&App, Event) -> DynamoDbEventResponse,
{
    batches::run(async |app, event: LambdaEvent<Event>| batch(app, event.payload, &work).await).await
}

/// Does the work of a batch of records, and writes its line into the log.
///
/// Records whose sequence numbers the response names come again, together with all behind the first of them.
pub async fn batch<F>(app: &App, event: Event, work: &F) -> DynamoDbEventResponse
where
    F: AsyncFn(&App, Event) -> DynamoDbEventResponse,
{
    let brought =
        Brought { records: Some(event.records.len()), oldest: oldest(&event), ..Brought::default() };
    batches::logged(app, brought, work(app, event), |it| it.batch_item_failures.len()).await
}

/// Returns when the oldest record was written, in milliseconds since 1970. Streams say it to the second.
fn oldest(event: &Event) -> Option<i64> {
    event.records.iter().map(|it| it.change.approximate_creation_date_time.timestamp_millis()).min()
}
