//! Worker: settles likes on the posts they belong to.

use aws_lambda_events::sqs::{SqsBatchResponse, SqsEvent};
use domain::posts::likes;
use platform::App;
use runtime::worker;

/// Settles the likes of the batch.
pub async fn work(app: &App, event: SqsEvent) -> SqsBatchResponse {
    worker::together(event, |jobs: Vec<likes::LikeJob>| async move { likes::settle(app, &jobs).await }).await
}
