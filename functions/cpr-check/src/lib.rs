//! Worker: ends the CPRs that did not succeed.

use aws_lambda_events::sqs::{SqsBatchResponse, SqsEvent};
use domain::circles::cpr::{self, CprJob};
use platform::App;
use runtime::worker;

/// Does each CPR job of the batch.
pub async fn work(app: &App, event: SqsEvent) -> SqsBatchResponse {
    worker::each(event, async |job: CprJob| cpr::check(app, job).await).await
}
