//! Followers and followed, newest first.

use std::collections::HashSet;

use platform::{
    App,
    error::{Error, Result},
    page::{Cursor, Page},
    table::{Index, Query},
};
use serde::Serialize;
use utoipa::ToSchema;

use super::{Follow, among, find};
use crate::{
    ids::{Position, UserId},
    people::{
        unique,
        users::{self, UserCard, Username},
    },
};

/// Somebody in a list of people.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct FollowRow {
    /// Who it is.
    #[serde(flatten)]
    pub user: UserCard,
    /// Whether the viewer follows them.
    pub is_following: bool,
}

/// Who follows a person. 4 calls at a page of 20, signed in: 1 RRU for the name, 0.5 for each 4 KB of
/// follows, 0.5 for each card, 1 for each `isFollowing`; 1 call and 1 RRU more behind a cursor.
///
/// # Errors
/// [`Error::NotFound`] for nobody, [`Error::Invalid`] for a cursor that never was in the list.
pub async fn followers(
    app: &App,
    viewer: Option<UserId>,
    name: &Username,
    cursor: Cursor<UserId>,
) -> Result<Page<FollowRow>> {
    let user = unique::user_named(app, name).await?;
    let last = position(app, cursor.after.map(|follower| (follower, user))).await?;
    let query = Query::index(Index::Gsi2, format!("FOLLOWERS#{user}")).before(last);
    page(app, viewer, query, cursor, |it| it.follower_id).await
}

/// Whom a person follows. As [`followers`].
///
/// # Errors
/// [`Error::NotFound`] for nobody, [`Error::Invalid`] for a cursor that never was in the list.
pub async fn following(
    app: &App,
    viewer: Option<UserId>,
    name: &Username,
    cursor: Cursor<UserId>,
) -> Result<Page<FollowRow>> {
    let user = unique::user_named(app, name).await?;
    let last = position(app, cursor.after.map(|followed| (user, followed))).await?;
    let query = Query::index(Index::Gsi1, format!("FOLLOWING#{user}")).before(last);
    page(app, viewer, query, cursor, |it| it.following_id).await
}

/// Where the follow of a cursor stands, or stood.
async fn position(app: &App, pair: Option<(UserId, UserId)>) -> Result<Option<Position>> {
    let Some((follower, followed)) = pair else { return Ok(None) };
    let follow = find(app, follower, followed).await?;
    let follow = follow.ok_or(Error::invalid("after", "must be a user of this list"))?;
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

/// People as rows of a list, in the same order.
async fn rows_of(app: &App, viewer: Option<UserId>, people: &[UserId]) -> Result<Vec<FollowRow>> {
    let pairs: Vec<_> = people.iter().filter_map(|it| Some((viewer?, *it))).collect();
    let (mut cards, followed) = futures::try_join!(users::cards(app, people), among(app, &pairs))?;
    let followed: HashSet<_> = followed.into_iter().map(|(_, it)| it).collect();
    let row = |it| Some(FollowRow { user: cards.remove(it)?, is_following: followed.contains(it) });
    Ok(people.iter().filter_map(row).collect())
}
