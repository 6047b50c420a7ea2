//! Worker: chooses the day's quests when the day begins, at 07:00 in UTC+7.

use aws_lambda_events::sqs::SqsBatchResponse;
use domain::quests;
use platform::App;
use runtime::worker::{self, Batch};
use serde::Deserialize;

/// The message that the schedule sends.
#[derive(Deserialize)]
#[serde(tag = "job", rename_all = "camelCase")]
enum ResetJob {
    Reset,
}

/// Chooses the day's quests. Repeating changes nothing.
pub async fn work(app: &App, batch: Batch) -> SqsBatchResponse {
    worker::each(app, batch, |ResetJob::Reset| async move { quests::choose_today(app).await }).await
}
