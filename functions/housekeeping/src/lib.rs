//! Worker: does the hourly chores.

use aws_lambda_events::sqs::{SqsBatchResponse, SqsEvent};
use domain::operations::housekeeping;
use platform::App;
use runtime::worker;

/// Does a page of each chore.
pub async fn work(app: &App, event: SqsEvent) -> SqsBatchResponse {
    worker::each(event, |chore| async move { housekeeping::tidy_up(app, chore).await }).await
}
