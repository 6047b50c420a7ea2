//! Repeats account deletions, because a restore of the table brought the accounts back.

use accounts::sessions;
use base::UserId;
use ledger::security::{self, SecurityEvent};
use people::{User, users};
use platform::{App, Result, Time};

use super::{begin::deletion_writes, list, row::Deletion};

/// Repeats the deletions that are in the list since the time `since`. Returns the number of deleted accounts.
///
/// # Errors
/// Fails if the bucket or the table fails. Repeating this has no effect on accounts that are already deleted.
pub async fn repeat_deletions(app: &App, since: Time) -> Result<usize> {
    let (mut after, mut count) = (None, 0);
    loop {
        let entries = list::next(app, since, after).await?;
        for user in entries.iter().filter_map(|entry| list::user_of(entry)) {
            count += usize::from(repeat(app, user).await?);
        }
        after = match entries.last() {
            Some(last) => Some(last.clone()),
            None => return Ok(count),
        };
    }
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
