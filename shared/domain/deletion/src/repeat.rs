//! Repeats account deletions, because a restore of the table brought the accounts back.

use accounts::sessions;
use base::ids::UserId;
use ledger::security::{self, SecurityEvent};
use people::users::{self, User};
use platform::{App, Result, time::Time};

use super::{begin::deletion_writes, list, row::Deletion};

/// Deletes the accounts in the next 100 entries of the list again, starting at `since` or after the entry `after`.
/// Returns the number of deleted accounts, and the last entry. The last entry is `None` after the end of the list.
///
/// # Errors
/// Fails if the bucket or the table fails. Repeating a page has no effect.
pub async fn repeat_deletions(
    app: &App,
    since: Time,
    after: Option<String>,
) -> Result<(usize, Option<String>)> {
    let entries = list::next(app, since, after).await?;
    let mut count = 0;
    for user in entries.iter().filter_map(|entry| list::user_of(entry)) {
        count += usize::from(repeat(app, user).await?);
    }
    Ok((count, entries.last().cloned()))
}

/// Deletes an account again, as its owner did before the restore. Returns false if the account does not exist.
async fn repeat(app: &App, user: UserId) -> Result<bool> {
    let Some(account) = app.table.get::<User>(&users::key(user)).await? else { return Ok(false) };
    let mut writes = deletion_writes(app, &account, &Deletion::new(app, user)).await?;
    writes.extend(sessions::end_writes(app, user).await?);
    app.table.transact(writes).await?;
    sessions::revoke_all(app, user).await?;
    security::log(SecurityEvent::AccountDeleted, user, "again after a restore");
    Ok(true)
}
