//! Lists friends, newest first, and ends friendships.

use std::cmp::Reverse;

use base::{Position, UserId};
use futures::try_join;
use platform::{App, Cursor, Error, Index, Once, Page, Query, Result};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::request::{self, FriendRequest, friends_partition};
use crate::{
    follows::{FollowRow, rows_of},
    profiles,
    users::UserRef,
};

/// The state of a friendship.
#[derive(Clone, Copy, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Friendship {
    /// Whether the caller and the other user are friends.
    pub is_friend: bool,
}

/// Returns a page of a user's friends.
///
/// # Errors
/// Fails with [`Error::Invalid`] if the user in the cursor was never in the list.
pub async fn friends(app: &App, user: UserId, cursor: Cursor<UserId>) -> Result<Page<FollowRow>> {
    let last = position(app, user, cursor.after).await?;
    let rows = cursor.take.rows() + 1;
    let list = |index| Query::index(index, friends_partition(user)).newest_first().before(last).limit(rows);
    let (sent, received) = (list(Index::Gsi1), list(Index::Gsi2));
    let (mut friends, others): (Vec<FriendRequest>, Vec<_>) =
        try_join!(app.table.query(&sent), app.table.query(&received))?;
    friends.extend(others);
    friends.sort_unstable_by_key(|request| Reverse(request.friends_at));
    let people = friends.iter().map(|request| request.other_than(user)).collect();
    let Page { rows: people, after } = Page::cut(people, cursor.take, |id: &UserId| id.public().to_string());
    Ok(Page { rows: rows_of(app, Some(user), &people).await?, after })
}

/// Ends a friendship. Either user may send a new request afterwards.
///
/// # Errors
/// Fails with [`Error::NotFound`] if the user does not exist or is not a friend. Fails with [`Error::Invalid`] if the
/// user is the caller.
pub async fn end(app: &App, caller: UserId, name: &UserRef, once: &Once) -> Result<Friendship> {
    once.run(app, caller, async || {
        let other = profiles::find_other_user(app, caller, name).await?;
        let requests = request::find_all(app, &[(caller, other), (other, caller)]).await?;
        let request =
            requests.iter().find(|request| request.is_accepted()).ok_or(Error::NotFound("friend"))?;
        Ok((vec![request.end_write(app.now()).marked()], Friendship { is_friend: false }))
    })
    .await
}

/// Returns the position of the friendship with the user `after`. The friendship may have ended.
async fn position(app: &App, user: UserId, after: Option<UserId>) -> Result<Option<Position>> {
    let Some(other) = after else { return Ok(None) };
    // For the user's own ID, both keys would be the same.
    let pairs: &[_] = if other == user { &[] } else { &[(user, other), (other, user)] };
    let requests = request::find_all(app, pairs).await?;
    let current = requests.iter().find(|request| request.is_accepted()).and_then(|friend| friend.friends_at);
    let last = current.or(requests.iter().filter_map(|request| request.friends_at).max());
    last.map(Some).ok_or(Error::invalid("after", "must be a user in this list"))
}
