//! Worker: evaluates reports, and hides posts that clearly break the rules.

use aws_lambda_events::sqs::SqsBatchResponse;
use domain::moderation::{evaluation, reports::EvaluationJob};
use platform::App;
use runtime::{Batch, worker};

/// Evaluates each report in the batch.
pub async fn work(app: &App, batch: Batch) -> SqsBatchResponse {
    worker::each(app, batch, async |job: EvaluationJob| evaluation::evaluate(app, &job).await).await
}
