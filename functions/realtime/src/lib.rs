//! Worker: pushes events to the people they concern.

use aws_lambda_events::sqs::SqsBatchResponse;
use domain::realtime::push::push;
use platform::{App, bus::BusEvent};
use runtime::worker::{self, Batch};

/// Pushes each event of the batch.
pub async fn work(app: &App, batch: Batch) -> SqsBatchResponse {
    worker::each(app, batch, async |event: BusEvent| push(app, &event).await).await
}
