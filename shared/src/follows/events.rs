//! What the bus is told of follows.

use crate::{events, ids::UserId, time::Time};

events! {
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
