//! Deletes the rows that index the mentions in a deleted author's drafts.

use base::UserId;
use platform::{App, Query, Result, Row};

use super::row::{SK_PREFIX, SavedDraft};
use crate::writing::mentioned;

/// Deletes the rows that index the mentions in an author's next `rows` drafts. Returns the cursor of the next page, or
/// `None` after the last page.
pub async fn erase_mentions_page(
    app: &App,
    author: UserId,
    after: Option<String>,
    rows: usize,
) -> Result<Option<String>> {
    let query = Query::partition(author.partition()).prefix_from(SK_PREFIX, after).consistent();
    let (drafts, last) = app.table.next_page::<SavedDraft>(query, rows).await?;
    let keys = drafts.iter().flat_map(|draft| mentioned::of_draft(Some(draft))).map(|row| row.key());
    app.table.delete_rows(keys.collect()).await?;
    Ok(last)
}
