//! Worker: settles likes on the posts they belong to.

use aws_lambda_events::sqs::SqsBatchResponse;
use domain::posts::likes;
use platform::App;
use runtime::worker::{self, Batch};

/// Settles the likes of the batch.
pub async fn work(app: &App, batch: Batch) -> SqsBatchResponse {
    worker::together(app, batch, |jobs: Vec<likes::LikeJob>| async move { likes::settle(app, &jobs).await })
        .await
}
