//! Bus events of follows.

use base::{EventId, UserId};
use platform::Time;

platform::bus_events! {
    /// A user followed another user.
    Followed {
        /// The user who follows.
        follower_id: UserId,
        /// The user who is followed.
        following_id: UserId,
        /// The time at which the follow began.
        created_at: Time,
        /// The ID of the notification event. Unfollowing withdraws this event.
        notified_as: Option<EventId>,
        /// Whether the followed user was already notified of this follower within the last day.
        #[serde(default)]
        is_repeated: bool,
    }
}
