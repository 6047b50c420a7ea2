//! Lists of followers and followed users, newest first.

use std::{
    collections::{HashMap, HashSet},
    fmt,
};

use base::ids::{Position, UserId};
use platform::{
    App,
    error::{Error, Result},
    page::{Cursor, FillingPage, Page},
    table::{Index, Query},
};
use serde::Serialize;
use utoipa::ToSchema;

use super::follow::{Follow, find, followers_partition, following_partition, key};
use crate::{
    relationships, unique,
    users::{self, UserCard, UserRef},
};

/// A user in a list of followers or followed users.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = ListedUser)]
#[serde(rename_all = "camelCase")]
pub struct FollowRow {
    /// The user's card.
    #[serde(flatten)]
    pub user: UserCard,
    /// Whether the viewer follows the user.
    pub is_following: bool,
}

/// The list of a user's followers, or of the users that the user follows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FollowList {
    /// Users who follow the user.
    Followers,
    /// Users that the user follows.
    Following,
}

/// The last follow that was read for a page. Its text is the public ID of the listed user.
#[derive(Clone, Copy)]
struct LastRead {
    other: UserId,
    at: Position,
}

impl fmt::Display for LastRead {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.other.public().fmt(f)
    }
}

/// Returns a page of a user's followers or followed users. Omits banned and locked users, users that the viewer blocks,
/// and users that block the viewer.
///
/// # Errors
/// Fails with [`Error::NotFound`] if the user does not exist. Fails with [`Error::Invalid`] if the user in the cursor
/// was not in the list within the last hour.
pub async fn list(
    app: &App,
    viewer: Option<UserId>,
    list: FollowList,
    name: &UserRef,
    cursor: Cursor<UserId>,
) -> Result<Page<FollowRow>> {
    let user = unique::user_named(app, name).await?;
    let after = match cursor.after {
        Some(other) => Some(LastRead { other, at: list.position(app, user, other).await? }),
        None => None,
    };
    let mut page = FillingPage::new(Cursor { take: cursor.take, after });
    while let Some(Cursor { take, after }) = page.to_read() {
        let query = list.query(user).before(after.map(|last| last.at)).newest_first();
        let follows: Vec<Follow> = app.table.query(&query.limit(take.rows() + 1)).await?;
        let people: Vec<_> = follows.iter().map(|follow| list.other(follow)).collect();
        let mut rows: HashMap<_, _> = visible_rows_of(app, viewer, &people).await?.into_iter().collect();
        let shown = people.iter().filter_map(|person| Some((*person, rows.remove(person)?)));
        let last = follows.last().map(|follow| LastRead { other: list.other(follow), at: follow.position });
        page.add(shown, last, follows.len());
    }
    Ok(page.page(|(person, _)| person.public().to_string()).map(|(_, row)| row))
}

impl FollowList {
    fn query(self, user: UserId) -> Query {
        match self {
            Self::Followers => Query::index(Index::Gsi2, followers_partition(user)),
            Self::Following => Query::index(Index::Gsi1, following_partition(user)),
        }
    }

    /// Returns the position of `other` in this list of `user`. Fails unless `other` was in the list within the last
    /// hour.
    async fn position(self, app: &App, user: UserId, other: UserId) -> Result<Position> {
        let (follower, followed) = match self {
            Self::Followers => (other, user),
            Self::Following => (user, other),
        };
        let follow = find(app, follower, followed).await?.filter(|follow| follow.is_position(app.now()));
        follow.map(|follow| follow.position).ok_or(Error::invalid("after", "must be a user in this list"))
    }

    fn other(self, follow: &Follow) -> UserId {
        match self {
            Self::Followers => follow.follower_id,
            Self::Following => follow.following_id,
        }
    }
}

/// Returns the ID and the row of each active user in `people`. Omits users that the viewer blocks, and users that block
/// the viewer.
pub async fn visible_rows_of(
    app: &App,
    viewer: Option<UserId>,
    people: &[UserId],
) -> Result<Vec<(UserId, FollowRow)>> {
    let others: HashSet<_> = people.iter().copied().filter(|person| Some(*person) != viewer).collect();
    let hidden = relationships::hidden_by_blocks(app, viewer, people);
    let followed = followed_by(app, viewer, &others);
    let (cards, followed, hidden) = futures::try_join!(users::active_cards(app, people), followed, hidden)?;
    let row = |(id, user)| (id, FollowRow { user, is_following: followed.contains(&id) });
    Ok(cards.into_iter().filter(|(id, _)| !hidden.contains(id)).map(row).collect())
}

/// Returns a row for each user in `people`, in the same order. Omits users who do not exist.
pub async fn rows_of(app: &App, viewer: Option<UserId>, people: &[UserId]) -> Result<Vec<FollowRow>> {
    let followed = followed_by(app, viewer, people);
    let (mut cards, followed) = futures::try_join!(users::cards(app, people), followed)?;
    let row = |id| Some(FollowRow { user: cards.remove(id)?, is_following: followed.contains(id) });
    Ok(people.iter().filter_map(row).collect())
}

/// Returns the users in `people` that the viewer follows. A change within the last second can be missing.
async fn followed_by(
    app: &App,
    viewer: Option<UserId>,
    people: impl IntoIterator<Item = &UserId>,
) -> Result<HashSet<UserId>> {
    let keys: Vec<_> = people.into_iter().filter_map(|person| Some(key(viewer?, *person))).collect();
    let follows = app.table.batch_get_eventual::<Follow>(&keys).await?.into_iter();
    Ok(follows.filter(|follow| follow.is_following).map(|follow| follow.following_id).collect())
}
