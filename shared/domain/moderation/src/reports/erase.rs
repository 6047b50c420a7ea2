//! Taking who leaves the network out of a report: its reporter, or who is reported.

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

const GONE: &str = "The reporter has left.";

/// Takes the reporter and their words out of a report, which stays: it is about somebody else.
pub async fn erase_reporter(app: &App, reporter: UserId, report: ReportId) -> Result<()> {
    let write = Write::update(key(report)).set("reporterId", UserId::NONE).set("reason", GONE);
    app.table.try_write(write.equals("reporterId", reporter)).await.map(drop)
}

/// Takes the reported user out of a report, which stays with what was decided, and their words out of what its reporter
/// has of it.
pub async fn erase_reported(app: &App, reported: UserId, id: ReportId) -> Result<()> {
    let Some(report) = app.table.get::<Report>(&key(id)).await? else { return Ok(()) };
    app.table.try_write(made(&report).clear_outbox_write()).await?;
    let write = Write::update(key(id)).set("reportedUserId", UserId::NONE).index_key(Index::Gsi3, None);
    let write = match report.target_type {
        ReportTarget::User => write.set("targetId", UserId::NONE),
        ReportTarget::Post | ReportTarget::Circle => write,
    };
    app.table.try_write(write.equals("reportedUserId", reported)).await.map(drop)
}
