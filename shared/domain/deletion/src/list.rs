//! The list of account deletions, as objects in a bucket. A restore of the table also restores deleted accounts, so
//! operators then repeat the deletions in the list.

use accounts::sessions;
use base::ids::UserId;
use bytes::Bytes;
use ledger::security::{self, SecurityEvent};
use people::users::{self, User};
use platform::{App, Result, objects::Bucket, time::Time};

use super::{begin::deletion_writes, row::Deletion};

const FOLDER: &str = "deletions/";

/// Adds a deletion to the list. Repeating this has no effect.
pub(super) async fn add(app: &App, deletion: &Deletion) -> Result<()> {
    let key = format!("{FOLDER}{:013}-{}", deletion.began_at.millis(), deletion.user);
    Bucket::of_deletions(app)?.put_private(&key, "text/plain", Bytes::new()).await
}

/// Deletes the accounts again that the next 100 entries of the list name, starting at `since` or after the entry
/// `after`. Returns the number of deleted accounts, and the last entry. The last entry is `None` after the end of the
/// list.
///
/// # Errors
/// Fails if the bucket or the table fails. Repeating a page has no effect.
pub async fn repeat_deletions(
    app: &App,
    since: Time,
    after: Option<String>,
) -> Result<(usize, Option<String>)> {
    let after = after.unwrap_or_else(|| format!("{FOLDER}{:013}", since.millis()));
    let keys = Bucket::of_deletions(app)?.next_keys(FOLDER, &after).await?;
    let mut count = 0;
    for key in &keys {
        let user = key.rsplit_once('-').and_then(|(_, user)| user.parse().ok());
        if let Some(user) = user {
            count += usize::from(repeat(app, user).await?);
        }
    }
    Ok((count, keys.last().cloned()))
}

/// Deletes an account as its owner did before the restore. Returns false if the account does not exist.
async fn repeat(app: &App, user: UserId) -> Result<bool> {
    let Some(account) = app.table.get::<User>(&users::key(user)).await? else { return Ok(false) };
    let mut writes = deletion_writes(app, &account, &Deletion::new(app, user)).await?;
    writes.extend(sessions::end_writes(app, user).await?);
    app.table.transact(writes).await?;
    sessions::revoke_all(app, user).await?;
    security::log(SecurityEvent::AccountDeleted, user, "again after a restore");
    Ok(true)
}
