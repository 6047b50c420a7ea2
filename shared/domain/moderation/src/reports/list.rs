//! Lookups of reports.

use base::ids::ReportId;
use platform::{
    App, Result,
    error::Error,
    page::{Cursor, Page},
    table::{Index, Query},
};

use super::{
    Report, ReportStatus, ReportView, key,
    row::{ALL, by_status},
};

/// Returns the report with this id.
///
/// # Errors
/// Fails with [`Error::NotFound`] if the report does not exist.
pub async fn find(app: &App, id: ReportId) -> Result<Report> {
    app.table.get(&key(id)).await?.ok_or(Error::NotFound("report"))
}

/// Returns a page of reports with one status, or of all reports, newest first.
pub async fn list(
    app: &App,
    status: Option<ReportStatus>,
    cursor: Cursor<ReportId>,
) -> Result<Page<ReportView>> {
    let query = match status {
        Some(status) => Query::index(Index::Gsi1, by_status(status)),
        None => Query::index(Index::Gsi2, ALL),
    };
    let query = query.newest_first().before(cursor.after).limit(cursor.take.rows() + 1);
    let reports = app.table.query(&query).await?;
    Ok(Page::cut(reports, cursor.take, |report: &Report| report.id.to_string()).map(ReportView::from))
}
