//! Lists of people below a post, the newest first: who likes it, who reposted it.

use std::collections::HashMap;

use base::ids::{Position, UserId};
use people::follows::{FollowRow, shown_rows_of};
use platform::{
    App, Result,
    page::{FillingPage, Page},
};

/// Somebody, and where they are in the list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Placed {
    pub(crate) at: Position,
    pub(crate) user: UserId,
}

/// What was read of a list: who is in it, and the last of so many places that were looked at.
pub(crate) struct Reading {
    pub(crate) found: Vec<Placed>,
    pub(crate) last: Option<Position>,
    pub(crate) read: usize,
}

/// Returns those of these people whom a list shows, each with their place: nobody who is banned or locked, and nobody
/// whom a block separates from the viewer.
pub(crate) async fn shown(
    app: &App,
    viewer: Option<UserId>,
    found: Vec<Placed>,
) -> Result<Vec<(Position, FollowRow)>> {
    let people: Vec<_> = found.iter().map(|it| it.user).collect();
    let rows = shown_rows_of(app, viewer, &people).await?;
    let mut rows: HashMap<_, _> = rows.into_iter().collect();
    Ok(found.into_iter().filter_map(|placed| Some((placed.at, rows.remove(&placed.user)?))).collect())
}

/// Returns the page of those who were added with their places.
pub(crate) fn page_of(page: FillingPage<(Position, FollowRow), Position>) -> Page<FollowRow> {
    page.page(|(at, _)| at.to_string()).map(|(_, row)| row)
}
