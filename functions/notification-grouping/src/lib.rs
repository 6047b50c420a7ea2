//! Worker: records events, and merges recorded events into notifications every 40 seconds.

use aws_lambda_events::sqs::SqsBatchResponse;
use domain::{
    circles,
    notifications::{self, Tick},
};
use platform::{App, BusEvent};
use runtime::{Batch, worker};
use serde::Deserialize;

/// Maximum number of messages handled concurrently, which is the queue's batch size.
const EVENTS_TOGETHER: usize = 10;

/// A message in one of the worker's two queues.
#[derive(Deserialize)]
#[serde(untagged)]
enum Message {
    Event(BusEvent),
    Tick(Tick),
}

/// Records the events in the batch. On a tick message, merges recorded events into notifications.
pub async fn work(app: &App, batch: Batch) -> SqsBatchResponse {
    let deadline = batch.deadline();
    let work = async |message| match message {
        Message::Event(event) => match circles::record(app, &event).await {
            Ok(false) => notifications::record(app, &event).await,
            result => result.map(drop),
        },
        Message::Tick(tick) => notifications::flush(app, &deadline, tick).await,
    };
    worker::side_by_side(app, batch, EVENTS_TOGETHER, work).await
}
