//! Friend requests: one user asks, the other accepts, and either may cancel. Uses [`super::users`],
//! [`super::follows`] and [`super::relationships`].

mod change;
mod events;
mod friends;
mod list;
mod request;
mod withdraw;

pub use change::{accept, cancel, send};
pub use events::{FriendAccepted, FriendRequested};
pub use friends::{Friendship, end, friends};
pub use list::{Received, Sent, received, sent};
pub use request::check_none_open;
pub use request::{FriendRequest, FriendRequestView, RequestStatus, find_all};

pub use withdraw::{delete_friends_page, delete_sent, sent_page, withdraw_received_page, withdraw_sent_page};

use base::ids::UserId;
use platform::{App, error::Result};

use crate::users;

/// Returns the number of received requests that wait for an answer. The receiver's own row holds it, and the
/// transactions that change it keep it exact.
pub async fn count_pending(app: &App, receiver: UserId) -> Result<i64> {
    let user = users::find(app, receiver).await?;
    Ok(user.map_or(0, |it| it.friend_requests_pending))
}
