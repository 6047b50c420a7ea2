//! The list of appeals for administrators.

use base::AppealId;
use platform::{App, Cursor, Index, Page, Query, Result};

use super::{
    Appeal, AppealStatus, AppealView,
    row::{ALL, by_status},
};

/// Returns a page of appeals with the given status, newest first. `None` includes all appeals.
pub async fn list(
    app: &App,
    status: Option<AppealStatus>,
    cursor: Cursor<AppealId>,
) -> Result<Page<AppealView>> {
    let query = match status {
        Some(status) => Query::index(Index::Gsi1, by_status(status)),
        None => Query::index(Index::Gsi2, ALL),
    };
    let query = query.newest_first().before(cursor.after).limit(cursor.take.rows() + 1);
    let appeals = app.table.query(&query).await?;
    Ok(Page::cut(appeals, cursor.take, |appeal: &Appeal| appeal.id.to_string()).map(AppealView::from))
}
