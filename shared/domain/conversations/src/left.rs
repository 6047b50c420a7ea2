//! The row that records that a user left a group. Export and account deletion use it to find the user's messages in
//! that group.

use base::{GroupId, UserId};
use platform::{App, Key, Query, Result, Row};
use serde::{Deserialize, Serialize};

const LEFT_PREFIX: &str = "LEFTGROUP#";

#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(super) struct LeftGroup {
    pub(super) user: UserId,
    pub(super) group: GroupId,
}

/// Returns the next group that a user left, together with its cursor. Returns `None` after the last group.
pub async fn left_after(app: &App, user: UserId, after: Option<String>) -> Result<Option<(String, GroupId)>> {
    let after = after.map_or_else(|| LEFT_PREFIX.to_owned(), |group| format!("{LEFT_PREFIX}{group}#"));
    let query = Query::partition(user.partition()).between(after, format!("{LEFT_PREFIX}~"));
    let found: Vec<LeftGroup> = app.table.query(&query.consistent().limit(1)).await?;
    Ok(found.into_iter().next().map(|row| (row.group.to_string(), row.group)))
}

/// `USER#u / LEFTGROUP#group`
impl Row for LeftGroup {
    fn key(&self) -> Key {
        Key::new(self.user.partition(), format!("{LEFT_PREFIX}{}", self.group))
    }
}
