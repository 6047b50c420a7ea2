//! What somebody made that lies elsewhere and is in no list of theirs: so that they find it when they leave.

use base::ids::UserId;
use platform::{
    App, Result,
    table::{Key, Query, Row, Write},
};
use serde::{Deserialize, Serialize};
use strum::AsRefStr;

const PREFIX: &str = "MADE#";

/// A kind of what somebody made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, AsRefStr, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
#[strum(serialize_all = "SCREAMING_SNAKE_CASE")]
pub enum MadeKind {
    /// A report.
    Report,
    /// A request to join a circle.
    JoinRequest,
    /// An appeal against what moderation did.
    Appeal,
}

/// Something that a user made.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Made {
    user: UserId,
    /// What it is.
    pub kind: MadeKind,
    /// The id of what was made, or of what it was made for.
    pub id: String,
}

impl Made {
    /// Returns what a user makes.
    pub fn new(user: UserId, kind: MadeKind, id: impl ToString) -> Self {
        Self { user, kind, id: id.to_string() }
    }

    /// Returns the write of this row, for the transaction of what is made.
    pub fn made_write(&self) -> Write {
        Write::put(self)
    }

    /// Returns the write that takes away what followed from it and was delivered long since.
    pub fn clear_outbox_write(&self) -> Write {
        Write::update(self.key()).clear_outbox().exists()
    }
}

/// Returns the next of what a user made, and the sort key at which they end.
pub async fn page(
    app: &App,
    user: UserId,
    after: Option<String>,
    rows: usize,
) -> Result<(Vec<Made>, Option<String>)> {
    let query = Query::partition(user.partition()).prefix_from(PREFIX, after).consistent();
    app.table.next_page(query, rows).await
}

/// Returns the newest of one kind that a user made, behind one of them.
pub async fn newest(
    app: &App,
    user: UserId,
    kind: MadeKind,
    behind: Option<impl ToString>,
    rows: usize,
) -> Result<Vec<Made>> {
    let prefix = format!("{PREFIX}{}#", kind.as_ref());
    let behind = behind.map(|it| it.to_string());
    let high = format!("{prefix}{}", behind.as_deref().unwrap_or("~"));
    let query = Query::partition(user.partition()).between(prefix, high).newest_first().limit(rows + 1);
    // BETWEEN includes both ends, so the entry behind which the page begins is among the results.
    let mut made: Vec<Made> = app.table.query(&query).await?;
    made.retain(|it| Some(&it.id) != behind.as_ref());
    made.truncate(rows);
    Ok(made)
}

/// `USER#u / MADE#kind#id`
impl Row for Made {
    fn key(&self) -> Key {
        Key::new(self.user.partition(), format!("{PREFIX}{}#{}", self.kind.as_ref(), self.id))
    }
}
