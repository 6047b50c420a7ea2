//! Worker: applies likes and votes to their posts.

use aws_lambda_events::sqs::SqsBatchResponse;
use domain::posts::{self, likes::LikeJob};
use platform::App;
use runtime::{Batch, worker};

/// Applies the likes and votes in the batch.
pub async fn work(app: &App, batch: Batch) -> SqsBatchResponse {
    worker::together(app, batch, |jobs: Vec<LikeJob>| async move { posts::apply(app, &jobs).await }).await
}
