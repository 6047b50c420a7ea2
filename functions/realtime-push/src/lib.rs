//! Worker: pushes events to their recipients.

use aws_lambda_events::sqs::SqsBatchResponse;
use domain::realtime::push::push_all;
use platform::{App, BusEvent};
use runtime::{Batch, worker};

/// Pushes the events in the batch together.
pub async fn work(app: &App, batch: Batch) -> SqsBatchResponse {
    worker::together(app, batch, |events: Vec<BusEvent>| async move { push_all(app, &events).await }).await
}
