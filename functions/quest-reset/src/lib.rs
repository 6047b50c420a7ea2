//! Worker: chooses the day's quests when the day begins, at 07:00 in UTC+7.

use aws_lambda_events::sqs::{SqsBatchResponse, SqsEvent};
use serde::Deserialize;
use shared::{App, quests, worker};

/// What the schedule asks for.
#[derive(Deserialize)]
#[serde(tag = "job", rename_all = "camelCase")]
enum ResetJob {
    Reset,
}

/// Chooses the day's quests; again changes nothing.
pub async fn work(app: &App, event: SqsEvent) -> SqsBatchResponse {
    worker::each(event, |ResetJob::Reset| async move { quests::choose_today(app).await }).await
}
