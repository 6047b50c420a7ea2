//! Index of the reports, join requests and appeals that a user made, for account deletion and export.

use base::UserId;
use platform::{App, Key, Query, Result, Row, Write};
use serde::{Deserialize, Serialize};
use strum::AsRefStr;

const PREFIX: &str = "MADE#";

/// The kind of an indexed row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, AsRefStr, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
#[strum(serialize_all = "SCREAMING_SNAKE_CASE")]
pub enum MadeKind {
    /// A report.
    Report,
    /// A request to join a circle.
    JoinRequest,
    /// An appeal against a moderation decision.
    Appeal,
}

/// An index entry for a row that a user made.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Made {
    user: UserId,
    /// The kind of the row.
    pub kind: MadeKind,
    /// The ID of the report or appeal. For a join request, the ID of the circle.
    pub id: String,
}

impl Made {
    /// Returns an index entry.
    pub fn new(user: UserId, kind: MadeKind, id: impl ToString) -> Self {
        Self { user, kind, id: id.to_string() }
    }

    /// Returns the write of this entry, for the transaction that creates the indexed row.
    pub fn made_write(&self) -> Write {
        Write::put(self)
    }

    /// Returns the write that clears the entry's delivered outbox.
    pub fn clear_outbox_write(&self) -> Write {
        Write::update(self.key()).clear_outbox().exists()
    }
}

/// Returns the user's next entries. Also returns the sort key of the last entry if more entries may exist.
pub async fn page(
    app: &App,
    user: UserId,
    after: Option<String>,
    rows: usize,
) -> Result<(Vec<Made>, Option<String>)> {
    let query = Query::partition(user.partition()).prefix_from(PREFIX, after).consistent();
    app.table.next_page(query, rows).await
}

/// Returns up to `rows` entries of one kind that are older than the ID `after`, newest first.
pub async fn newest(
    app: &App,
    user: UserId,
    kind: MadeKind,
    after: Option<impl ToString>,
    rows: usize,
) -> Result<Vec<Made>> {
    let prefix = format!("{PREFIX}{}#", kind.as_ref());
    let query = Query::partition(user.partition()).prefix_before(prefix, after);
    app.table.query(&query.newest_first().limit(rows)).await
}

/// `USER#u / MADE#kind#id`
impl Row for Made {
    fn key(&self) -> Key {
        Key::new(self.user.partition(), format!("{PREFIX}{}#{}", self.kind.as_ref(), self.id))
    }
}
