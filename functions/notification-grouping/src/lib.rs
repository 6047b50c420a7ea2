//! Worker: gathers what happened into notifications, every 40 seconds.

use aws_lambda_events::sqs::{SqsBatchResponse, SqsEvent};
use shared::{
    App,
    notifications::{self, Tick},
    worker,
};

/// Flushes what has waited longest, once for each message.
pub async fn work(app: &App, event: SqsEvent) -> SqsBatchResponse {
    worker::each(event, |Tick {}| async { notifications::run(app).await }).await
}
