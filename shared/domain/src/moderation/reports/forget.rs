//! Taking the reporter out of a report, when they leave the network.

use platform::{App, error::Result, table::Write};

use super::row::key;
use crate::ids::{ReportId, UserId};

const GONE: &str = "The reporter has left.";

/// Takes the reporter and their words out of a report, which stays: it is about somebody else. Costs 1 call and 4 WRU.
pub(crate) async fn forget_reporter(app: &App, reporter: UserId, report: ReportId) -> Result<()> {
    let write = Write::update(key(report)).set("reporterId", UserId::NOBODY).set("reason", GONE);
    app.table.try_write(write.equals("reporterId", reporter)).await.map(drop)
}
