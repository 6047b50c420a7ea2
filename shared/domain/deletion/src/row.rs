//! The row of somebody who leaves.

use base::ids::UserId;
use platform::{
    App, Result,
    table::{Index, Key, Query, Row},
    time::{HOUR_SECONDS, Time},
};
use serde::{Deserialize, Serialize};

/// When what is left is erased: no request of the person is under way any more, and all they caused was delivered.
const ERASED_AFTER_SECONDS: i64 = HOUR_SECONDS;
/// A job that did not go on for so long was lost, or left something: it begins again.
const STANDS_STILL_SECONDS: i64 = HOUR_SECONDS / 2;
const DUE: &str = "DUE#LEAVING";

/// Somebody who leaves. It is deleted when nothing else is left of them.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Deletion {
    /// The user.
    pub(super) user: UserId,
    /// The time of the deletion.
    pub(super) began_at: Time,
    /// The time from which on what is left is erased.
    pub(super) erased_from: Time,
    /// The time at which a job last went on.
    moved_at: Option<Time>,
}

impl Deletion {
    /// Returns the row of a user who leaves now.
    pub(super) fn new(app: &App, user: UserId) -> Self {
        let now = app.now();
        Self { user, began_at: now, erased_from: now.plus_seconds(ERASED_AFTER_SECONDS), moved_at: None }
    }

    /// Whether no job went on for half an hour.
    pub(super) fn stands_still(&self, now: Time) -> bool {
        self.moved_at.is_none_or(|it| it.plus_seconds(STANDS_STILL_SECONDS) <= now)
    }

    /// Returns its sort key among those that are due.
    pub(super) fn due_key(&self) -> String {
        format!("{}#{}", self.erased_from, self.user)
    }
}

/// Returns the row of a user who leaves.
pub(super) async fn find(app: &App, user: UserId) -> Result<Option<Deletion>> {
    app.table.get(&key(user)).await
}

/// Returns the next of those of whom what is left may be erased, the soonest first.
pub(super) async fn due(app: &App, after: Option<String>, rows: usize) -> Result<Vec<Deletion>> {
    let low = after.unwrap_or_else(|| "0".to_owned());
    // `~` sorts after all ids, so what is due at this very millisecond is included.
    let query = Query::index(Index::Gsi1, DUE).between(low, format!("{}#~", app.now()));
    app.table.query(&query.limit(rows)).await
}

/// Returns the key of the row.
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
