//! Worker: chooses the day's quests at the start of the day, 07:00 in UTC+7.

use aws_lambda_events::sqs::SqsBatchResponse;
use domain::quests;
use platform::App;
use runtime::worker::{self, Batch};
use serde::Deserialize;

/// Message from the daily schedule.
#[derive(Deserialize)]
#[serde(tag = "job", rename_all = "camelCase")]
enum ResetJob {
    Reset,
}

/// Chooses the day's quests once, even if the message is repeated.
pub async fn work(app: &App, batch: Batch) -> SqsBatchResponse {
    worker::each(app, batch, |ResetJob::Reset| async move { quests::choose_today(app).await }).await
}
