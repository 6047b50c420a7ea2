//! Who follows whom.

use serde::{Deserialize, Serialize};

use crate::{
    App, Result,
    id::{Position, UserId},
    table::{Index, Key, Query, Row},
};

/// One person's following of another.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Follow {
    /// Who follows.
    pub follower_id: UserId,
    /// Whom.
    pub following_id: UserId,
    /// Whether they still do.
    pub is_following: bool,
    /// Where it stands in both people's lists.
    pub position: Position,
}

/// Whether one person follows another. 1 call, 1 RRU.
///
/// # Errors
/// Internal only.
pub async fn is_following(app: &App, follower: UserId, followed: UserId) -> Result<bool> {
    let follow = app.table.get::<Follow>(&key(follower, followed)).await?;
    Ok(follow.is_some_and(|it| it.is_following))
}

/// Those of these pairs `(follower, followed)` that are so. 1 call for each 100, 1 RRU each.
///
/// # Errors
/// Internal only.
pub async fn among(app: &App, pairs: &[(UserId, UserId)]) -> Result<Vec<(UserId, UserId)>> {
    let keys: Vec<_> = pairs.iter().map(|(follower, followed)| key(*follower, *followed)).collect();
    let rows: Vec<Follow> = app.table.batch_get(&keys).await?;
    let current = rows.into_iter().filter(|it| it.is_following);
    Ok(current.map(|it| (it.follower_id, it.following_id)).collect())
}

/// The newest people that someone follows. 1 call, 0.5 RRU for each 4 KB.
///
/// # Errors
/// Internal only.
pub async fn newest_followed_by(app: &App, user: UserId, limit: usize) -> Result<Vec<UserId>> {
    let query = Query::index(Index::One, format!("FOLLOWING#{user}")).newest_first().limit(limit);
    let rows: Vec<Follow> = app.table.query(&query).await?;
    Ok(rows.into_iter().map(|it| it.following_id).collect())
}

fn key(follower: UserId, followed: UserId) -> Key {
    Key::new(format!("USER#{follower}"), format!("FOLLOW#{followed}"))
}

/// `USER#u / FOLLOW#target`; while it holds: gsi1 `FOLLOWING#u / position`, gsi2
/// `FOLLOWERS#target / position`
impl Row for Follow {
    fn key(&self) -> Key {
        key(self.follower_id, self.following_id)
    }

    fn indexes(&self) -> Vec<(Index, Key)> {
        let Self { follower_id, following_id, is_following, position } = self;
        if !is_following {
            return Vec::new();
        }
        vec![
            (Index::One, Key::new(format!("FOLLOWING#{follower_id}"), position.to_string())),
            (Index::Two, Key::new(format!("FOLLOWERS#{following_id}"), position.to_string())),
        ]
    }
}
