//! How many friend requests wait for an answer: a count on the user's row.

use platform::{
    App, Result,
    table::{Key, Row},
};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::{ids::UserId, people::users};

/// Friend requests that wait for the caller's answer.
#[derive(Clone, Copy, Debug, Default, Serialize, ToSchema)]
pub struct FriendRequests {
    /// How many.
    pub count: i64,
}

/// How many friend requests wait for somebody's answer. 2 calls and 2 RRU with the session's.
///
/// # Errors
/// Internal only.
pub async fn friend_requests(app: &App, user: UserId) -> Result<FriendRequests> {
    let counted = app.table.get::<Counted>(&users::key(user)).await?;
    Ok(FriendRequests { count: counted.map_or(0, |it| it.friend_requests_pending) })
}

/// What of the user's row is asked for.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Counted {
    id: UserId,
    #[serde(default)]
    friend_requests_pending: i64,
}

/// `USER#id / PROFILE`
impl Row for Counted {
    fn key(&self) -> Key {
        users::key(self.id)
    }
}
