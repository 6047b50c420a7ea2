//! Worker: sends the mails that requests ask for.

use aws_lambda_events::sqs::{SqsBatchResponse, SqsEvent};
use shared::App;

/// Sends each mail of the batch.
pub async fn work(_app: &App, _event: SqsEvent) -> SqsBatchResponse {
    SqsBatchResponse::default()
}
