//! Removes deleted comments from the count of a CPR.

use platform::{App, Result, table::Write};

use super::CirclePost;
use crate::cpr::{self, Cpr};

/// Returns the write that removes a comment from the count of its circle's active CPR. Use it in the transaction that
/// deletes the comment. Returns `None` if the comment does not count, was already deleted, or the CPR has ended.
pub async fn uncount_write(app: &App, comment: &CirclePost) -> Result<Option<Write>> {
    let judged = comment.judged.as_ref().filter(|_| !comment.is_deleted());
    let Some(counted) = judged.and_then(|judged| judged.counted_for) else { return Ok(None) };
    let cpr: Option<Cpr> = app.table.get(&cpr::key(comment.circle)).await?;
    let active = cpr.filter(|cpr| cpr.id == counted && cpr.is_active(app.now()));
    Ok(active.map(|cpr| cpr.without_comment().progress_write(&cpr)))
}
