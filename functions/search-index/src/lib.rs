//! Worker: maintains the search index and the trends.

use aws_lambda_events::sqs::SqsBatchResponse;
use domain::{IndexJob, search};
use platform::App;
use runtime::{Batch, worker};

/// Indexes the current state of the posts and users that the batch names.
pub async fn work(app: &App, batch: Batch) -> SqsBatchResponse {
    worker::together(app, batch, async |jobs: Vec<IndexJob>| search::index(app, &jobs).await).await
}
