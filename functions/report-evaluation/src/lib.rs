//! Worker: evaluates reports, and hides posts that certainly break the rules.

use aws_lambda_events::sqs::{SqsBatchResponse, SqsEvent};
use domain::moderation::{evaluation, reports::EvaluationJob};
use platform::App;
use runtime::worker;

/// Evaluates each report of the batch.
pub async fn work(app: &App, event: SqsEvent) -> SqsBatchResponse {
    worker::each(event, async |job: EvaluationJob| evaluation::evaluate(app, &job).await).await
}
