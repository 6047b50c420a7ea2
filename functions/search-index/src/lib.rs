//! Worker: maintains the search index and the trends.

use aws_lambda_events::sqs::SqsBatchResponse;
use domain::{jobs::IndexJob, search};
use platform::App;
use runtime::worker::{self, Batch};

/// Indexes each post and user of the batch as they are now.
pub async fn work(app: &App, batch: Batch) -> SqsBatchResponse {
    worker::each(app, batch, |job| async move {
        match job {
            IndexJob::Post { post } => search::index_post(app, post).await,
            IndexJob::User { user } => search::index_user(app, user).await,
        }
    })
    .await
}
