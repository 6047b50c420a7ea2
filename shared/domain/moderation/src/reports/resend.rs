//! The net below the messages: reports that nobody evaluated are sent again.

use base::ids::ReportId;
use platform::{
    App,
    error::{Error, Result},
    table::{Index, Query},
    time::HOUR_SECONDS,
};
use ulid::Ulid;

use super::{EvaluationJob, Report, ReportStatus, ReportTarget, row::by_status};
use crate::written::Written;

/// A message is done within a minute; this one was lost, or will be a dead letter.
const OVERDUE_SECONDS: i64 = 10 * 60;
/// Older ones were found before, by the runs of the last hours: a judge that is down gets no more of them each hour.
const LOOKED_BACK_SECONDS: i64 = 2 * HOUR_SECONDS;
const PAGE_ROWS: usize = 100;

/// Sends the messages of reports again that wait for their evaluation, of the last two hours, those behind `after`.
/// Returns where the next page begins.
///
/// # Errors
/// Fails when a message could not be sent: the job begins this page again.
pub async fn resend(app: &App, after: Option<ReportId>) -> Result<Option<ReportId>> {
    let from = after.unwrap_or(first_id(app, LOOKED_BACK_SECONDS)).to_string();
    let query = Query::index(Index::Gsi1, by_status(ReportStatus::Pending));
    let query = query.between(from, first_id(app, OVERDUE_SECONDS).to_string()).limit(PAGE_ROWS);
    let reports: Vec<Report> = app.table.query(&query).await?;
    for report in reports.iter().filter(|it| it.waits_for_evaluation()) {
        resend_one(app, report).await?;
    }
    let last = reports.last().filter(|_| reports.len() == PAGE_ROWS).map(|it| it.id);
    Ok(last.filter(|it| Some(*it) != after))
}

async fn resend_one(app: &App, report: &Report) -> Result<()> {
    let Ok(post) = report.target_id.parse() else { return Ok(()) };
    match Written::find_eventual(app, post).await {
        // A deleted post needs no evaluation.
        Err(Error::NotFound(_)) => Ok(()),
        post => app.queues.send(&EvaluationJob::of(report, &post?)).await,
    }
}

/// Returns the lowest id of a report that was made so long ago.
fn first_id(app: &App, seconds_ago: i64) -> ReportId {
    let millis = app.now().plus_seconds(-seconds_ago).millis();
    Ulid::from_parts(millis.max(0).cast_unsigned(), 0).into()
}

impl Report {
    fn waits_for_evaluation(&self) -> bool {
        self.confidence.is_none() && self.target_type != ReportTarget::User
    }
}
