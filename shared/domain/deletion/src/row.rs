//! The row of an account deletion.

use base::UserId;
use platform::{App, HOUR_SECONDS, Index, Key, Query, Result, Row, Time};
use serde::{Deserialize, Serialize};

/// Seconds from the account deletion to the erasure. After this time, no request by the user is running, and all events
/// about the user have been delivered.
const ERASED_AFTER_SECONDS: i64 = HOUR_SECONDS;
/// Seconds after which a job without progress is considered lost and is started again.
const STALLED_AFTER_SECONDS: i64 = HOUR_SECONDS / 2;
const DUE: &str = "DUE#LEAVING";

/// An account deletion. The row is deleted when no other data of the user is left.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Deletion {
    pub(super) user: UserId,
    pub(super) began_at: Time,
    /// Time from which the remaining data is erased.
    pub(super) erased_from: Time,
    /// Time at which a job of this deletion last made progress.
    moved_at: Option<Time>,
}

impl Deletion {
    pub(super) fn new(app: &App, user: UserId) -> Self {
        let now = app.now();
        Self { user, began_at: now, erased_from: now.plus_seconds(ERASED_AFTER_SECONDS), moved_at: None }
    }

    /// Returns whether no job of this deletion made progress for half an hour.
    pub(super) fn is_stalled(&self, now: Time) -> bool {
        self.moved_at.is_none_or(|time| time.plus_seconds(STALLED_AFTER_SECONDS) <= now)
    }

    /// Returns the sort key in the list of due deletions.
    pub(super) fn due_key(&self) -> String {
        format!("{}#{}", self.erased_from, self.user)
    }
}

pub(super) async fn find(app: &App, user: UserId) -> Result<Option<Deletion>> {
    app.table.get(&key(user)).await
}

/// Returns the next deletions whose erasure is due, the earliest first.
pub(super) async fn due(app: &App, after: Option<String>, rows: usize) -> Result<Vec<Deletion>> {
    let low = after.unwrap_or_else(|| "0".to_owned());
    // `~` sorts after all IDs, so deletions that are due at exactly this millisecond are included.
    let query = Query::index(Index::Gsi1, DUE).between(low, format!("{}#~", app.now()));
    app.table.query(&query.limit(rows)).await
}

pub(super) fn key(user: UserId) -> Key {
    Key::new(user.partition(), "LEAVING")
}

/// `USER#id / LEAVING`, gsi1 `DUE#LEAVING / time#id`
impl Row for Deletion {
    fn key(&self) -> Key {
        key(self.user)
    }

    fn indexes(&self) -> Vec<(Index, Key)> {
        vec![(Index::Gsi1, Key::new(DUE, self.due_key()))]
    }
}
