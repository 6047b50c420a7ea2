//! Reads the list of likers of a post. The list consists of rows of likers, and of the open segment in the post's row.

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
        user_list::{Entry, EntryBatch, shown_rows, user_page},
    },
    partition,
    reading::visible::find_meant,
};

/// Returns a page of the users who like a post, newest like first.
///
/// Includes the viewer's own like immediately, and other likes when they are counted. The page has fewer users if many
/// of the likes were removed or are hidden.
///
/// # Errors
/// Fails with [`platform::Error::NotFound`] if the post does not exist or its visibility excludes the viewer.
pub async fn likers(
    app: &App,
    viewer: Option<UserId>,
    post: PostId,
    cursor: Cursor<Position>,
) -> Result<Page<FollowRow>> {
    // Read before the post. If the like is counted in between, the post lists it, and `shown_rows` shows it once.
    let mut own = match viewer.filter(|_| cursor.after.is_none()) {
        Some(viewer) => uncounted_like(app, viewer, post).await?,
        None => None,
    };
    let post = find_meant(app, viewer, post).await?;
    let after = resolve_cursor(app, post.id, cursor.after).await?;
    let mut page = FillingPage::sparing(Cursor { after, ..cursor });
    while let Some(cursor) = page.to_read() {
        let EntryBatch { found, last, read } = next(app, &post, cursor).await?;
        let found = own.take().into_iter().chain(found).collect();
        page.add(shown_rows(app, viewer, found).await?, last, read);
    }
    Ok(user_page(page))
}

/// Returns the list position for a cursor. If the cursor is a user ID, returns that user's last position in the list.
///
/// Returns `None` if the user's like has no position, because it has not been counted. The page then starts at the head
/// of the list.
async fn resolve_cursor(app: &App, post: PostId, after: Option<Position>) -> Result<Option<Position>> {
    let Some(after) = after else { return Ok(None) };
    let engagement = engagements::find(app, UserId::from(Ulid::from(after)), post).await?;
    Ok(match engagement {
        Some(like) => like.place.filter(|_| like.counted || !like.liked),
        None => Some(after),
    })
}

/// Returns the viewer's own like if it has not been counted yet. Such a like has no position in the list yet, so the
/// viewer's public ID serves as its cursor.
async fn uncounted_like(app: &App, viewer: UserId, post: PostId) -> Result<Option<Entry>> {
    let engagement = engagements::find(app, viewer, post).await?;
    let uncounted = engagement.filter(|like| like.liked && !like.counted);
    Ok(uncounted.map(|_| Entry { at: Position::from(Ulid::from(viewer.public())), user: viewer }))
}

/// Returns the next likers in the list. Reads one more liker than the page needs. Omits a position if the
/// liker's engagement has another position or no counted like.
async fn next(app: &App, post: &Post, Cursor { take, after }: Cursor<Position>) -> Result<EntryBatch> {
    let wanted = take.rows() + 1;
    let newest = after.map_or_else(|| format!("{SK_PREFIX}~"), |at| sk(row_of(at)));
    let query = Query::partition(partition(post.id)).between(SK_PREFIX, newest).newest_first();
    // Each row has at least one liker for this page, except possibly the cursor's own row. So one extra row is read.
    let rows: Vec<Likers> = app.table.query(&query.limit(wanted + 1)).await?;
    // The open segment may also exist as a row, because a failed batch may have written that row.
    let open = post.likers.read(post.id);
    let positions = rows.iter().chain(&open).flat_map(Likers::positions);
    let positions: BTreeMap<_, _> = positions.filter(|(at, _)| after.is_none_or(|high| *at < high)).collect();
    let newest = positions.into_iter().rev().take(wanted);
    let mut found: Vec<_> = newest.map(|(at, user)| Entry { at, user }).collect();
    let (last, read) = (found.last().map(|entry| entry.at), found.len());
    let people: Vec<_> = found.iter().map(|entry| entry.user).collect::<HashSet<_>>().into_iter().collect();
    let engagements = engagements::of_people(app, &people, post.id).await?;
    let position =
        |like: &Engagement| like.place.filter(|_| like.liked && like.counted).map(|at| (like.user, at));
    let confirmed: HashSet<_> = engagements.iter().filter_map(position).collect();
    found.retain(|entry| confirmed.contains(&(entry.user, entry.at)));
    Ok(EntryBatch { found, last, read })
}
