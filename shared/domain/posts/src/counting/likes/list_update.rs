//! Updates the list of likers of a post when a batch of likes is applied.

use base::{Position, UserId};
use platform::{Result, table::bytes_to_grow};
use ulid::Ulid;

use super::{Likers, OpenSegment, open_segment};
use crate::{Post, counting::engagements::Engagement};

/// Maximum number of likers in the open segment. The segment is part of the post's row, so a larger segment would make
/// lists of posts more expensive.
const OPEN_MAX: usize = 6;
/// Bytes in the post's row that the segment leaves free, because the post's counts may grow.
const SPARE_BYTES: usize = 24;

/// The changes that a batch makes to the list of likers.
///
/// New likers are added to the open segment if it has room. Otherwise the segment is closed, and the new likers go to a
/// new segment or to a row.
pub(super) struct ListUpdate {
    /// The open segment after the batch, or `None` if it is empty.
    open: Option<Likers>,
    /// The previous open segment, if the batch closes the segment and writes it as a row. A concurrent batch may write
    /// the same row or a longer version.
    pub(super) closed: Option<Likers>,
    /// The row of new likers, if the batch has too many likers for an open segment.
    pub(super) row: Option<Likers>,
}

impl ListUpdate {
    /// Returns the changes of the list for a batch. The new likers are added, and users who unliked the post are
    /// removed from the open segment. `at` and `open_at` are the positions of a new row and a new open segment. Fails
    /// if the post cannot be serialized.
    pub(super) fn of(post: &Post, at: Position, open_at: Position, applied: &[Engagement]) -> Result<Self> {
        let (new, room) = (likers(applied), room(post)?);
        let listed = |at, users| Likers { post: post.id, at, users }.non_empty();
        Ok(match post.likers.read(post.id) {
            Some(segment) if segment.users.len() + new.len() <= room => {
                let segment = segment.without(|user| applied.iter().any(|like| like.user == user));
                let open = listed(segment.at, [segment.users, new].concat());
                Self { open, closed: None, row: None }
            }
            closed if new.len() <= room => {
                Self { open: listed(after(closed.as_ref(), open_at), new), closed, row: None }
            }
            closed => Self { open: None, row: listed(after(closed.as_ref(), at), new), closed },
        })
    }

    /// Returns the list position of a user whose like the batch adds, or `None` for other users.
    pub(super) fn position(&self, user: UserId) -> Option<Position> {
        [&self.open, &self.row].into_iter().flatten().find_map(|likers| likers.position(user))
    }

    /// Returns the open segment as stored on the post, or `None` if it is empty.
    pub(super) fn open_segment(&self) -> Option<OpenSegment> {
        self.open.as_ref().map(OpenSegment::from)
    }
}

/// Returns the later of `at` and the first position after the closed segment. `at` can be too early if another
/// instance's clock is ahead.
fn after(closed: Option<&Likers>, at: Position) -> Position {
    let at = Ulid::from(at);
    let earliest = closed.map_or(0, |segment| Ulid::from(segment.at).timestamp_ms() + 1);
    Position::from(Ulid::from_parts(at.timestamp_ms().max(earliest), at.random()))
}

/// Returns the number of likers that fit in the open segment without raising the cost of reads and writes of the post's
/// row.
fn room(post: &Post) -> Result<usize> {
    let bytes = bytes_to_grow(&Post { likers: OpenSegment::default(), ..post.clone() })?;
    Ok(open_segment::likers_in(bytes.saturating_sub(SPARE_BYTES)).min(OPEN_MAX))
}

/// Returns the users who like the post, earliest like first.
fn likers(applied: &[Engagement]) -> Vec<UserId> {
    let mut likes: Vec<_> = applied.iter().filter(|like| like.liked).collect();
    likes.sort_unstable_by_key(|like| (like.liked_at, like.user));
    likes.into_iter().map(|like| like.user).collect()
}
