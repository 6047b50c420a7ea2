//! Friend requests: one asks, the other accepts, either calls it off.

mod change;
mod events;
mod list;
mod request;

pub use change::{accept, cancel, send};
pub use events::{FriendAccepted, FriendRequested};
pub use list::{Received, Sent, received, sent};
pub(crate) use request::none_pending;
pub use request::{FriendRequest, FriendRequestView, RequestStatus, find_all};

use platform::{App, error::Result};

use crate::{ids::UserId, people::users};

/// How many received requests wait for an answer: counted on the receiver's own row, in the same
/// transactions that change it. 1 call, 1 RRU.
///
/// # Errors
/// Internal only.
pub async fn count_pending(app: &App, receiver: UserId) -> Result<i64> {
    let user = users::find(app, receiver).await?;
    Ok(user.map_or(0, |it| it.friend_requests_pending))
}
