//! Worker: judges the posts of circles.

use aws_lambda_events::sqs::{SqsBatchResponse, SqsEvent};
use domain::circles::posts::{self, JudgeJob};
use platform::App;
use runtime::worker;

/// Judges each post of the batch.
pub async fn work(app: &App, event: SqsEvent) -> SqsBatchResponse {
    worker::each(event, async |job: JudgeJob| posts::judge(app, job).await).await
}
