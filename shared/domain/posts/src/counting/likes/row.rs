//! Rows of likers of a post, and the positions of likers.
//!
//! A row is written before the transaction that applies the likes, so it may contain likes that were not applied. A
//! liker is listed only if their engagement has the same position. Failed batches, unlikes and repeated likes therefore
//! cause no wrong or duplicate entries.

use base::{Position, PostId, UserId, packed};
use platform::{App, Key, Result, Row, Write, retry_on_conflict};
use serde::{Deserialize, Serialize};
use ulid::Ulid;

use crate::{counting::engagements::Engagement, partition};

pub(super) const SK_PREFIX: &str = "LIKERS#";
/// Number of low bits in a position that hold the liker's index in the row. These bits are 0 in the position of the row
/// itself.
const INDEX_BITS: u32 = 7;
const INDEX_MASK: u128 = (1 << INDEX_BITS) - 1;

/// Mask of the 80 random bits of a ULID.
const RANDOM_MASK: u128 = (1 << 80) - 1;
/// The user ID stored at an empty position.
const NONE: Ulid = Ulid(0);

/// A row of users who like a post, written by one or several batches.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Likers {
    pub(super) post: PostId,
    pub(super) at: Position,
    /// The users, sorted by the time of their like, so that later likes have higher positions.
    #[serde(with = "packed")]
    pub(super) users: Vec<UserId>,
}

/// The users of a row as an attribute value.
#[derive(Serialize)]
#[serde(transparent)]
struct PackedUsers<'a>(#[serde(with = "packed")] &'a [UserId]);

impl Likers {
    pub(super) fn position(&self, user: UserId) -> Option<Position> {
        let index = self.users.iter().position(|liker| *liker == user)?;
        Some(position_in(self.at, index))
    }

    pub(super) fn positions(&self) -> impl Iterator<Item = (Position, UserId)> {
        self.users.iter().enumerate().map(|(index, user)| (position_in(self.at, index), *user))
    }

    /// Returns the row without the users for which `is_removed` returns true. Their positions are empty. All other
    /// users keep their positions.
    pub(super) fn without(&self, is_removed: impl Fn(UserId) -> bool) -> Self {
        let remaining = |user: &UserId| if is_removed(*user) { UserId::from(NONE) } else { *user };
        Self { users: self.users.iter().map(remaining).collect(), ..*self }
    }

    pub(super) fn non_empty(self) -> Option<Self> {
        self.users.iter().any(|user| Ulid::from(*user) != NONE).then_some(self)
    }

    /// Returns the write that stores the row, unless the stored row has more likers. Concurrent batches may write the
    /// same row.
    pub(super) fn grow_write(&self) -> Write {
        Write::put(self).shorter_or_lacks("users", packed::ID_BYTES * self.users.len() + 1)
    }
}

/// Removes the user of `engagement` from the row of likers. The user's position stays empty. Repeating has no effect.
/// Fails with [`platform::Error::LimitReached`] if concurrent changes cause too many conflicts.
pub(super) async fn remove_from_row(app: &App, engagement: &Engagement) -> Result<()> {
    let &Engagement { user, post, place: Some(at), .. } = engagement else { return Ok(()) };
    let key = Key::new(partition(post), sk(row_of(at)));
    retry_on_conflict(async || {
        let Some(before) = app.table.get::<Likers>(&key).await? else { return Ok(()) };
        if before.position(user).is_none() {
            return Ok(());
        }
        let write = Write::put(&before.without(|liker| liker == user));
        app.table.write(write.equals("users", PackedUsers(&before.users))).await
    })
    .await
}

/// Returns a row of users who like a post, and the position of each user. The position of the row is derived from `id`.
pub fn liked_by(post: PostId, id: Ulid, users: Vec<UserId>) -> (Likers, Vec<Position>) {
    let likers = Likers { post, at: row_at(id), users };
    let positions = likers.positions().map(|(position, _)| position).collect();
    (likers, positions)
}

/// Returns the position of a new row, derived from `id`. The bits for the index of a liker are 0.
pub(super) fn row_at(id: Ulid) -> Position {
    Position::from(Ulid::from_parts(id.timestamp_ms(), (id.random() << INDEX_BITS) & RANDOM_MASK))
}

/// Returns the position of the row that contains `position`.
pub(super) fn row_of(position: Position) -> Position {
    Position::from(Ulid(Ulid::from(position).0 & !INDEX_MASK))
}

fn position_in(row: Position, index: usize) -> Position {
    Position::from(Ulid(Ulid::from(row).0 | index as u128))
}

pub(super) fn sk(at: Position) -> String {
    format!("{SK_PREFIX}{at}")
}

/// `POST#id / LIKERS#position`
impl Row for Likers {
    fn key(&self) -> Key {
        Key::new(partition(self.post), sk(self.at))
    }
}
