//! Resends lost evaluation jobs of reports.

use base::{ReportId, first_id};
use ledger::post_limits::is_young;
use platform::{App, Error, HOUR_SECONDS, Index, Query, Result};

use super::{EvaluationJob, Report, ReportStatus, ReportTarget, row::by_status};
use crate::any_post::AnyPost;

/// Age at which a report without an evaluation is overdue. An evaluation normally takes less than a minute.
const OVERDUE_SECONDS: i64 = 10 * 60;
/// Maximum age of reports whose jobs are resent. The limit bounds the number of jobs while the judge is down.
const AGE_MAX_SECONDS: i64 = 2 * HOUR_SECONDS;
const PAGE_ROWS: usize = 100;

/// Resends the jobs for a page of reports that are at most 2 hours old and have not been evaluated. The page starts
/// after the report `after`. Returns the cursor of the next page, or `None` after the last page.
///
/// # Errors
/// Fails if a job could not be sent. A retry repeats this page.
pub async fn resend(app: &App, after: Option<ReportId>) -> Result<Option<ReportId>> {
    let [oldest, newest]: [ReportId; 2] =
        [AGE_MAX_SECONDS, OVERDUE_SECONDS].map(|seconds| first_id(app.now().plus_seconds(-seconds)));
    let query = Query::index(Index::Gsi1, by_status(ReportStatus::Pending));
    let query = query.between(after.unwrap_or(oldest).to_string(), newest.to_string()).limit(PAGE_ROWS);
    let reports: Vec<Report> = app.table.query(&query).await?;
    for report in reports.iter().filter(|report| report.waits_for_evaluation()) {
        resend_one(app, report).await?;
    }
    let last = reports.last().filter(|_| reports.len() == PAGE_ROWS).map(|report| report.id);
    Ok(last.filter(|last| Some(*last) != after))
}

async fn resend_one(app: &App, report: &Report) -> Result<()> {
    let Ok(post) = report.target_id.parse() else { return Ok(()) };
    match AnyPost::find_eventual(app, post).await {
        // A deleted post needs no evaluation.
        Err(Error::NotFound(_)) => Ok(()),
        post => {
            let can_wait = is_young(app, report.reporter_id);
            app.queues.send(&EvaluationJob::of(report, &post?, can_wait)).await
        }
    }
}

impl Report {
    fn waits_for_evaluation(&self) -> bool {
        self.confidence.is_none() && self.target_type != ReportTarget::User
    }
}
