//! Lists of followers and followed users, newest first.

use std::collections::HashSet;

use base::ids::{Position, UserId};
use platform::{
    App,
    error::{Error, Result},
    page::{Cursor, Page},
    table::{Index, Query},
};
use serde::Serialize;
use utoipa::ToSchema;

use super::follow::{Follow, among, find, followers_partition, following_partition};
use crate::{
    relationships::{self, Surface},
    unique,
    users::{self, UserCard, Username},
};

/// A user in a list of followers or followed users.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct FollowRow {
    /// The user's card.
    #[serde(flatten)]
    pub user: UserCard,
    /// Whether the viewer follows them.
    pub is_following: bool,
}

/// Returns a page of a user's followers. At a page of 20, signed in, it costs 4 calls: 1 RRU for the
/// name, 0.5 for each 4 KB of follows, 0.5 for each card and 1 for each `isFollowing`. Behind a cursor it
/// costs 1 call and 1 RRU more.
///
/// # Errors
/// [`Error::NotFound`] when there is no such user, [`Error::Invalid`] for a cursor that was not in the list within the
/// hour.
pub async fn followers(
    app: &App,
    viewer: Option<UserId>,
    name: &Username,
    cursor: Cursor<UserId>,
) -> Result<Page<FollowRow>> {
    let user = unique::user_named(app, name).await?;
    let last = position(app, cursor.after.map(|follower| (follower, user))).await?;
    let query = Query::index(Index::Gsi2, followers_partition(user)).before(last);
    page(app, viewer, query, cursor, |it| it.follower_id).await
}

/// Returns a page of the users that a user follows. Costs as much as [`followers`].
///
/// # Errors
/// Those of [`followers`].
pub async fn following(
    app: &App,
    viewer: Option<UserId>,
    name: &Username,
    cursor: Cursor<UserId>,
) -> Result<Page<FollowRow>> {
    let user = unique::user_named(app, name).await?;
    let last = position(app, cursor.after.map(|followed| (user, followed))).await?;
    let query = Query::index(Index::Gsi1, following_partition(user)).before(last);
    page(app, viewer, query, cursor, |it| it.following_id).await
}

/// Returns the position of the cursor's follow, which may have ended within the hour.
async fn position(app: &App, pair: Option<(UserId, UserId)>) -> Result<Option<Position>> {
    let Some((follower, followed)) = pair else { return Ok(None) };
    let follow = find(app, follower, followed).await?;
    let follow = follow
        .filter(|it| it.is_position(app.now()))
        .ok_or(Error::invalid("after", "must be a user of this list"))?;
    Ok(Some(follow.position))
}

async fn page(
    app: &App,
    viewer: Option<UserId>,
    query: Query,
    cursor: Cursor<UserId>,
    who: impl Fn(&Follow) -> UserId,
) -> Result<Page<FollowRow>> {
    let rows = cursor.take.rows() + 1;
    let follows: Vec<Follow> = app.table.query(&query.newest_first().limit(rows)).await?;
    let people = follows.iter().map(who).collect();
    let Page { rows: people, after } = Page::cut(people, cursor.take, |it: &UserId| it.public().to_string());
    Ok(Page { rows: rows_of(app, viewer, &people).await?, after })
}

/// Returns a row, with the person, for each of these people whose account works and whom no block separates from the
/// viewer. Costs 3 calls for each 100: 0.5 RRU for each card, 1 for each `isFollowing` of a viewer, and 0.5 for the viewer's
/// relationships.
pub async fn shown_rows_of(
    app: &App,
    viewer: Option<UserId>,
    people: &[UserId],
) -> Result<Vec<(UserId, FollowRow)>> {
    let others: HashSet<_> = people.iter().copied().filter(|it| Some(*it) != viewer).collect();
    let pairs: Vec<_> = others.iter().filter_map(|it| Some((viewer?, *it))).collect();
    let hidden = async {
        match viewer {
            Some(viewer) => relationships::hidden_from(app, viewer, &others, Surface::Thread).await,
            None => Ok(HashSet::new()),
        }
    };
    let (cards, followed, hidden) =
        futures::try_join!(users::active_cards(app, people), among(app, &pairs), hidden)?;
    let followed: HashSet<_> = followed.into_iter().map(|(_, it)| it).collect();
    let row = |(id, user)| (id, FollowRow { user, is_following: followed.contains(&id) });
    Ok(cards.into_iter().filter(|(id, _)| !hidden.contains(id)).map(row).collect())
}

/// Returns a row for each person, in the same order. Costs 2 calls for each 100: 0.5 RRU for each card, and 1 for each
/// `isFollowing` of a viewer.
pub async fn rows_of(app: &App, viewer: Option<UserId>, people: &[UserId]) -> Result<Vec<FollowRow>> {
    let pairs: Vec<_> = people.iter().filter_map(|it| Some((viewer?, *it))).collect();
    let (mut cards, followed) = futures::try_join!(users::cards(app, people), among(app, &pairs))?;
    let followed: HashSet<_> = followed.into_iter().map(|(_, it)| it).collect();
    let row = |it| Some(FollowRow { user: cards.remove(it)?, is_following: followed.contains(it) });
    Ok(people.iter().filter_map(row).collect())
}
