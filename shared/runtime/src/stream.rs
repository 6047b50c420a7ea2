//! The loop of a function that a table's stream calls.

use std::sync::Arc;

use aws_lambda_events::{dynamodb::Event, streams::DynamoDbEventResponse};
use lambda_runtime::LambdaEvent;
use platform::{App, Result, metrics};

/// Runs a stream function until Lambda ends it.
///
/// # Errors
/// Fails when the settings are incomplete or the runtime API does not answer.
pub async fn run<F>(work: F) -> Result<(), lambda_runtime::Error>
where
    F: AsyncFn(&App, Event) -> DynamoDbEventResponse,
{
    platform::logs::init();
    metrics::init();
    let app = App::from_env().await?;
    let (app, work) = (Arc::new(app), Arc::new(work));
    let handler = lambda_runtime::service_fn(async |event: LambdaEvent<Event>| {
        let response = batch(&app, event.payload, &*work).await;
        metrics::flush();
        Ok::<_, lambda_runtime::Error>(response)
    });
    lambda_runtime::run(handler).await
}

/// Does the work of a batch of records, and writes its line into the log: how many there were, what it cost, and how
/// long after its oldest record was written it was done.
///
/// Records whose sequence numbers the response names come again, together with all behind the first of them.
pub async fn batch<F>(app: &App, event: Event, work: &F) -> DynamoDbEventResponse
where
    F: AsyncFn(&App, Event) -> DynamoDbEventResponse,
{
    let (records, oldest) = (event.records.len(), oldest(&event));
    // Boxed, or the compiler gives up on the size of the nested futures.
    let (response, cost) = metrics::measure(Box::pin(work(app, event))).await;
    let lag = oldest.map_or(0, |written| app.now().millis().saturating_sub(written).max(0));
    tracing::info!(
        records,
        failed = response.batch_item_failures.len(),
        readUnits = cost.read_units,
        writeUnits = cost.write_units,
        millis = cost.millis(),
        lagMillis = lag,
        "batch done"
    );
    response
}

/// Returns when the oldest record was written, in milliseconds since 1970. Streams say it to the second.
fn oldest(event: &Event) -> Option<i64> {
    event.records.iter().map(|it| it.change.approximate_creation_date_time.timestamp_millis()).min()
}
