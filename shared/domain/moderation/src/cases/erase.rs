//! Removes deleted users from cases about them.

use base::{CaseId, UserId};
use platform::{App, Result, Write, retry_on_conflict};

use super::{Case, EvidenceEnd, evidence::erase_writes, row::key};

/// Removes the reported user from a case. The evidence of a decided case is erased. The evidence of a pending case is
/// kept until the decision, for at most 30 days.
pub async fn erase_author(app: &App, author: UserId, id: CaseId) -> Result<()> {
    retry_on_conflict(async || {
        let found: Option<Case> = app.table.get(&key(id)).await?;
        let Some(before) = found.filter(|case| case.author == author) else { return Ok(()) };
        let after = Case { author: UserId::NONE, ..before.clone() };
        let mut writes = vec![after.replace_write(&before)];
        match before.decision() {
            Some(_) => writes.extend(erase_writes(app, &before).await?),
            None => writes.push(Write::put(&EvidenceEnd::after(id, app.now()))),
        }
        app.table.transact(writes).await
    })
    .await
}
