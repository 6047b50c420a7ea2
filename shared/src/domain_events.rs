//! What happens in the network, as the bus tells it. Each event is published after the commit it
//! speaks of and carries identifiers; it may come twice, and is then the same event again.

use serde::{Deserialize, Serialize};

use crate::{
    circles::Stage,
    events::Event,
    id::{CircleId, CprId, GroupId, MessageId, NotificationId, PostId, UserId},
    time::Time,
};

macro_rules! events {
    ($($(#[$doc:meta])* $name:ident { $($(#[$field_doc:meta])* $field:ident: $kind:ty,)* })*) => {$(
        $(#[$doc])*
        #[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
        #[serde(rename_all = "camelCase")]
        pub struct $name { $($(#[$field_doc])* pub $field: $kind,)* }

        impl Event for $name {
            const NAME: &'static str = stringify!($name);
        }
    )*};
}

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
    /// Somebody has news: a group of notifications is new, or has more in it.
    NotificationNew {
        /// Who.
        recipient_id: UserId,
        /// Which group.
        notification_id: NotificationId,
    }
    /// A batch of notifications was flushed; for everybody, so it says only how many.
    NotificationsFlushed {
        /// How many groups.
        count: usize,
    }
    /// A circle's energy changed so far that its stage or its level is another.
    EnergyChanged {
        /// Which circle.
        circle_id: CircleId,
        /// Its stage before.
        previous_stage: Stage,
        /// Its stage now.
        stage: Stage,
        /// Its level before.
        previous_level: u8,
        /// Its level now.
        level: u8,
        /// Its HP now.
        current: i64,
        /// The most HP it can have now.
        max: i64,
        /// When.
        created_at: Time,
    }
    /// Members of a circle began to save it.
    CprStarted {
        /// Which circle.
        circle_id: CircleId,
        /// Which attempt.
        session_id: CprId,
        /// The post whose comments count.
        post_id: PostId,
        /// How many of them it takes.
        target_comments: i64,
        /// Until when.
        expires_at: Time,
    }
    /// An attempt to save a circle is over.
    CprResolved {
        /// Which circle.
        circle_id: CircleId,
        /// Which attempt.
        session_id: CprId,
        /// Whether it is saved.
        success: bool,
        /// When.
        created_at: Time,
    }
}
