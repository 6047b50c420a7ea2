//! A row of people who like a post, and the places in it.
//!
//! Such a row is written before the batch's transaction, and never trusted: whoever it names is listed by it only
//! while their own engagement says so. So a batch that was refused, a like that was taken back, and a like that was
//! given again leave nothing wrong behind, and whoever likes a post is listed once, at their newest place.

use base::{
    ids::{Position, PostId, UserId},
    packed,
};
use platform::{
    App,
    error::Result,
    retry_on_conflict,
    table::{Key, Row, Write},
};
use serde::{Deserialize, Serialize};
use ulid::Ulid;

use crate::{counting::engagements::Engagement, partition};

pub(super) const SK_PREFIX: &str = "LIKERS#";
/// The lowest bits of a position: those of a row are 0, and those of a place in it count its people.
const PLACE_BITS: u32 = 7;
const PLACE_MASK: u128 = (1 << PLACE_BITS) - 1;

/// The bits of an id beside its time.
const RANDOM_MASK: u128 = (1 << 80) - 1;
/// Whose place is vacant.
const NONE: Ulid = Ulid(0);

/// People whose likes were counted, one after the other or by one batch.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Likers {
    pub(super) post: PostId,
    pub(super) at: Position,
    /// The first like first, so that the places of later ones are higher.
    #[serde(with = "packed")]
    pub(super) users: Vec<UserId>,
}

/// The same people as a value of the row.
#[derive(Serialize)]
#[serde(transparent)]
struct PackedUsers<'a>(#[serde(with = "packed")] &'a [UserId]);

impl Likers {
    /// Returns the place of a user among all who like the post.
    pub(super) fn place(&self, user: UserId) -> Option<Position> {
        let index = self.users.iter().position(|liker| *liker == user)?;
        Some(place(self.at, index))
    }

    /// Returns all places, and who is there.
    pub(super) fn places(&self) -> impl Iterator<Item = (Position, UserId)> {
        self.users.iter().enumerate().map(|(index, user)| (place(self.at, index), *user))
    }

    /// Empties the places of these people; all others stay where they are.
    pub(super) fn vacated(&self, leaves: impl Fn(UserId) -> bool) -> Self {
        let vacated = |user: &UserId| if leaves(*user) { UserId::from(NONE) } else { *user };
        Self { users: self.users.iter().map(vacated).collect(), ..*self }
    }

    /// Returns itself where anybody is in it.
    pub(super) fn inhabited(self) -> Option<Self> {
        self.users.iter().any(|user| Ulid::from(*user) != NONE).then_some(self)
    }

    /// Returns the write of a row that others may be writing too, at the same time: the longer one stays.
    pub(super) fn grow_write(&self) -> Write {
        Write::put(self).shorter_or_lacks("users", packed::ID_BYTES * self.users.len() + 1)
    }
}

/// Takes a user's id out of the row of their place, which stays empty: the id stands in one row of a post at most, and
/// the engagement knows which. Repeating changes nothing.
///
/// # Errors
/// [`platform::Error::LimitReached`] when others keep changing the row.
pub(super) async fn vacate_row(app: &App, engagement: &Engagement) -> Result<()> {
    let &Engagement { user, post, place: Some(at), .. } = engagement else { return Ok(()) };
    let key = Key::new(partition(post), sk(row_of(at)));
    retry_on_conflict(async || {
        let Some(before) = app.table.get::<Likers>(&key).await? else { return Ok(()) };
        if before.place(user).is_none() {
            return Ok(());
        }
        let write = Write::put(&before.vacated(|liker| liker == user));
        app.table.write(write.equals("users", PackedUsers(&before.users))).await
    })
    .await
}

/// Returns the row of people whose likes of a post are counted together, and the place of each in it. The id gives the
/// position of the row.
pub fn liked_by(post: PostId, id: Ulid, users: Vec<UserId>) -> (Likers, Vec<Position>) {
    let likers = Likers { post, at: row_at(id), users };
    let places = likers.places().map(|(place, _)| place).collect();
    (likers, places)
}

/// Returns the position of a new row: an id makes room for the places. Ids of the same moment follow each other, and so do
/// their rows.
pub(super) fn row_at(id: Ulid) -> Position {
    Position::from(Ulid::from_parts(id.timestamp_ms(), (id.random() << PLACE_BITS) & RANDOM_MASK))
}

/// Returns the position of the row that a place is in.
pub(super) fn row_of(place: Position) -> Position {
    Position::from(Ulid(Ulid::from(place).0 & !PLACE_MASK))
}

fn place(row: Position, index: usize) -> Position {
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
