//! Bus events of message groups.

use base::{GroupId, MessageId, UserId};
use platform::Time;

platform::bus_events! {
    /// A member sent a message to a group.
    MessageSent {
        /// The new message.
        message_id: MessageId,
        /// The group that the message was sent to.
        group_id: GroupId,
        /// The member who sent the message.
        sender_id: UserId,
        /// The time at which the message was sent.
        created_at: Time,
    }

    /// A member marked a group as read up to a message.
    MessageSeen {
        /// The group that the member read.
        group_id: GroupId,
        /// The member who read the group.
        user_id: UserId,
        /// The newest message that the member has seen.
        last_seen_message_id: MessageId,
    }

    /// A member edited their message.
    MessageEdited {
        /// The edited message.
        message_id: MessageId,
        /// The group that the message was sent to.
        group_id: GroupId,
        /// The member who sent the message.
        sender_id: UserId,
    }

    /// A member deleted their message.
    MessageDeleted {
        /// The deleted message.
        message_id: MessageId,
        /// The group that the message was sent to.
        group_id: GroupId,
        /// The member who sent the message.
        sender_id: UserId,
    }

    /// A member reacted to a message or removed a reaction.
    MessageReacted {
        /// The group of the message.
        group_id: GroupId,
        /// The message with the changed reactions.
        message_id: MessageId,
        /// The member who reacted.
        user_id: UserId,
    }

    /// A user was added to a group.
    MemberJoined {
        /// The group that the user joined.
        group_id: GroupId,
        /// The new member.
        user_id: UserId,
    }

    /// A user left a group or was removed from it.
    MemberLeft {
        /// The former group of the user.
        group_id: GroupId,
        /// The former member.
        user_id: UserId,
    }

    /// The name or picture of a group changed.
    GroupChanged {
        /// The changed group.
        group_id: GroupId,
        /// The member who changed the name or picture.
        user_id: UserId,
    }
}
