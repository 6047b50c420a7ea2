//! Worker: sends emails.

use aws_lambda_events::sqs::SqsBatchResponse;
use domain::accounts::mails::{self, MailJob};
use platform::App;
use runtime::{Batch, worker};

/// Sends each email in the batch.
pub async fn work(app: &App, batch: Batch) -> SqsBatchResponse {
    worker::each(app, batch, async |job: MailJob| mails::deliver(app, &job).await).await
}
