//! Worker: settles likes and votes on the posts they belong to.

use aws_lambda_events::sqs::SqsBatchResponse;
use domain::posts::{self, likes::LikeJob};
use platform::App;
use runtime::worker::{self, Batch};

/// Settles the likes and votes of the batch.
pub async fn work(app: &App, batch: Batch) -> SqsBatchResponse {
    worker::together(app, batch, |jobs: Vec<LikeJob>| async move { posts::settle(app, &jobs).await }).await
}
