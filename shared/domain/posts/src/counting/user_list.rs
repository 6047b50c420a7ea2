//! Lists of the users who like or reposted a post, newest first.

use std::collections::HashMap;

use base::{Position, UserId};
use people::{FollowRow, follows::visible_rows_of};
use platform::{App, FillingPage, Page, Result};

/// A user and their position in a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Entry {
    pub(crate) at: Position,
    pub(crate) user: UserId,
}

/// The result of one read of a list. `found` omits users who are no longer in the list. `last` is the last position
/// read, and `read` is the number of users read. Both include omitted users.
pub(crate) struct EntryBatch {
    pub(crate) found: Vec<Entry>,
    pub(crate) last: Option<Position>,
    pub(crate) read: usize,
}

/// Returns the position and the response row of each user. Omits banned and locked users, users that the viewer blocks,
/// and users that block the viewer.
pub(crate) async fn shown_rows(
    app: &App,
    viewer: Option<UserId>,
    found: Vec<Entry>,
) -> Result<Vec<(Position, FollowRow)>> {
    let people: Vec<_> = found.iter().map(|entry| entry.user).collect();
    let rows = visible_rows_of(app, viewer, &people).await?;
    let mut rows: HashMap<_, _> = rows.into_iter().collect();
    Ok(found.into_iter().filter_map(|entry| Some((entry.at, rows.remove(&entry.user)?))).collect())
}

/// Returns the users of a page, without their positions.
pub(crate) fn user_page(page: FillingPage<(Position, FollowRow), Position>) -> Page<FollowRow> {
    page.page(|(at, _)| at.to_string()).map(|(_, row)| row)
}
