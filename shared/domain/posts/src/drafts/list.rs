//! Lists drafts.

use base::{DraftId, UserId};
use platform::{App, Cursor, Page, Query, Result};

use super::row::{DraftView, SK_PREFIX, SavedDraft};

/// Returns a page of the caller's drafts, newest first.
pub async fn list(app: &App, author: UserId, cursor: Cursor<DraftId>) -> Result<Page<DraftView>> {
    let query = Query::partition(author.partition()).prefix_before(SK_PREFIX, cursor.after);
    let query = query.newest_first().consistent().limit(cursor.take.rows() + 1);
    let rows: Vec<SavedDraft> = app.table.query(&query).await?;
    let page = Page::cut(rows, cursor.take, |draft| draft.id.to_string());
    Ok(page.map(DraftView::from))
}
