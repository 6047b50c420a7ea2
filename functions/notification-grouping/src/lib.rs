//! Worker: gathers what happened into notifications, every 40 seconds.

use aws_lambda_events::sqs::{SqsBatchResponse, SqsEvent};
use shared::App;

/// Nothing yet.
pub async fn work(_app: &App, _event: SqsEvent) -> SqsBatchResponse {
    SqsBatchResponse::default()
}
