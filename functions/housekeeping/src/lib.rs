//! Worker: runs the hourly housekeeping jobs.

use aws_lambda_events::sqs::SqsBatchResponse;
use domain::operations::housekeeping;
use platform::App;
use runtime::{Batch, worker};

/// Runs each housekeeping job in the batch.
pub async fn work(app: &App, batch: Batch) -> SqsBatchResponse {
    let deadline = batch.deadline();
    worker::each(app, batch, async |chore| housekeeping::tidy_up(app, &deadline, chore).await).await
}
