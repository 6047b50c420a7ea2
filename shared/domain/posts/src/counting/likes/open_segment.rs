//! The open segment holds the latest likers of a post. The segment is stored in the post's row, because every batch
//! writes that row anyway.
//!
//! When the segment is full, it becomes a row in which every liker keeps their position.

use base::{Position, PostId, UserId, packed};
use serde::{Deserialize, Serialize};
use ulid::Ulid;

use super::row::{Likers, row_of};

/// The attribute of a post that stores the open segment.
pub(super) const ATTRIBUTE: &str = "likers";

/// The open segment of a post. The first item is the position of the segment's future row. The other items are the
/// users who like the post. The list is empty if there are none.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct OpenSegment(#[serde(with = "packed")] Vec<Ulid>);

impl OpenSegment {
    /// Returns whether the segment has no likers.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(super) fn has(&self, position: Position) -> bool {
        self.0.first() == Some(&row_of(position).into())
    }

    /// Returns the segment as a row of likers, or `None` if the segment is empty.
    pub(super) fn read(&self, post: PostId) -> Option<Likers> {
        let (at, users) = self.0.split_first()?;
        let users = users.iter().copied().map(UserId::from).collect();
        Some(Likers { post, at: Position::from(*at), users })
    }
}

impl From<&Likers> for OpenSegment {
    fn from(Likers { at, users, .. }: &Likers) -> Self {
        Self([Ulid::from(*at)].into_iter().chain(users.iter().copied().map(Ulid::from)).collect())
    }
}

/// Returns the number of likers that fit in a segment of `bytes` bytes.
pub(super) fn likers_in(bytes: usize) -> usize {
    (bytes.saturating_sub(ATTRIBUTE.len()) / packed::ID_BYTES).saturating_sub(1)
}
