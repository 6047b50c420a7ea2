//! Worker: ends the CPR that did not succeed.

use aws_lambda_events::sqs::{SqsBatchResponse, SqsEvent};
use shared::{
    App,
    circles::cpr::{self, CprJob},
    worker,
};

/// Ends a page of those that are over.
pub async fn work(app: &App, event: SqsEvent) -> SqsBatchResponse {
    worker::each(event, async |job: CprJob| cpr::check(app, job).await).await
}
