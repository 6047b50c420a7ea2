//! Worker: chooses the daily quests when their day starts, at 00:00 UTC.

use aws_lambda_events::sqs::SqsBatchResponse;
use domain::quests;
use platform::App;
use runtime::{Batch, worker};
use serde::Deserialize;

/// Message from the daily schedule.
#[derive(Deserialize)]
#[serde(tag = "job", rename_all = "camelCase")]
enum ResetJob {
    Reset,
}

/// Chooses the day's quests. A repeated message has no effect.
pub async fn work(app: &App, batch: Batch) -> SqsBatchResponse {
    worker::each(app, batch, |ResetJob::Reset| async move { quests::choose_today(app).await }).await
}
