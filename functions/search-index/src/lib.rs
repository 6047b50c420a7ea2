//! Worker: keeps what searches find, and what is trending.

use aws_lambda_events::sqs::{SqsBatchResponse, SqsEvent};
use domain::{jobs::IndexJob, search};
use platform::App;
use runtime::worker;

/// Makes each post and person findable as they are now.
pub async fn work(app: &App, event: SqsEvent) -> SqsBatchResponse {
    worker::each(event, |job| async move {
        match job {
            IndexJob::Post { post } => search::index_post(app, post).await,
            IndexJob::User { user } => search::index_user(app, user).await,
        }
    })
    .await
}
