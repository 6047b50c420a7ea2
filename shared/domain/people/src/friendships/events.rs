//! Events of friend requests on the bus.

use base::ids::UserId;
use platform::time::Time;

platform::bus_events! {
    /// A user sent a friend request.
    FriendRequested {
        /// The user who asks.
        sender_id: UserId,
        /// The user who is asked.
        receiver_id: UserId,
        /// The time at which the request was sent.
        created_at: Time,
    }

    /// A user accepted a friend request.
    FriendAccepted {
        /// The user who had asked.
        sender_id: UserId,
        /// The user who accepted.
        receiver_id: UserId,
        /// The time at which the request was accepted.
        created_at: Time,
    }
}
