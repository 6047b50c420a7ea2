//! The number of unanswered friend requests, which the user's row contains.

use base::UserId;
use people::users;
use platform::{App, Key, Result, Row};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// Friend requests that the caller has not answered.
#[derive(Clone, Copy, Debug, Default, Serialize, ToSchema)]
#[schema(as = FriendRequestCount)]
pub struct FriendRequests {
    /// The number of requests.
    pub count: i64,
}

/// Returns the number of friend requests that a user has not answered.
pub async fn friend_requests(app: &App, user: UserId) -> Result<FriendRequests> {
    let row = app.table.get::<PendingCount>(&users::key(user)).await?;
    Ok(FriendRequests { count: row.map_or(0, |row| row.friend_requests_pending) })
}

/// The part of the user's row that contains the count.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct PendingCount {
    id: UserId,
    friend_requests_pending: i64,
}

/// `USER#id / PROFILE`
impl Row for PendingCount {
    fn key(&self) -> Key {
        users::key(self.id)
    }
}
