//! Bus events of message groups.

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

    /// A member marked a group as read up to a message.
    MessageSeen {
        /// The group.
        group_id: GroupId,
        /// The member who read it.
        user_id: UserId,
        /// The newest message that the member has seen.
        last_seen_message_id: MessageId,
    }

    /// A member edited their message.
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

    /// A member added or removed a reaction to a message.
    MessageReacted {
        /// The group.
        group_id: GroupId,
        /// The message.
        message_id: MessageId,
        /// The member who reacted.
        user_id: UserId,
    }

    /// A user was added to a group.
    MemberJoined {
        /// The group.
        group_id: GroupId,
        /// The new member.
        user_id: UserId,
    }

    /// A user left a group or was removed from it.
    MemberLeft {
        /// The group.
        group_id: GroupId,
        /// The former member.
        user_id: UserId,
    }

    /// The name or picture of a group changed.
    GroupChanged {
        /// The group.
        group_id: GroupId,
        /// The member who changed it.
        user_id: UserId,
    }
}
