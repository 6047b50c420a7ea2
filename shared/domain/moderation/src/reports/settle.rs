//! Settles the other pending reports of a target after a decision, so that one decision answers all reporters.

use base::{
    announcements::AnnouncedEvent,
    ids::UserId,
    jobs::{Chore, OutboundJob, Settlement},
};
use ledger::statistics::{self, Count};
use platform::{
    App, Result,
    outbox::outbox_record_write,
    paged::Paged,
    retry_on_conflict,
    table::{Index, Query, Row, Write},
};

use super::{
    Report, ReportStatus, outcome_writes,
    row::{about, key},
};

/// Reports per page.
const PAGE_ROWS: usize = 25;

/// Returns the chore that gives the pending reports of the same target the status of a decided report. Returns `None` if
/// the reported user was deleted, because then no list has the reports.
pub(crate) fn settle_chore(decided: &Report, status: ReportStatus, by: UserId) -> Option<Chore> {
    settle_target_chore((decided.reported_user_id, decided.target_id.clone()), status, by)
}

/// Works as [`settle_chore`] does, for the target of a user.
pub(crate) fn settle_target_chore(
    (user, target): (UserId, String),
    status: ReportStatus,
    by: UserId,
) -> Option<Chore> {
    let settlement = match status {
        ReportStatus::Pending => return None,
        ReportStatus::Dismissed => Settlement::Dismissed,
        ReportStatus::Hidden => Settlement::Hidden,
        ReportStatus::Deleted => Settlement::Deleted,
    };
    (user != UserId::NONE).then_some(Chore::SettleReports {
        user,
        target,
        settlement,
        by,
        page: Paged::FIRST,
    })
}

/// Settles a page of the reports about a target. Returns the cursor of the next page. Repeating a page has no effect.
pub async fn settle_page(
    app: &App,
    (user, target): (UserId, &str),
    (settlement, by): (Settlement, UserId),
    after: Option<String>,
) -> Result<Option<String>> {
    let prefix = about(target);
    let query = Query::index(Index::Gsi3, user.named()).prefix_from(&prefix, after);
    let reports: Vec<Report> = app.table.query(&query.limit(PAGE_ROWS)).await?;
    for report in reports.iter().filter(|report| report.status == ReportStatus::Pending) {
        settle_one(app, report, settlement.into(), by).await?;
    }
    let last = reports.last().filter(|_| reports.len() == PAGE_ROWS);
    // `!` sorts before all characters of a key, so the page starts right after the last report.
    Ok(last.map(|report| format!("{prefix}{}!", report.id)))
}

/// Settles a report, and notifies its reporter, unless the report was decided meanwhile.
async fn settle_one(app: &App, listed: &Report, status: ReportStatus, by: UserId) -> Result<()> {
    retry_on_conflict(async || {
        let found: Option<Report> = app.table.get(&key(listed.id)).await?;
        let Some(before) = found.filter(|report| report.status == ReportStatus::Pending) else {
            return Ok(());
        };
        let after = Report { status, decided_by: Some(by), decided_at: Some(app.now()), ..before.clone() };
        let announced = OutboundJob::announce(app, AnnouncedEvent::ReportDecided, before.id);
        let count = statistics::counts_write(before.id.random(), [(Count::ReportsPending, -1)]);
        let writes = [decision_write(&before, &after), outbox_record_write(app).then(&announced)]
            .into_iter()
            .chain(count);
        app.table.transact(writes.chain(outcome_writes(app, &before).await?).collect()).await
    })
    .await
}

/// Returns the write that stores the decision. Fails with a conflict if the report was decided after the read.
pub(crate) fn decision_write(before: &Report, after: &Report) -> Write {
    let write = Write::update(after.key()).set("status", after.status);
    let write = write.index_key(Index::Gsi1, Some(after.status_index_key()));
    let write = write.set_or_remove("adminNote", after.admin_note.as_ref());
    let write = write.set("decidedBy", after.decided_by).set("decidedAt", after.decided_at);
    write.equals("status", before.status).is_still("decidedAt", before.decided_at)
}

impl From<Settlement> for ReportStatus {
    fn from(settlement: Settlement) -> Self {
        match settlement {
            Settlement::Dismissed => Self::Dismissed,
            Settlement::Hidden => Self::Hidden,
            Settlement::Deleted => Self::Deleted,
        }
    }
}
