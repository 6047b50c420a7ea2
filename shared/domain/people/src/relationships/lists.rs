//! The lists of whom a user blocks and of whom they mute, newest first.

use base::ids::{Position, UserId};
use platform::{
    App,
    error::{Error, Result},
    table::{Index, Key, Query, Write},
};

use super::{Relationship, key};

/// The two lists of relationships. Each has an index, so that it is read without the others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Listed {
    /// Whom the user blocks.
    Blocked,
    /// Whom the user mutes.
    Muted,
}

impl Listed {
    /// Adds to a write of the user's relationship that it is in this list from now on, at a position.
    pub fn add_write(self, write: Write, user: UserId, at: Position) -> Write {
        let (index, key) = self.key(user, at);
        let (flag, position) = self.attributes();
        write.set(flag, true).set(position, at).index_key(index, Some(key))
    }

    /// Adds to a write of the user's relationship that it is in this list no more. Its position stays: a client's cursor
    /// may name it.
    pub fn remove_write(self, write: Write) -> Write {
        let (flag, _) = self.attributes();
        write.set(flag, false).index_key(self.index(), None)
    }

    pub(super) fn key(self, user: UserId, at: Position) -> (Index, Key) {
        (self.index(), Key::new(self.partition(user), at.to_string()))
    }

    fn attributes(self) -> (&'static str, &'static str) {
        match self {
            Self::Blocked => ("blocks", "blockedAt"),
            Self::Muted => ("mutes", "mutedAt"),
        }
    }

    fn index(self) -> Index {
        match self {
            Self::Blocked => Index::Gsi1,
            Self::Muted => Index::Gsi2,
        }
    }

    fn partition(self, user: UserId) -> String {
        match self {
            Self::Blocked => format!("BLOCKED#{user}"),
            Self::Muted => format!("MUTED#{user}"),
        }
    }
}

/// Returns the next people of a user's list behind a position, newest first.
pub async fn listed(
    app: &App,
    user: UserId,
    list: Listed,
    before: Option<Position>,
    rows: usize,
) -> Result<Vec<UserId>> {
    let query = Query::index(list.index(), list.partition(user)).newest_first().before(before).limit(rows);
    let found: Vec<Relationship> = app.table.query(&query).await?;
    Ok(found.into_iter().map(|it| it.other).collect())
}

/// Returns the position of somebody who is, or was, in a user's list.
///
/// # Errors
/// [`Error::Invalid`] for somebody who never was.
pub async fn position(app: &App, user: UserId, list: Listed, other: UserId) -> Result<Position> {
    let found: Option<Relationship> = app.table.get(&key(user, other)).await?;
    let position = found.and_then(|it| match list {
        Listed::Blocked => it.blocked_at,
        Listed::Muted => it.muted_at,
    });
    position.ok_or(Error::invalid("after", "must be a user of this list"))
}
