//! What drafts of somebody who leaves have in the partitions of others.

use base::ids::UserId;
use platform::{
    App, Result,
    table::{KeyOnly, Query, Row},
};

use super::row::{SK_PREFIX, SavedDraft};
use crate::writing::mentioned;

/// Takes the next of somebody's drafts out of what those have whom they mention. Returns behind what the next page
/// begins; none after the last one.
pub async fn erase_mentions_page(
    app: &App,
    author: UserId,
    behind: Option<String>,
    rows: usize,
) -> Result<Option<String>> {
    let query = Query::partition(author.partition()).prefix_from(SK_PREFIX, behind).consistent();
    let (drafts, last) = app.table.next_page::<SavedDraft>(query, rows).await?;
    let keys = drafts.iter().flat_map(|draft| mentioned::of_draft(Some(draft))).map(|it| it.key());
    app.table.batch_write::<KeyOnly>(&[], &keys.collect::<Vec<_>>()).await?;
    Ok(last)
}
