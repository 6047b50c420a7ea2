//! Worker: judges the posts of circles.

use aws_lambda_events::sqs::SqsBatchResponse;
use domain::circles::posts::{self, JudgeJob};
use platform::App;
use runtime::{Batch, worker};

/// Judges each circle post in the batch.
pub async fn work(app: &App, batch: Batch) -> SqsBatchResponse {
    worker::each(app, batch, async |job: JudgeJob| posts::judge(app, job).await).await
}
