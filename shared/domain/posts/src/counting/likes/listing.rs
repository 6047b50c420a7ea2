//! What a batch of likes changes in the list of who likes a post.

use base::ids::{Position, UserId};
use platform::{Result, table::bytes_to_grow};
use ulid::Ulid;

use super::{
    open_page::{self, OpenPage},
    row::Likers,
};
use crate::{Post, counting::engagements::Engagement};

/// The most people on an open page: each sixth like that is applied alone writes a row. More make lists of posts dearer.
const OPEN_MAX: usize = 6;
/// What the other attributes of a post may grow by while the page is open: its counts.
const SPARE_BYTES: usize = 24;

/// Where a batch puts those whose likes it counts: on the open page while there is room, else on a new one.
pub(super) struct Listing {
    /// The open page afterwards; none when nobody is there.
    open: Option<Likers>,
    /// The open page before, where it makes room for a new one. A row of it has those alone whose likes are counted: another
    /// batch that closes the page at the same time writes the same, or a longer one.
    pub(super) closed: Option<Likers>,
    /// The row of those who are too many for a page.
    pub(super) row: Option<Likers>,
}

impl Listing {
    /// Lists the likes of a batch, and has those leave the open page who took theirs back.
    ///
    /// # Errors
    /// Fails when the post cannot be stored.
    pub(super) fn of(post: &Post, at: Position, open_at: Position, applied: &[Engagement]) -> Result<Self> {
        let (new, room) = (likers(applied), room(post)?);
        let listed = |at, users| Likers { post: post.id, at, users }.inhabited();
        Ok(match post.likers.read(post.id) {
            Some(page) if page.users.len() + new.len() <= room => {
                let page = page.vacated(|user| applied.iter().any(|like| like.user == user));
                let open = listed(page.at, [page.users, new].concat());
                Self { open, closed: None, row: None }
            }
            closed if new.len() <= room => {
                Self { open: listed(behind(closed.as_ref(), open_at), new), closed, row: None }
            }
            closed => Self { open: None, row: listed(behind(closed.as_ref(), at), new), closed },
        })
    }

    /// Returns the place of somebody whose like the batch counts.
    pub(super) fn place(&self, user: UserId) -> Option<Position> {
        [&self.open, &self.row].into_iter().flatten().find_map(|it| it.place(user))
    }

    /// Returns the open page as it lies on the post.
    pub(super) fn open_page(&self) -> Option<OpenPage> {
        self.open.as_ref().map(OpenPage::from)
    }
}

/// Returns the position, or a later one where the closed page would be newer by the clock of whoever opened it.
fn behind(closed: Option<&Likers>, at: Position) -> Position {
    let at = Ulid::from(at);
    let soonest = closed.map_or(0, |page| Ulid::from(page.at).timestamp_ms() + 1);
    Position::from(Ulid::from_parts(at.timestamp_ms().max(soonest), at.random()))
}

/// Returns how many people may be on a post's open page: with them its row costs as much as without.
fn room(post: &Post) -> Result<usize> {
    let bytes = bytes_to_grow(&Post { likers: OpenPage::default(), ..post.clone() })?;
    Ok(open_page::people_in(bytes.saturating_sub(SPARE_BYTES)).min(OPEN_MAX))
}

/// Returns those of these people who like the post, the first like first.
fn likers(applied: &[Engagement]) -> Vec<UserId> {
    let mut likes: Vec<_> = applied.iter().filter(|it| it.liked).collect();
    likes.sort_unstable_by_key(|like| (like.liked_at, like.user));
    likes.into_iter().map(|it| it.user).collect()
}
