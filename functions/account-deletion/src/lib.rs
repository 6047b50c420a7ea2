//! Worker: erases the data of deleted accounts.

use aws_lambda_events::sqs::SqsBatchResponse;
use domain::deletion::{self, DeletionJob};
use platform::App;
use runtime::{Batch, worker};

/// Runs each account deletion job in the batch.
pub async fn work(app: &App, batch: Batch) -> SqsBatchResponse {
    let deadline = batch.deadline();
    worker::each(app, batch, async |job: DeletionJob| deletion::work(app, &deadline, job).await).await
}
