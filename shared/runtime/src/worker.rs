//! Runs workers: runs the jobs in a batch, and reports failed jobs to SQS.

use std::time::Duration;

use aws_lambda_events::sqs::{BatchItemFailure, SqsBatchResponse, SqsEvent, SqsMessage};
use futures::{StreamExt, future::ready, stream};
use lambda_runtime::LambdaEvent;
use platform::{App, Deadline, Error, Result, metrics, outcomes, request_id};
use serde::de::DeserializeOwned;
use serde_json::error::Category;
use tracing::Instrument;

use crate::{
    batches::{self, BatchSize},
    message_head::MessageHead,
    panics::catch_panic,
};

/// Number of receives after which a message that can never succeed becomes a dead letter. It is more than 1, because the
/// earlier release may receive a new kind of message during a deployment.
const RECEIVES_BEFORE_DEAD_LETTER: u32 = 2;

/// The messages of one invocation.
#[derive(Debug)]
pub struct Batch {
    messages: Vec<SqsMessage>,
    deadline: Deadline,
}

/// Runs a worker until Lambda stops it.
///
/// # Errors
/// Fails if a setting is malformed, if a secret is unreadable, or if the runtime API does not respond.
pub async fn run<F>(work: F) -> Result<(), lambda_runtime::Error>
where
    F: AsyncFn(&App, Batch) -> SqsBatchResponse,
{
    batches::run(async |app, event: LambdaEvent<SqsEvent>| {
        let time_left = event.context.deadline.saturating_sub(app.now().millis().max(0).cast_unsigned());
        let deadline = Deadline::within(Duration::from_millis(time_left));
        batch(app, Batch::new(event.payload, deadline), &work).await
    })
    .await
}

/// Processes a batch, and logs the batch's size and cost.
pub async fn batch<F>(app: &App, batch: Batch, work: &F) -> SqsBatchResponse
where
    F: AsyncFn(&App, Batch) -> SqsBatchResponse,
{
    let messages = &batch.messages;
    let size = BatchSize { messages: Some(messages.len()), oldest: oldest(messages), ..BatchSize::default() };
    let requests: Vec<_> = messages.iter().filter_map(|message| MessageHead::of(message).request).collect();
    let work = Box::pin(async {
        request_id::log_all(requests.iter().map(String::as_str));
        work(app, batch).await
    });
    batches::log_batch(app, size, work, |response| response.batch_item_failures.len()).await
}

impl Batch {
    /// Creates a batch from an SQS event.
    pub fn new(event: SqsEvent, deadline: Deadline) -> Self {
        Self { messages: event.records, deadline }
    }

    /// Returns the deadline of the batch's paged jobs.
    pub fn deadline(&self) -> Deadline {
        self.deadline.clone()
    }
}

/// Runs the jobs in a batch one after the other. The response names the messages that SQS must deliver again.
///
/// A failed or panicking job does not affect other jobs. A job that can never succeed is moved to the dead-letter queue
/// at its second receive.
pub async fn each<J, F>(app: &App, batch: Batch, work: impl Fn(J) -> F) -> SqsBatchResponse
where
    J: DeserializeOwned,
    F: Future<Output = Result<()>>,
{
    side_by_side(app, batch, 1, work).await
}

/// Works like [`each`], but runs up to `concurrency` jobs at a time.
pub async fn side_by_side<J, F>(
    app: &App,
    batch: Batch,
    concurrency: usize,
    work: impl Fn(J) -> F,
) -> SqsBatchResponse
where
    J: DeserializeOwned,
    F: Future<Output = Result<()>>,
{
    let done = stream::iter(batch.messages).map(async |message| {
        let head = MessageHead::of(&message);
        let span = head.span();
        let done = async {
            match parse(&message) {
                // Boxed, because each async function that runs a future contains that future twice.
                Ok(job) => note_outcomes(&head.kind, catch_panic(Box::pin(work(job)))).await.flatten(),
                Err(error) => Err(error),
            }
        };
        let done = request_id::within(head.request, done).instrument(span).await;
        done.err().map(|error| (message, error))
    });
    let failed: Vec<_> = done.buffer_unordered(concurrency).filter_map(ready).collect().await;
    let mut response = SqsBatchResponse::default();
    for (message, error) in failed {
        report_failure(app, &mut response, message, &error).await;
    }
    response
}

/// Runs all jobs in a batch in one call of `work`. `work` returns the indexes and errors of failed jobs. If `work`
/// panics, runs each job separately.
pub async fn together<J, F>(app: &App, batch: Batch, work: impl Fn(Vec<J>) -> F) -> SqsBatchResponse
where
    J: DeserializeOwned,
    F: Future<Output = Vec<(usize, Error)>>,
{
    let mut response = SqsBatchResponse::default();
    let (mut messages, mut jobs) = (Vec::new(), Vec::new());
    for message in batch.messages {
        match parse::<J>(&message) {
            Ok(job) => {
                jobs.push(job);
                messages.push(message);
            }
            Err(error) => report_failure(app, &mut response, message, &error).await,
        }
    }
    let Ok(failed) = catch_panic(work(jobs)).await else {
        let batch = Batch { messages, deadline: batch.deadline };
        let alone = each(app, batch, async |job| first_error(work(vec![job]).await)).await;
        response.batch_item_failures.extend(alone.batch_item_failures);
        return response;
    };
    note_kinds(&messages, &failed);
    for (position, error) in failed {
        report_failure(app, &mut response, messages.get(position).cloned().unwrap_or_default(), &error).await;
    }
    response
}

/// Runs a job, and adds its outcomes to the log line, each with the kind of the job. If the job names no outcome, adds only
/// the kind.
async fn note_outcomes<T>(kind: &str, work: impl Future<Output = Result<T>>) -> Result<T> {
    let (done, outcomes) = outcomes::collect(work).await;
    let done = done?;
    outcomes.iter().for_each(|outcome| outcomes::note(format!("{kind}: {outcome}")));
    if outcomes.is_empty() {
        outcomes::note(kind);
    }
    Ok(done)
}

/// Notes the kinds of the jobs that did not fail.
fn note_kinds(messages: &[SqsMessage], failed: &[(usize, Error)]) {
    let has_failed = |position: &usize| failed.iter().any(|(failed, _)| failed == position);
    let done = messages.iter().enumerate().filter(|(position, _)| !has_failed(position));
    done.for_each(|(_, message)| outcomes::note(MessageHead::of(message).kind));
}

fn first_error(failed: Vec<(usize, Error)>) -> Result<()> {
    failed.into_iter().next().map_or(Ok(()), |(_, error)| Err(error))
}

/// Returns the Unix time in milliseconds at which the oldest message was sent, or `None` if it is unknown.
fn oldest(messages: &[SqsMessage]) -> Option<i64> {
    let sent = messages.iter().filter_map(|message| message.attributes.get("SentTimestamp")?.parse().ok());
    sent.min()
}

/// Parses the job in a message.
///
/// # Errors
/// Fails with [`Error::Invalid`] if the body is not a valid job. The error does not quote the body.
fn parse<J: DeserializeOwned>(message: &SqsMessage) -> Result<J> {
    serde_json::from_str(message.body.as_deref().unwrap_or_default()).map_err(|error| {
        let why = match error.classify() {
            Category::Data => "is not a job of this worker, or has a missing or invalid field",
            Category::Syntax | Category::Eof | Category::Io => "is not JSON",
        };
        Error::invalid("body", why)
    })
}

/// Reports a failed message to SQS, which delivers the message again. A message that can never succeed is moved to the
/// dead-letter queue instead.
async fn report_failure(app: &App, response: &mut SqsBatchResponse, message: SqsMessage, error: &Error) {
    // Throttling is not a fault of the code, so it must not roll back a deployment.
    if !matches!(error, Error::Throttled(_)) {
        metrics::failed_message();
    }
    let span = MessageHead::of(&message).span();
    log_and_report(app, response, message, error).instrument(span).await;
}

async fn log_and_report(app: &App, response: &mut SqsBatchResponse, message: SqsMessage, error: &Error) {
    let id = message.message_id.clone().unwrap_or_default();
    let may_retry = receives(&message) < RECEIVES_BEFORE_DEAD_LETTER;
    if error.is_permanent() && !may_retry && give_up(app, &id, message, error).await {
        return;
    }
    match error {
        Error::Internal(cause) | Error::Throttled(cause) => {
            tracing::error!(message_id = id, "job failed: {cause:#}")
        }
        other => tracing::error!(message_id = id, "job failed: {other}"),
    }
    let mut failure = BatchItemFailure::default();
    failure.item_identifier = id;
    response.batch_item_failures.push(failure);
}

/// Returns the number of times that a message has been received, including this receive.
fn receives(message: &SqsMessage) -> u32 {
    let count = message.attributes.get("ApproximateReceiveCount");
    count.and_then(|count| count.parse().ok()).unwrap_or(RECEIVES_BEFORE_DEAD_LETTER)
}

/// Sends a message to the dead-letter queue, and returns whether that succeeded. Otherwise SQS moves the message there
/// after the maximum number of receives.
async fn give_up(app: &App, message_id: &str, message: SqsMessage, error: &Error) -> bool {
    let queue = message.event_source_arn.unwrap_or_default();
    match app.queues.give_up(&queue, message.body.unwrap_or_default()).await {
        Ok(dead_letter_id) => {
            tracing::error!(
                message_id,
                dead_letter_id,
                "job can never succeed, moved to the dead-letter queue: {error}"
            );
            true
        }
        Err(failed) => {
            tracing::error!(message_id, "failed to send a message to the dead-letter queue: {failed:?}");
            false
        }
    }
}
