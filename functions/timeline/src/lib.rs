//! Worker: writes posts to the timelines of their authors' followers.

use aws_lambda_events::sqs::SqsBatchResponse;
use domain::{TimelineJob, feeds::timelines};
use platform::App;
use runtime::{Batch, worker};

/// Runs each timeline job in the batch.
pub async fn work(app: &App, batch: Batch) -> SqsBatchResponse {
    let deadline = batch.deadline();
    worker::each(app, batch, async |job: TimelineJob| timelines::work(app, &deadline, job).await).await
}
