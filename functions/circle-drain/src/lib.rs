//! Worker: circles lose HP by the hour.

use aws_lambda_events::sqs::{SqsBatchResponse, SqsEvent};
use domain::circles::{self, DrainJob};
use platform::App;
use runtime::worker;

/// Drains a page of circles.
pub async fn work(app: &App, event: SqsEvent) -> SqsBatchResponse {
    worker::each(event, async |job: DrainJob| circles::drain(app, job).await).await
}
