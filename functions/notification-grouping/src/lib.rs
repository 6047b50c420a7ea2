//! Worker: records events, and every 40 seconds flushes them into notifications.

use aws_lambda_events::sqs::{SqsBatchResponse, SqsEvent};
use domain::notifications::{self, Tick};
use platform::{App, bus::BusEvent};
use runtime::worker;
use serde::Deserialize;

/// A message of one of the two queues.
#[derive(Deserialize)]
#[serde(untagged)]
enum Message {
    Event(BusEvent),
    Tick(Tick),
}

/// Records the event of each message, or flushes.
pub async fn work(app: &App, event: SqsEvent) -> SqsBatchResponse {
    let work = |message| async move {
        match message {
            Message::Event(event) => notifications::record(app, &event).await,
            Message::Tick(Tick {}) => notifications::flush(app).await,
        }
    };
    worker::each(event, work).await
}
