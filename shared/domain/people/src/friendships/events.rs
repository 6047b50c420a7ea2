//! Bus events of friend requests.

use base::UserId;
use platform::Time;

platform::bus_events! {
    /// A user sent a friend request.
    FriendRequested {
        /// The user who sent the request.
        sender_id: UserId,
        /// The user who received the request.
        receiver_id: UserId,
        /// The time at which the request was sent.
        created_at: Time,
    }

    /// A user accepted a friend request.
    FriendAccepted {
        /// The user who sent the request.
        sender_id: UserId,
        /// The user who accepted.
        receiver_id: UserId,
        /// The time at which the request was accepted.
        created_at: Time,
    }
}
