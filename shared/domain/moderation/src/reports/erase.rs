//! Removes deleted users from reports that they made, and from reports about them.

use base::{CaseId, ReportId, UserId};
use platform::{App, Index, Result, Write};

use super::{Report, ReportTarget, key, report::made};

const ERASED_REASON: &str = "The reporter deleted their account.";

/// Removes the reporter and the reporter's reason from a report. The report is kept because it is about another user.
pub async fn erase_reporter(app: &App, reporter: UserId, report: ReportId) -> Result<()> {
    let write = Write::update(key(report)).set("reporterId", UserId::NONE).set("reason", ERASED_REASON);
    app.table.try_write(write.equals("reporterId", reporter)).await.map(drop)
}

/// Removes the reported user from a report. Also clears the stored evaluation job, which contains the user's text. The
/// report and its decision are kept. Returns the case of the report, or `None` if the report does not exist.
pub async fn erase_reported(app: &App, reported: UserId, id: ReportId) -> Result<Option<CaseId>> {
    let Some(report) = app.table.get::<Report>(&key(id)).await? else { return Ok(None) };
    app.table.try_write(made(&report).clear_outbox_write()).await?;
    let case = report.case_id();
    let erased = Report { reported_user_id: UserId::NONE, ..report };
    let (erased, kept) = match erased.target_type {
        ReportTarget::User => {
            (Report { target_id: UserId::NONE.to_string(), kept_case_id: Some(case), ..erased }, Some(case))
        }
        ReportTarget::Post | ReportTarget::Circle => (erased, None),
    };
    let write = Write::update(key(id)).set("reportedUserId", UserId::NONE).set("targetId", &erased.target_id);
    let write = kept.into_iter().fold(write, |write, case| write.set("caseId", case));
    let write = write.index_key(Index::Gsi3, Some(erased.target_index_key()));
    app.table.try_write(write.equals("reportedUserId", reported)).await?;
    Ok(Some(case))
}
