//! Who follows whom.

mod change;
mod events;
mod list;

use serde::{Deserialize, Serialize};

pub use change::{FollowRequest, Following, set, tries};
pub use events::Followed;
pub use list::{FollowRow, followers, following};

use platform::{
    App,
    error::{Error, Result},
    table::{Index, Key, Query, Row, Write},
    time::Time,
};

use crate::ids::{Position, UserId};

const CHANGED: Error = Error::Conflict("this was changed meanwhile");

/// One person's following of another. When it ends the row stays: where it stood may be some
/// client's cursor.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Follow {
    /// Who follows.
    pub follower_id: UserId,
    /// Whom.
    pub following_id: UserId,
    /// Whether they still do.
    pub is_following: bool,
    /// Whether the reader's feed merges that person's posts. See [`crate::feeds::timelines`].
    #[serde(default)]
    pub merges: bool,
    /// Where it stands in both people's lists.
    pub position: Position,
    /// When they last began to.
    pub created_at: Time,
}

impl Follow {
    /// That somebody begins to follow, for a transaction; refused while they do.
    fn begun(&self) -> Write {
        let write = Write::reindex(self).set("followerId", self.follower_id);
        let write = write.set("followingId", self.following_id).set("isFollowing", true);
        let write = write.set("position", self.position).set("createdAt", self.created_at);
        let write = write.set("merges", self.merges);
        write.equals_or_lacks("isFollowing", false).or(CHANGED)
    }

    /// The mark of somebody popular; refused when this very follow has ended.
    pub(crate) fn marked(&self) -> Write {
        let marked = Self { merges: true, ..self.clone() };
        let write = Write::reindex(&marked).set("merges", true);
        write.equals("isFollowing", true).equals("position", self.position)
    }

    /// That it ends, for a transaction; refused when it has ended.
    pub(crate) fn ended(&self) -> Write {
        let ended = Self { is_following: false, ..self.clone() };
        let write = Write::reindex(&ended).set("isFollowing", false);
        write.equals("isFollowing", true).or(CHANGED)
    }
}

/// For a transaction: nothing is done while one person follows the other.
pub(crate) fn none(follower: UserId, followed: UserId) -> Write {
    Write::check(key(follower, followed)).equals_or_lacks("isFollowing", false).or(CHANGED)
}

/// Whether one person follows another. 1 call, 1 RRU.
///
/// # Errors
/// Internal only.
pub async fn is_following(app: &App, follower: UserId, followed: UserId) -> Result<bool> {
    let follow = find(app, follower, followed).await?;
    Ok(follow.is_some_and(|it| it.is_following))
}

/// Those of these pairs `(follower, followed)` that are so. 1 call for each 100, 1 RRU each.
///
/// # Errors
/// Internal only.
pub async fn among(app: &App, pairs: &[(UserId, UserId)]) -> Result<Vec<(UserId, UserId)>> {
    let rows = find_all(app, pairs).await?;
    let current = rows.into_iter().filter(|it| it.is_following);
    Ok(current.map(|it| (it.follower_id, it.following_id)).collect())
}

/// What was ever between these pairs `(follower, followed)`. 1 call for each 100, 1 RRU each.
///
/// # Errors
/// Internal only.
pub async fn find_all(app: &App, pairs: &[(UserId, UserId)]) -> Result<Vec<Follow>> {
    let keys: Vec<_> = pairs.iter().map(|(follower, followed)| key(*follower, *followed)).collect();
    app.table.batch_get(&keys).await
}

/// The newest people that someone follows and whose posts are merged. 1 call, 0.5 RRU for each 4 KB.
///
/// # Errors
/// Internal only.
pub async fn merged_by(app: &App, reader: UserId, limit: usize) -> Result<Vec<UserId>> {
    let query = Query::index(Index::Gsi3, format!("MERGES#{reader}")).newest_first().limit(limit);
    let rows: Vec<Follow> = app.table.query(&query).await?;
    Ok(rows.into_iter().map(|it| it.following_id).collect())
}

/// The next follows of a person after this one, the oldest first. 1 call, 0.5 RRU for each 4 KB.
///
/// # Errors
/// Internal only.
pub async fn oldest_of(
    app: &App,
    followed: UserId,
    after: Option<Position>,
    limit: usize,
) -> Result<Vec<Follow>> {
    let query = Query::index(Index::Gsi2, format!("FOLLOWERS#{followed}")).after(after).limit(limit);
    app.table.query(&query).await
}

async fn find(app: &App, follower: UserId, followed: UserId) -> Result<Option<Follow>> {
    app.table.get(&key(follower, followed)).await
}

fn key(follower: UserId, followed: UserId) -> Key {
    Key::new(format!("USER#{follower}"), format!("FOLLOW#{followed}"))
}

/// `USER#u / FOLLOW#target`; while it holds: gsi1 `FOLLOWING#u / position`, gsi2
/// `FOLLOWERS#target / position`, and while it merges gsi3 `MERGES#u / position`
impl Row for Follow {
    fn key(&self) -> Key {
        key(self.follower_id, self.following_id)
    }

    fn indexes(&self) -> Vec<(Index, Key)> {
        let Self { follower_id, following_id, is_following, merges, position, .. } = self;
        if !is_following {
            return Vec::new();
        }
        let place = |index, list: String| (index, Key::new(list, position.to_string()));
        let merges = merges.then(|| place(Index::Gsi3, format!("MERGES#{follower_id}")));
        let lists = [
            place(Index::Gsi1, format!("FOLLOWING#{follower_id}")),
            place(Index::Gsi2, format!("FOLLOWERS#{following_id}")),
        ];
        lists.into_iter().chain(merges).collect()
    }
}
