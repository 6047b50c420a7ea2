//! Lists drafts.

use base::ids::{DraftId, UserId};
use platform::{
    App, Result,
    page::{Cursor, Page},
    table::Query,
};

use super::row::{DraftView, SK_PREFIX, SavedDraft, sk};

/// Returns a page of the caller's drafts, newest first.
pub async fn list(app: &App, author: UserId, cursor: Cursor<DraftId>) -> Result<Page<DraftView>> {
    let newest = cursor.after.map_or_else(|| format!("{SK_PREFIX}~"), sk);
    let query = Query::partition(author.partition()).between(SK_PREFIX, newest).newest_first().consistent();
    // The range is inclusive, so the read returns the cursor's own row, which is dropped.
    let mut rows: Vec<SavedDraft> = app.table.query(&query.limit(cursor.take.rows() + 2)).await?;
    rows.retain(|draft| Some(draft.id) != cursor.after);
    let page = Page::cut(rows, cursor.take, |draft| draft.id.to_string());
    Ok(page.map(DraftView::from))
}
