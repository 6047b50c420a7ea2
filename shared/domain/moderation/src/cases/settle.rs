//! Settles reports: copies the status of a decided case to all its reports, and notifies the reporters.

use base::{AnnouncedEvent, CaseId, Chore, OutboundJob, ReportId};
use ledger::statistics;
use platform::{App, Paged, Result, Row, Write, outbox_record_write, retry_on_conflict};

use super::{Case, link::CaseLink, row::key};
use crate::reports::{self, Report, ReportStatus, about, decision_writes, pending_change, reports_about};

/// Reports per page.
const PAGE_ROWS: usize = 25;

impl Case {
    /// Returns the chore that settles the reports of the case.
    pub(super) fn settle_chore(&self) -> Chore {
        Chore::SettleReports { case: self.id, page: Paged::FIRST }
    }

    /// Returns the report with its correct status, or `None` if the status is already correct.
    ///
    /// Reports since the case opened get the status of the case. If the case was reopened, pending older reports get
    /// the status of the earlier decision.
    fn settled(&self, report: &Report) -> Option<Report> {
        let is_current = report.id >= self.first_report;
        let outcome = self.outcome.as_ref().filter(|_| !is_current || self.status != ReportStatus::Pending);
        match outcome {
            Some(outcome) if is_current || report.status == ReportStatus::Pending => {
                let (status, decided_by, decided_at) =
                    (outcome.status, outcome.decided_by, Some(outcome.decided_at));
                Some(Report { status, decided_by, decided_at, ..report.clone() })
            }
            None if is_current => {
                let status = ReportStatus::Pending;
                Some(Report {
                    status,
                    decided_by: None,
                    decided_at: None,
                    admin_note: None,
                    ..report.clone()
                })
            }
            _ => None,
        }
        .filter(|settled| settled.status != report.status)
    }

    /// Returns the writes that notify the reporter of the decision about a report. If the decision is about several
    /// reports by one user, only the latest of them causes a notification.
    pub(super) async fn outcome_writes(&self, app: &App, report: &Report) -> Result<Vec<Write>> {
        let link: Option<CaseLink> = app.table.get(&CaseLink::of(report).key()).await?;
        let is_current = |report: ReportId| report >= self.first_report;
        let later = link.and_then(|link| link.report).filter(|latest| *latest > report.id);
        match later.is_some_and(|later| is_current(later) == is_current(report.id)) {
            true => Ok(Vec::new()),
            false => reports::outcome_writes(app, report).await,
        }
    }
}

/// Settles a page of the reports of a case. Returns the cursor of the next page. Repeating a page has no effect.
pub async fn settle_page(app: &App, id: CaseId, after: Option<String>) -> Result<Option<String>> {
    let Some(case) = app.table.get::<Case>(&key(id)).await? else { return Ok(None) };
    let prefix = about(&case.target());
    let query = reports_about(case.author, id).prefix_from(&prefix, after);
    let reports: Vec<Report> = app.table.query(&query.limit(PAGE_ROWS)).await?;
    for report in reports.iter().filter(|report| case.settled(report).is_some()) {
        settle_report(app, id, report.id).await?;
    }
    let last = reports.last().filter(|_| reports.len() == PAGE_ROWS);
    // `!` sorts before all characters of a key, so the next page starts right after this page's last report.
    Ok(last.map(|report| format!("{prefix}{}!", report.id)))
}

/// Settles a report of a case, and notifies its reporter. Starts again if the case or the report changes meanwhile. Has
/// no effect on a settled report.
pub async fn settle_report(app: &App, case: CaseId, report: ReportId) -> Result<()> {
    retry_on_conflict(async || {
        let (case, report) = (key(case), reports::key(report));
        let (case, before) =
            futures::try_join!(app.table.get::<Case>(&case), app.table.get::<Report>(&report))?;
        let Some((case, before)) = case.zip(before) else { return Ok(()) };
        let Some(after) = case.settled(&before) else { return Ok(()) };
        let check = Write::check(case.key()).equals("version", case.version);
        let mut writes = vec![check.into()];
        writes.extend(decision_writes(&before, &after));
        writes.extend(statistics::counts_write(
            before.id.random(),
            pending_change(before.status, after.status),
        ));
        if after.status != ReportStatus::Pending {
            let announced = OutboundJob::announce(app, AnnouncedEvent::ReportDecided, before.id);
            writes.push(outbox_record_write(app).then(&announced));
            writes.extend(case.outcome_writes(app, &before).await?);
        }
        app.table.transact(writes).await
    })
    .await
}
