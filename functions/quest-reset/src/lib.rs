//! Worker: chooses the day's quests at 07:00 in UTC+7, when the day starts.

use aws_lambda_events::sqs::SqsBatchResponse;
use domain::quests;
use platform::App;
use runtime::worker::{self, Batch};
use serde::Deserialize;

/// Message of the schedule.
#[derive(Deserialize)]
#[serde(tag = "job", rename_all = "camelCase")]
enum ResetJob {
    Reset,
}

/// Chooses the day's quests. Repeating has no effect.
pub async fn work(app: &App, batch: Batch) -> SqsBatchResponse {
    worker::each(app, batch, |ResetJob::Reset| async move { quests::choose_today(app).await }).await
}
