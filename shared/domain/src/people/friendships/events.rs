//! What the bus is told of friendships.

use platform::time::Time;

use crate::ids::UserId;

platform::bus_events! {
    /// Somebody asked to be friends.
    FriendRequested {
        /// Who asks.
        sender_id: UserId,
        /// Whom.
        receiver_id: UserId,
        /// When they asked.
        created_at: Time,
    }

    /// A friend request was accepted.
    FriendAccepted {
        /// Who had asked.
        sender_id: UserId,
        /// Who accepted.
        receiver_id: UserId,
        /// When they accepted.
        created_at: Time,
    }
}
