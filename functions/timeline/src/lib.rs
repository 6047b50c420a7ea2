//! Worker: brings posts to the timelines of their authors' followers.

use aws_lambda_events::sqs::{SqsBatchResponse, SqsEvent};
use domain::{feeds::timelines, jobs::TimelineJob};
use platform::App;
use runtime::worker;

/// Does each job of the batch.
pub async fn work(app: &App, event: SqsEvent) -> SqsBatchResponse {
    worker::each(event, async |job: TimelineJob| timelines::work(app, job).await).await
}
