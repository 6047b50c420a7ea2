//! Worker: judges what was reported, and hides what is beyond doubt.

use aws_lambda_events::sqs::{SqsBatchResponse, SqsEvent};
use shared::{App, evaluations, reports::EvaluationJob, worker};

/// Evaluates each report of the batch.
pub async fn work(app: &App, event: SqsEvent) -> SqsBatchResponse {
    worker::each(event, async |job: EvaluationJob| evaluations::evaluate(app, &job).await).await
}
