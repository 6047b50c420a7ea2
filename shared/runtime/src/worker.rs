//! The loop of a worker function: does the jobs of a batch and reports those that failed.

use std::time::Duration;

use aws_lambda_events::sqs::{BatchItemFailure, SqsBatchResponse, SqsEvent, SqsMessage};
use futures::{StreamExt, future::ready, stream};
use lambda_runtime::LambdaEvent;
use platform::{App, Result, deadline::Deadline, error::Error};
use serde::de::DeserializeOwned;
use serde_json::error::Category;

use crate::{
    batches::{self, Brought},
    panics::caught,
};

/// The receives after which a message that can never succeed is given up. One is not enough: while a deployment is
/// under way, old code may get the messages of new.
const RECEIVES_BEFORE_GIVEN_UP: u32 = 2;

/// The messages of one invocation.
#[derive(Debug)]
pub struct Batch {
    messages: Vec<SqsMessage>,
    deadline: Deadline,
}

/// Runs a worker function until Lambda ends it.
///
/// # Errors
/// Fails when the settings are incomplete or the runtime API does not answer.
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

/// Does the work of a batch, and writes its line into the log.
pub async fn batch<F>(app: &App, batch: Batch, work: &F) -> SqsBatchResponse
where
    F: AsyncFn(&App, Batch) -> SqsBatchResponse,
{
    let messages = &batch.messages;
    let brought = Brought { messages: Some(messages.len()), oldest: oldest(messages), ..Brought::default() };
    batches::logged(app, brought, work(app, batch), |it| it.batch_item_failures.len()).await
}

impl Batch {
    /// Returns the messages of an event, with the deadline of its invocation.
    pub fn new(event: SqsEvent, deadline: Deadline) -> Self {
        Self { messages: event.records, deadline }
    }

    /// Returns how long jobs of many pages may go on.
    pub fn deadline(&self) -> Deadline {
        self.deadline.clone()
    }
}

/// Does the job of each message on its own, one after the other. A job that fails or panics holds back no other; one
/// that can never succeed goes to the dead letters at its second receive.
pub async fn each<J, F>(app: &App, batch: Batch, work: impl Fn(J) -> F) -> SqsBatchResponse
where
    J: DeserializeOwned,
    F: Future<Output = Result<()>>,
{
    side_by_side(app, batch, 1, work).await
}

/// Does the job of each message as [`each`] does, at most so many at the same time.
pub async fn side_by_side<J, F>(
    app: &App,
    batch: Batch,
    most: usize,
    work: impl Fn(J) -> F,
) -> SqsBatchResponse
where
    J: DeserializeOwned,
    F: Future<Output = Result<()>>,
{
    let done = stream::iter(batch.messages).map(async |message| {
        let done = match parse(&message) {
            Ok(job) => caught(work(job)).await.flatten(),
            Err(error) => Err(error),
        };
        done.err().map(|error| (message, error))
    });
    let failed: Vec<_> = done.buffer_unordered(most).filter_map(ready).collect().await;
    let mut response = SqsBatchResponse::default();
    for (message, error) in failed {
        fail(app, &mut response, message, &error).await;
    }
    response
}

/// Does the jobs of a batch together. `work` returns the positions of the jobs that failed, with their errors; where it
/// panics, each job is done alone.
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
            Err(error) => fail(app, &mut response, message, &error).await,
        }
    }
    let Ok(failed) = caught(work(jobs)).await else {
        let batch = Batch { messages, deadline: batch.deadline };
        let alone = each(app, batch, async |job| first_error(work(vec![job]).await)).await;
        response.batch_item_failures.extend(alone.batch_item_failures);
        return response;
    };
    for (position, error) in failed {
        fail(app, &mut response, messages.get(position).cloned().unwrap_or_default(), &error).await;
    }
    response
}

fn first_error(failed: Vec<(usize, Error)>) -> Result<()> {
    failed.into_iter().next().map_or(Ok(()), |(_, error)| Err(error))
}

/// Returns when the oldest message of a batch was sent, in milliseconds since 1970.
fn oldest(messages: &[SqsMessage]) -> Option<i64> {
    let sent = messages.iter().filter_map(|it| it.attributes.get("SentTimestamp")?.parse().ok());
    sent.min()
}

/// Returns the job of a message.
///
/// # Errors
/// Invalid when the body is no such job. The error does not show what is in the body.
fn parse<J: DeserializeOwned>(message: &SqsMessage) -> Result<J> {
    serde_json::from_str(message.body.as_deref().unwrap_or_default()).map_err(|error| {
        let why = match error.classify() {
            Category::Data => "no job of this worker, or a field is missing or out of its limits",
            Category::Syntax | Category::Eof | Category::Io => "no JSON",
        };
        Error::invalid("body", why)
    })
}

/// Has SQS deliver a message again, unless it can never succeed.
async fn fail(app: &App, response: &mut SqsBatchResponse, message: SqsMessage, error: &Error) {
    let id = message.message_id.clone().unwrap_or_default();
    let again = receives(&message) < RECEIVES_BEFORE_GIVEN_UP;
    if error.is_permanent() && !again && is_given_up(app, &id, message, error).await {
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

/// Returns how often a message was received, this time included.
fn receives(message: &SqsMessage) -> u32 {
    let count = message.attributes.get("ApproximateReceiveCount");
    count.and_then(|it| it.parse().ok()).unwrap_or(RECEIVES_BEFORE_GIVEN_UP)
}

/// Puts a message into the dead letters, and returns whether it is there. SQS puts it there after all receives when it
/// is not.
async fn is_given_up(app: &App, message_id: &str, message: SqsMessage, error: &Error) -> bool {
    let queue = message.event_source_arn.unwrap_or_default();
    match app.queues.give_up(&queue, message.body.unwrap_or_default()).await {
        Ok(dead_letter_id) => {
            tracing::error!(
                message_id,
                dead_letter_id,
                "job can never succeed, so it is a dead letter: {error}"
            );
            true
        }
        Err(failed) => {
            tracing::error!(message_id, "the dead letters did not take a message: {failed:?}");
            false
        }
    }
}
