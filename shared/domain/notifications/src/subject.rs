//! The subject of a notification: its recipient, kind of event and target.

use base::{NotificationId, TargetId, UserId};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use strum::{AsRefStr, VariantArray};
use ulid::Ulid;
use utoipa::ToSchema;

/// The kind of event.
#[derive(
    Clone,
    Copy,
    Debug,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    AsRefStr,
    VariantArray,
    Serialize,
    Deserialize,
    ToSchema,
)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
#[strum(serialize_all = "SCREAMING_SNAKE_CASE")]
pub enum NotificationType {
    /// A post was replied to.
    Post,
    /// A post was liked.
    Like,
    /// A post was commented on.
    Comment,
    /// The recipient was mentioned.
    Mention,
    /// The recipient was followed.
    Follow,
    /// The recipient received a friend request.
    FriendRequest,
    /// A message was sent in one of the recipient's message groups.
    NewMessage,
    /// A post was reposted.
    Repost,
    /// A post was quoted.
    Quote,
    /// A poll that the recipient created or voted in has ended.
    PollEnded,
    /// The recipient was invited to a circle.
    CircleInvitation,
    /// A user joined a circle on the recipient's invitation, or the recipient's request to join was accepted.
    CircleJoined,
    /// The recipient became the owner of a circle, because the previous owner left, was banned, or deleted their
    /// account.
    CircleOwner,
    /// The recipient's post in a circle was commented on.
    CircleComment,
    /// One of the recipient's circles dropped to a worse stage.
    CircleStage,
    /// A CPR started or ended in one of the recipient's circles.
    CircleCpr,
    /// A moderation decision was made about the recipient's post, account or report. Or a scheduled draft could not be
    /// published.
    Moderation,
}

/// The kind of target.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
#[schema(as = NotificationTargetType)]
pub enum TargetType {
    /// The replies to a post. The target's ID is the ID of that post.
    Reply,
    /// A post.
    Post,
    /// A poll by the recipient. The target's ID is the ID of the post.
    OwnPoll,
    /// A scheduled draft that could not be published.
    Draft,
    /// A user.
    User,
    /// A message group.
    MessageGroup,
    /// A circle.
    Circle,
    /// A post in a circle.
    CirclePost,
    /// A moderation decision about the recipient or the recipient's post.
    ModerationDecision,
    /// A report by the recipient.
    Report,
}

impl NotificationType {
    /// Returns whether notifications of this kind are recorded only while proposed features are on.
    pub(super) fn is_proposed(self) -> bool {
        match self {
            Self::Post | Self::Repost | Self::Quote | Self::PollEnded | Self::Moderation => false,
            Self::CircleInvitation | Self::CircleJoined | Self::CircleOwner | Self::CircleComment => false,
            Self::Like | Self::Comment | Self::Mention | Self::Follow | Self::FriendRequest => true,
            Self::NewMessage | Self::CircleStage | Self::CircleCpr => true,
        }
    }

    /// Returns whether a notification of this kind stores its events, so that each event can be withdrawn separately.
    pub(super) fn is_withdrawn_by_event(self) -> bool {
        match self {
            Self::Post | Self::Comment | Self::Mention | Self::Follow | Self::Repost | Self::Quote => true,
            Self::Like | Self::FriendRequest | Self::NewMessage | Self::PollEnded => false,
            Self::CircleInvitation | Self::CircleJoined | Self::CircleOwner | Self::CircleComment => false,
            Self::CircleStage | Self::CircleCpr | Self::Moderation => false,
        }
    }
}

/// The recipient, kind of event and target of a notification.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Subject {
    /// The user who is notified.
    #[serde(rename = "authorId")]
    pub recipient: UserId,
    /// The kind of event.
    pub notification_type: NotificationType,
    /// The kind of target.
    pub target_type: TargetType,
    /// The target's ID.
    pub target_id: TargetId,
}

impl Subject {
    /// Returns the subject of a notification about the recipient's `target`.
    pub fn new(
        recipient: UserId,
        (notification_type, target_type): (NotificationType, TargetType),
        target: Ulid,
    ) -> Self {
        Self { recipient, notification_type, target_type, target_id: target.into() }
    }

    /// Returns the ID of the notification about this subject. The ID is computed from the subject.
    pub fn notification_id(&self) -> NotificationId {
        let seed = format!("{}#{}", self.recipient, self.name());
        NotificationId::from(hashed_ulid(Ulid::from(self.target_id).timestamp_ms(), &seed))
    }

    /// Returns the target's public ID.
    pub(super) fn public_target(&self) -> TargetId {
        match self.target_type {
            TargetType::User => Ulid::from(UserId::from(Ulid::from(self.target_id)).public()).into(),
            _ => self.target_id,
        }
    }

    /// Returns `target#type`, which is unique among the recipient's subjects.
    pub(super) fn name(&self) -> String {
        format!("{}#{}", self.target_id, self.notification_type.as_ref())
    }
}

/// Returns a ULID with the time `millis`, and a hash of `seed` as its random bits.
pub(super) fn hashed_ulid(millis: u64, seed: &str) -> Ulid {
    let hash = Sha256::digest(seed.as_bytes());
    let random = hash.iter().take(10).fold(0, |bits: u128, byte| bits << 8 | u128::from(*byte));
    Ulid::from_parts(millis, random)
}
