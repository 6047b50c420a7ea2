//! Worker: pushes what happened to those it concerns.

use aws_lambda_events::sqs::{SqsBatchResponse, SqsEvent};
use shared::{
    App,
    realtime::{self, Happened},
    worker,
};

/// Pushes each event of the batch.
pub async fn work(app: &App, event: SqsEvent) -> SqsBatchResponse {
    worker::each(event, async |happened: Happened| realtime::push(app, &happened).await).await
}
