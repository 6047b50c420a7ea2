//! Removes deleted comments from the count of a CPR, and counts restored comments again.

use platform::{App, Result, Write};

use super::CirclePost;
use crate::cpr::{self, Cpr};

/// Returns the write that removes a comment from the count of its circle's active CPR. Run it in the transaction that
/// deletes the comment. Returns `None` if the comment does not count, was already deleted, or the CPR has ended.
pub async fn uncount_write(app: &App, comment: &CirclePost) -> Result<Option<Write>> {
    let active = if comment.is_deleted() { None } else { active_cpr(app, comment).await? };
    Ok(active.map(|cpr| cpr.without_comment().progress_write(&cpr)))
}

/// Returns the write that counts a comment again, for the transaction that restores the deleted comment. Returns `None` if
/// its CPR has ended.
pub async fn recount_write(app: &App, comment: &CirclePost) -> Result<Option<Write>> {
    let active = active_cpr(app, comment).await?;
    Ok(active.map(|cpr| cpr.with_comment(app.now()).progress_write(&cpr)))
}

/// Returns the active CPR that a comment counts for, or `None` if there is none.
async fn active_cpr(app: &App, comment: &CirclePost) -> Result<Option<Cpr>> {
    let Some(counted) = comment.judged.as_ref().and_then(|judged| judged.counted_for) else {
        return Ok(None);
    };
    let cpr: Option<Cpr> = app.table.get(&cpr::key(comment.circle)).await?;
    Ok(cpr.filter(|cpr| cpr.id == counted && cpr.is_active(app.now())))
}
