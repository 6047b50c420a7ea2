//! Worker: takes in what happened, and every 40 seconds gathers it into notifications.

use aws_lambda_events::sqs::{SqsBatchResponse, SqsEvent};
use domain::notifications::{self, Tick};
use platform::{App, bus::BusEvent};
use runtime::worker;
use serde::Deserialize;

/// A message of either queue.
#[derive(Deserialize)]
#[serde(untagged)]
enum Message {
    Event(BusEvent),
    Tick(Tick),
}

/// Does what each message says.
pub async fn work(app: &App, event: SqsEvent) -> SqsBatchResponse {
    let work = |message| async move {
        match message {
            Message::Event(event) => notifications::note(app, &event).await,
            Message::Tick(Tick {}) => notifications::run(app).await,
        }
    };
    worker::each(event, work).await
}
