//! What the bus is told of conversations.

use platform::time::Time;

use crate::ids::{GroupId, MessageId, UserId};

platform::bus_events! {
    /// A message was sent to a group.
    MessageSent {
        /// Which.
        message_id: MessageId,
        /// To which group.
        group_id: GroupId,
        /// By whom.
        sender_id: UserId,
        /// When.
        created_at: Time,
    }

    /// A member read a group up to a message.
    MessageSeen {
        /// Which group.
        group_id: GroupId,
        /// Who read it.
        user_id: UserId,
        /// The newest message they have seen.
        last_seen_message_id: MessageId,
    }
}
