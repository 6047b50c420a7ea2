//! Worker: drains the circles by the hour.

use aws_lambda_events::sqs::{SqsBatchResponse, SqsEvent};
use domain::circles::{self, DrainJob};
use platform::App;
use runtime::worker;

/// Does each drain job of the batch.
pub async fn work(app: &App, event: SqsEvent) -> SqsBatchResponse {
    worker::each(event, async |job: DrainJob| circles::drain(app, job).await).await
}
