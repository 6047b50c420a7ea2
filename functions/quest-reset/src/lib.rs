//! Worker: chooses the day's quests when the day begins, at 07:00 in UTC+7.

use aws_lambda_events::sqs::{SqsBatchResponse, SqsEvent};
use domain::quests;
use platform::App;
use runtime::worker;
use serde::Deserialize;

/// The message that the schedule sends.
#[derive(Deserialize)]
#[serde(tag = "job", rename_all = "camelCase")]
enum ResetJob {
    Reset,
}

/// Chooses the day's quests. Repeating changes nothing.
pub async fn work(app: &App, event: SqsEvent) -> SqsBatchResponse {
    worker::each(event, |ResetJob::Reset| async move { quests::choose_today(app).await }).await
}
