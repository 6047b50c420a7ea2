//! The list of account deletions, as objects in a bucket. A restore of the table also restores deleted accounts, so
//! operators then repeat the deletions in the list.

use base::UserId;
use bytes::Bytes;
use platform::{App, Bucket, Result, Time};

use super::row::Deletion;

const FOLDER: &str = "deletions/";

/// Adds a deletion to the list. Repeating this has no effect.
pub(super) async fn add(app: &App, deletion: &Deletion) -> Result<()> {
    let key = format!("{}-{}", first_key(deletion.began_at), deletion.user);
    Bucket::of_deletions(app)?.put_private(&key, "text/plain", Bytes::new()).await
}

/// Returns the next 100 entries, starting at `since` or after the entry `after`.
pub(super) async fn next(app: &App, since: Time, after: Option<String>) -> Result<Vec<String>> {
    let after = after.unwrap_or_else(|| first_key(since));
    Bucket::of_deletions(app)?.next_keys(FOLDER, &after).await
}

/// Returns the user whose deletion an entry records, or `None` for other objects.
pub(super) fn user_of(entry: &str) -> Option<UserId> {
    entry.rsplit_once('-').and_then(|(_, user)| user.parse().ok())
}

/// Returns a key that sorts before all entries of deletions at this time or later.
fn first_key(since: Time) -> String {
    format!("{FOLDER}{:013}", since.millis())
}
