//! Events of message groups on the bus.

use base::ids::{GroupId, MessageId, UserId};
use platform::time::Time;

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

    /// A member changed the text of their message.
    MessageEdited {
        /// The message.
        message_id: MessageId,
        /// The group it was sent to.
        group_id: GroupId,
        /// The member who sent it.
        sender_id: UserId,
    }

    /// A member deleted their message.
    MessageDeleted {
        /// The message.
        message_id: MessageId,
        /// The group it was sent to.
        group_id: GroupId,
        /// The member who sent it.
        sender_id: UserId,
    }

    /// A member reacted to a message, or took that back.
    MessageReacted {
        /// The group.
        group_id: GroupId,
        /// The message.
        message_id: MessageId,
        /// The member who reacted.
        user_id: UserId,
    }

    /// Somebody was added to a group.
    MemberJoined {
        /// The group.
        group_id: GroupId,
        /// Who was added.
        user_id: UserId,
    }

    /// Somebody left a group, or was removed from it.
    MemberLeft {
        /// The group.
        group_id: GroupId,
        /// Who left.
        user_id: UserId,
    }

    /// A group has another name or picture.
    GroupChanged {
        /// The group.
        group_id: GroupId,
        /// The member who changed it.
        user_id: UserId,
    }
}
