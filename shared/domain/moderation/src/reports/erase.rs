//! Removes deleted users from reports that they made, and from reports about them.

use base::ids::{ReportId, UserId};
use platform::{
    App,
    error::Result,
    table::{Index, Write},
};

use super::{
    report::made,
    row::{Report, ReportTarget, key},
};

const ERASED_REASON: &str = "The reporter deleted their account.";

/// Removes the reporter and the reporter's reason from a report. The report is kept because it is about another user.
pub async fn erase_reporter(app: &App, reporter: UserId, report: ReportId) -> Result<()> {
    let write = Write::update(key(report)).set("reporterId", UserId::NONE).set("reason", ERASED_REASON);
    app.table.try_write(write.equals("reporterId", reporter)).await.map(drop)
}

/// Removes the reported user from a report. Also clears the stored evaluation job, which contains the user's text. The
/// report and its decision are kept.
pub async fn erase_reported(app: &App, reported: UserId, id: ReportId) -> Result<()> {
    let Some(report) = app.table.get::<Report>(&key(id)).await? else { return Ok(()) };
    app.table.try_write(made(&report).clear_outbox_write()).await?;
    let write = Write::update(key(id)).set("reportedUserId", UserId::NONE).index_key(Index::Gsi3, None);
    let write = match report.target_type {
        ReportTarget::User => write.set("targetId", UserId::NONE).set("caseId", report.case_id()),
        ReportTarget::Post | ReportTarget::Circle => write,
    };
    app.table.try_write(write.equals("reportedUserId", reported)).await.map(drop)
}
