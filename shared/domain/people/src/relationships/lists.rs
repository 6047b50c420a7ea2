//! Lists of the users that a user blocks or mutes, newest first.

use base::{Position, UserId};
use platform::{App, Error, Index, Key, Query, Result, Write};

use super::{Relationship, key};

/// A user's list of blocked or muted users. Each list has its own index.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Listed {
    /// Users that the user blocks.
    Blocked,
    /// Users that the user mutes.
    Muted,
}

impl Listed {
    /// Extends the write of a relationship row to add the other user to this list at the position `at`.
    pub fn add_write(self, write: Write, user: UserId, at: Position) -> Write {
        let (index, key) = self.key(user, at);
        let (flag, position) = self.attributes();
        write.set(flag, true).set(position, at).index_key(index, Some(key))
    }

    /// Extends the write of a relationship row to remove the other user from this list. The row keeps the position,
    /// because a client's cursor may refer to the other user.
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

/// Returns up to `rows` users from a list, newest first. If `before` is given, returns only users with an older
/// position.
pub async fn listed(
    app: &App,
    user: UserId,
    list: Listed,
    before: Option<Position>,
    rows: usize,
) -> Result<Vec<UserId>> {
    let query = Query::index(list.index(), list.partition(user)).newest_first().before(before).limit(rows);
    let found: Vec<Relationship> = app.table.query(&query).await?;
    Ok(found.into_iter().map(|relationship| relationship.other).collect())
}

/// Returns the position of the user `other` in a list, even if `other` is no longer in the list.
///
/// # Errors
/// Fails with [`Error::Invalid`] if `other` was never in the list.
pub async fn position(app: &App, user: UserId, list: Listed, other: UserId) -> Result<Position> {
    let found: Option<Relationship> = app.table.get(&key(user, other)).await?;
    let position = found.and_then(|relationship| match list {
        Listed::Blocked => relationship.blocked_at,
        Listed::Muted => relationship.muted_at,
    });
    position.ok_or(Error::invalid("after", "must be a user in this list"))
}
