//! What can be told of, and to what it happened.

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use ulid::Ulid;
use utoipa::ToSchema;

use crate::ids::{NotificationId, TargetId, UserId};

/// What happened.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum NotificationType {
    /// A post was replied to.
    Post,
    /// A post was liked.
    Like,
    /// A post was commented on.
    Comment,
    /// Somebody was mentioned.
    Mention,
    /// Somebody was followed.
    Follow,
    /// Somebody was asked to be friends.
    FriendRequest,
    /// A message was sent to a group.
    NewMessage,
}

/// To what it happened.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
#[schema(as = NotificationTargetType)]
pub enum TargetType {
    /// Replies to the post that the id names.
    Reply,
    /// The post.
    Post,
    /// The user.
    User,
    /// The message group.
    MessageGroup,
}

/// What one group of notifications is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Subject {
    /// Whom it concerns: the author of the post.
    #[serde(rename = "authorId")]
    pub recipient: UserId,
    /// What happened.
    pub notification_type: NotificationType,
    /// To what.
    pub target_type: TargetType,
    /// To which.
    pub target_id: TargetId,
}

impl Subject {
    /// The id of the group about it: always the same one, so that it needs no look-up.
    pub fn notification(&self) -> NotificationId {
        let seed = format!("{}#{}", self.recipient, self.name());
        let hash = Sha256::digest(seed.as_bytes());
        let random = hash.iter().take(10).fold(0, |bits: u128, byte| bits << 8 | u128::from(*byte));
        NotificationId::from(Ulid::from_parts(Ulid::from(self.target_id).timestamp_ms(), random))
    }

    /// What tells it from the recipient's others.
    pub(super) fn name(&self) -> String {
        let kind = serde_json::to_value(self.notification_type).unwrap_or_default();
        format!("{}#{}", self.target_id, kind.as_str().unwrap_or_default())
    }
}
