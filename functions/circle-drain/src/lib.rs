//! Worker: removes HP from each circle every hour.

use aws_lambda_events::sqs::SqsBatchResponse;
use domain::circles::{self, DrainJob};
use platform::App;
use runtime::{Batch, worker};

/// Runs each job of the hourly drain in the batch.
pub async fn work(app: &App, batch: Batch) -> SqsBatchResponse {
    let deadline = batch.deadline();
    worker::each(app, batch, async |job: DrainJob| circles::drain(app, &deadline, job).await).await
}
