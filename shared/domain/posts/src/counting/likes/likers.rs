//! The list of who likes a post, read from its rows and from the open page on the post.

use std::collections::{BTreeMap, HashSet};

use base::ids::{Position, PostId, UserId};
use people::follows::FollowRow;
use platform::{
    App,
    error::Result,
    page::{Cursor, FillingPage, Page},
    table::Query,
};
use ulid::Ulid;

use super::row::{Likers, SK_PREFIX, row_of, sk};
use crate::{
    Post,
    counting::{
        engagements::{self, Engagement},
        placed::{Placed, Reading, page_of, shown},
    },
    partition,
    reading::visible::find_meant,
};

/// Returns a page of those who like a post, the newest like first: the viewer's own at once, others when they are
/// counted. Where 10 times as many in a row have taken their like back, or are not shown, the page stays short.
///
/// # Errors
/// [`platform::Error::NotFound`] when there is no such post, and when it is not meant for the viewer.
pub async fn likers(
    app: &App,
    viewer: Option<UserId>,
    post: PostId,
    cursor: Cursor<Position>,
) -> Result<Page<FollowRow>> {
    let post = find_meant(app, viewer, post).await?;
    let after = begin_behind(app, post.id, cursor.after).await?;
    let mut own = match viewer.filter(|_| cursor.after.is_none()) {
        Some(viewer) => uncounted_like(app, viewer, post.id).await?,
        None => None,
    };
    let mut page = FillingPage::new(Cursor { after, ..cursor });
    while let Some(cursor) = page.to_read() {
        let Reading { found, last, read } = next(app, &post, cursor).await?;
        let found = own.take().into_iter().chain(found).collect();
        page.add(shown(app, viewer, found).await?, last, read);
    }
    Ok(page_of(page))
}

/// Returns the place that a cursor names: itself, or where the person is or was whom it names; none for one whose like
/// is not counted yet, who is at the head.
async fn begin_behind(app: &App, post: PostId, after: Option<Position>) -> Result<Option<Position>> {
    let Some(after) = after else { return Ok(None) };
    let engagement = engagements::find(app, UserId::from(Ulid::from(after)), post).await?;
    Ok(match engagement {
        Some(like) if like.liked && !like.counted => None,
        Some(like) => like.place.or(Some(after)),
        None => Some(after),
    })
}

/// Returns the viewer's own like while it is not counted. Its position is the viewer's id, for a place of its own it has
/// not yet.
async fn uncounted_like(app: &App, viewer: UserId, post: PostId) -> Result<Option<Placed>> {
    let engagement = engagements::find(app, viewer, post).await?;
    let uncounted = engagement.filter(|like| like.liked && !like.counted);
    Ok(uncounted.map(|_| Placed { at: Position::from(Ulid::from(viewer)), user: viewer }))
}

/// Reads one place more than a page has, and keeps those whose like stands there.
async fn next(app: &App, post: &Post, Cursor { take, after }: Cursor<Position>) -> Result<Reading> {
    let wanted = take.rows() + 1;
    let newest = after.map_or_else(|| format!("{SK_PREFIX}~"), |place| sk(row_of(place)));
    let query = Query::partition(partition(post.id)).between(SK_PREFIX, newest).newest_first();
    // Each row has one at least, but that of the cursor, whose others may be behind it.
    let rows: Vec<Likers> = app.table.query(&query.limit(wanted + 1)).await?;
    // The open page may be a row by now, or have been written as one by a batch that was refused.
    let open = post.likers.read(post.id);
    let places = rows.iter().chain(&open).flat_map(Likers::places);
    let places: BTreeMap<_, _> = places.filter(|(at, _)| after.is_none_or(|high| *at < high)).collect();
    let newest = places.into_iter().rev().take(wanted);
    let mut found: Vec<_> = newest.map(|(at, user)| Placed { at, user }).collect();
    let (last, read) = (found.last().map(|it| it.at), found.len());
    let people: Vec<_> = found.iter().map(|it| it.user).collect::<HashSet<_>>().into_iter().collect();
    let engagements = engagements::of_people(app, &people, post.id).await?;
    let stands =
        |like: &Engagement| like.place.filter(|_| like.liked && like.counted).map(|at| (like.user, at));
    let standing: HashSet<_> = engagements.iter().filter_map(stands).collect();
    found.retain(|placed| standing.contains(&(placed.user, placed.at)));
    Ok(Reading { found, last, read })
}
