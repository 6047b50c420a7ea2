//! Worker: pushes what happened to those it concerns.

use aws_lambda_events::sqs::{SqsBatchResponse, SqsEvent};
use domain::realtime::push::{self, Happened};
use platform::App;
use runtime::worker;

/// Pushes each event of the batch.
pub async fn work(app: &App, event: SqsEvent) -> SqsBatchResponse {
    worker::each(event, async |happened: Happened| push::push(app, &happened).await).await
}
