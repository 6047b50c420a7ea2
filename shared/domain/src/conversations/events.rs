//! Events of message groups on the bus.

use platform::time::Time;

use crate::ids::{GroupId, MessageId, UserId};

platform::bus_events! {
    /// A member sent a message to a group.
    MessageSent {
        /// The message.
        message_id: MessageId,
        /// The group it was sent to.
        group_id: GroupId,
        /// The member who sent it.
        sender_id: UserId,
        /// The time at which it was sent.
        created_at: Time,
    }

    /// A member read a group up to a message.
    MessageSeen {
        /// The group.
        group_id: GroupId,
        /// The member who read it.
        user_id: UserId,
        /// The newest message they have seen.
        last_seen_message_id: MessageId,
    }
}
