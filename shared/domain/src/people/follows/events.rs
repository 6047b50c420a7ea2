//! What the bus is told of follows.

use platform::time::Time;

use crate::ids::UserId;

platform::bus_events! {
    /// Somebody began to follow somebody.
    Followed {
        /// Who follows.
        follower_id: UserId,
        /// Whom.
        following_id: UserId,
        /// Since when.
        created_at: Time,
    }
}
