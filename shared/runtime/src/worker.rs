//! The loop of a worker function: does the jobs of a batch and reports those that failed.

use std::sync::Arc;

use aws_lambda_events::sqs::{BatchItemFailure, SqsBatchResponse, SqsEvent, SqsMessage};
use lambda_runtime::LambdaEvent;
use platform::{App, Result, error::Error, metrics};
use serde::de::DeserializeOwned;

/// Runs a worker function until Lambda ends it.
///
/// # Errors
/// Fails when the settings are incomplete or the runtime API does not answer.
pub async fn run<F>(work: F) -> Result<(), lambda_runtime::Error>
where
    F: AsyncFn(&App, SqsEvent) -> SqsBatchResponse,
{
    platform::logs::init();
    metrics::init();
    let app = App::from_env().await?;
    let (app, work) = (Arc::new(app), Arc::new(work));
    let handler = lambda_runtime::service_fn(async |event: LambdaEvent<SqsEvent>| {
        let response = batch(&app, event.payload, &*work).await;
        metrics::flush();
        Ok::<_, lambda_runtime::Error>(response)
    });
    lambda_runtime::run(handler).await
}

/// Does the work of a batch, and writes its line into the log: what it cost, and how long after its oldest message
/// was sent it was done.
pub async fn batch<F>(app: &App, event: SqsEvent, work: &F) -> SqsBatchResponse
where
    F: AsyncFn(&App, SqsEvent) -> SqsBatchResponse,
{
    let (messages, oldest) = (event.records.len(), oldest(&event));
    // Boxed, or the compiler gives up on the size of the nested futures.
    let (response, cost) = metrics::measure(Box::pin(work(app, event))).await;
    let lag = oldest.map_or(0, |sent| app.now().millis().saturating_sub(sent).max(0));
    tracing::info!(
        messages,
        failed = response.batch_item_failures.len(),
        readUnits = cost.read_units,
        writeUnits = cost.write_units,
        millis = cost.millis(),
        lagMillis = lag,
        "batch done"
    );
    response
}

/// Does the job of each message on its own. A job that fails holds back no other.
pub async fn each<J, F>(event: SqsEvent, work: impl Fn(J) -> F) -> SqsBatchResponse
where
    J: DeserializeOwned,
    F: Future<Output = Result<()>>,
{
    let mut response = SqsBatchResponse::default();
    for message in event.records {
        let done = match parse(&message) {
            Ok(job) => work(job).await,
            Err(error) => Err(error),
        };
        if let Err(error) = done {
            fail(&mut response, message.message_id.unwrap_or_default(), &error);
        }
    }
    response
}

/// Does the jobs of a batch together. `work` returns the positions of the jobs that failed, with their errors.
pub async fn together<J, F>(event: SqsEvent, work: impl FnOnce(Vec<J>) -> F) -> SqsBatchResponse
where
    J: DeserializeOwned,
    F: Future<Output = Vec<(usize, Error)>>,
{
    let mut response = SqsBatchResponse::default();
    let (mut ids, mut jobs) = (Vec::new(), Vec::new());
    for message in event.records {
        match parse::<J>(&message) {
            Ok(job) => {
                jobs.push(job);
                ids.push(message.message_id.unwrap_or_default());
            }
            Err(error) => fail(&mut response, message.message_id.unwrap_or_default(), &error),
        }
    }
    for (position, error) in work(jobs).await {
        fail(&mut response, ids.get(position).cloned().unwrap_or_default(), &error);
    }
    response
}

/// Returns when the oldest message of a batch was sent, in milliseconds since 1970.
fn oldest(event: &SqsEvent) -> Option<i64> {
    let sent = event.records.iter().filter_map(|it| it.attributes.get("SentTimestamp")?.parse().ok());
    sent.min()
}

/// Returns the job of a message. A message that is no such job fails like any other and ends in the DLQ.
fn parse<J: DeserializeOwned>(message: &SqsMessage) -> Result<J> {
    Ok(serde_json::from_str(message.body.as_deref().unwrap_or_default())?)
}

fn fail(response: &mut SqsBatchResponse, id: String, error: &Error) {
    match error {
        Error::Internal(cause) | Error::Busy(cause) => {
            tracing::error!(message_id = id, "job failed: {cause:#}")
        }
        other => tracing::error!(message_id = id, "job failed: {other}"),
    }
    let mut failure = BatchItemFailure::default();
    failure.item_identifier = id;
    response.batch_item_failures.push(failure);
}
