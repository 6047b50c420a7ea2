//! Worker: ends CPRs that did not reach their target in time.

use aws_lambda_events::sqs::SqsBatchResponse;
use domain::circles::cpr::{self, CprJob};
use platform::App;
use runtime::{Batch, worker};

/// Runs each CPR check in the batch.
pub async fn work(app: &App, batch: Batch) -> SqsBatchResponse {
    let deadline = batch.deadline();
    worker::each(app, batch, async |job: CprJob| cpr::check(app, &deadline, job).await).await
}
