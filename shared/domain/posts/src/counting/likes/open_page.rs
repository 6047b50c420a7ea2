//! The open page: those whose likes were counted last lie on the post itself, which their batches write anyway, until
//! they are enough for a row. In that row everybody has the place that they had on the page.

use base::{
    ids::{Position, PostId, UserId},
    packed,
};
use serde::{Deserialize, Serialize};
use ulid::Ulid;

use super::row::{Likers, row_of};

/// The attribute of a post that has it.
pub(super) const ATTRIBUTE: &str = "likers";

/// Who is on the open page of a post: the position of the row to be, and then they. Nothing while nobody is there.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct OpenPage(#[serde(with = "packed")] Vec<Ulid>);

impl OpenPage {
    /// Whether nobody is there.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether a place is on the page.
    pub(super) fn has(&self, place: Position) -> bool {
        self.0.first() == Some(&row_of(place).into())
    }

    /// Returns the row that the page of a post would be.
    pub(super) fn read(&self, post: PostId) -> Option<Likers> {
        let (at, users) = self.0.split_first()?;
        let users = users.iter().copied().map(UserId::from).collect();
        Some(Likers { post, at: Position::from(*at), users })
    }
}

impl From<&Likers> for OpenPage {
    fn from(Likers { at, users, .. }: &Likers) -> Self {
        Self([Ulid::from(*at)].into_iter().chain(users.iter().copied().map(Ulid::from)).collect())
    }
}

/// Returns how many people a page of so many bytes has.
pub(super) fn people_in(bytes: usize) -> usize {
    (bytes.saturating_sub(ATTRIBUTE.len()) / packed::ID_BYTES).saturating_sub(1)
}
