//! Worker: pushes events to the people they concern.

use aws_lambda_events::sqs::{SqsBatchResponse, SqsEvent};
use domain::realtime::push::push;
use platform::{App, bus::BusEvent};
use runtime::worker;

/// Pushes each event of the batch.
pub async fn work(app: &App, event: SqsEvent) -> SqsBatchResponse {
    worker::each(event, async |event: BusEvent| push(app, &event).await).await
}
