//! Friend requests and friendships. One user sends a request, and the other user accepts the request. Either user may
//! cancel the request.

mod change;
mod deletion;
mod events;
mod friends;
mod list;
mod request;

pub use change::{accept, cancel, send};
pub use deletion::{cancel_sent_page, delete_friends_page, delete_received_page, delete_sent, sent_page};
pub use events::{FriendAccepted, FriendRequested};
pub use friends::{Friendship, end, friends};
pub use list::{Received, Sent, received, sent};
pub(crate) use request::key;
pub use request::{FriendRequest, FriendRequestView, RequestStatus, check_none_open, find_all};

use base::UserId;
use platform::{App, Result};

use crate::users;

/// Returns the number of pending requests that a user received. The user's own row stores the number.
pub async fn count_pending(app: &App, receiver: UserId) -> Result<i64> {
    let user = users::find(app, receiver).await?;
    Ok(user.map_or(0, |user| user.friend_requests_pending))
}
