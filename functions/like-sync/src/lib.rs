//! Worker: settles likes on the posts they belong to.

use aws_lambda_events::sqs::{SqsBatchResponse, SqsEvent};
use shared::{App, likes, worker};

/// Settles the likes of the batch, post by post.
pub async fn work(app: &App, event: SqsEvent) -> SqsBatchResponse {
    worker::together(event, async |jobs: &[likes::LikeJob]| likes::settle(app, jobs).await).await
}
