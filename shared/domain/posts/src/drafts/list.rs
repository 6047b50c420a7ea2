//! Lists drafts.

use base::ids::{DraftId, UserId};
use platform::{
    App, Result,
    page::{Cursor, Page},
};

use super::row::{DraftView, SavedDraft, older};

/// Returns a page of the caller's drafts, newest first.
pub async fn list(app: &App, author: UserId, cursor: Cursor<DraftId>) -> Result<Page<DraftView>> {
    // BETWEEN is inclusive, so the cursor's own row is read and dropped.
    let query = older(author, cursor.after).limit(cursor.take.rows() + 2);
    let mut rows: Vec<SavedDraft> = app.table.query(&query).await?;
    rows.retain(|draft| Some(draft.id) != cursor.after);
    let page = Page::cut(rows, cursor.take, |draft| draft.id.to_string());
    Ok(page.map(DraftView::from))
}
