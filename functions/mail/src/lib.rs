//! Worker: sends the mails that requests ask for.

use aws_lambda_events::sqs::{SqsBatchResponse, SqsEvent};
use domain::accounts::{mailed_tokens::IssuedToken, mails};
use platform::App;
use runtime::worker;

/// Sends each mail of the batch.
pub async fn work(app: &App, event: SqsEvent) -> SqsBatchResponse {
    worker::each(event, async |issued: IssuedToken| mails::deliver(app, &issued).await).await
}
