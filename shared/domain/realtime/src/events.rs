//! The events that are pushed to clients: their names, data and channels. `/asyncapi.json` is generated from this list.

use base::{GroupId, MessageId, PublicUserId};
use circles::{CircleUpdated, CprResolved, CprStarted, EnergyChanged};
use conversations::{GroupName, MessageContent, SentMessage};
use notifications::{NotificationView, NotificationsFlushed};
use people::{AvatarUrl, UserCard};
use platform::Time;
use serde::Serialize;
use utoipa::{ToSchema, openapi::ComponentsBuilder};

use crate::pusher::ChannelKind;

/// The description of an event in the API reference.
pub struct EventDescription {
    /// The name that clients bind to.
    pub name: &'static str,
    /// A sentence that describes the event.
    pub text: String,
    /// The channels on which the event can be pushed.
    pub channels: &'static [ChannelKind],
    /// The name of the schema of the event's data. The data also contains an `eventId`.
    pub schema: String,
    /// Adds the schema of the data, and the schemas to which it refers.
    pub add_schemas: fn(ComponentsBuilder) -> ComponentsBuilder,
}

/// Returns `components` with the schema of a type, and the schemas to which that schema refers.
pub fn add_schemas<T: ToSchema>(components: ComponentsBuilder) -> ComponentsBuilder {
    let mut parts = Vec::new();
    T::schemas(&mut parts);
    components.schema_from::<T>().schemas_from_iter(parts)
}

macro_rules! pushed_events {
    ($($(#[doc = $text:literal])+ $name:literal $event:ident($data:ident) on $($channel:ident)+;)+) => {
        /// An event for clients, with its data. Only these events can be pushed.
        #[derive(Clone, Copy, Serialize)]
        #[serde(untagged)]
        pub enum PushedEvent<'a> { $($(#[doc = $text])+ $event(&'a $data),)+ }

        impl PushedEvent<'_> {
            /// Returns the name that clients bind to.
            pub fn name(&self) -> &'static str {
                match self { $(Self::$event(_) => $name,)+ }
            }

            /// Returns the descriptions of all events for the API reference.
            pub fn descriptions() -> Vec<EventDescription> {
                vec![$(EventDescription {
                    name: $name,
                    text: [$($text.trim()),+].join(" "),
                    channels: &[$(ChannelKind::$channel),+],
                    schema: <$data as ToSchema>::name().into_owned(),
                    add_schemas: add_schemas::<$data>,
                }),+]
            }
        }
    };
}

pushed_events! {
    /// A user received a friend request.
    "friend-request:new" FriendRequestNew(FriendRequestNew) on User;
    /// A user's friend request was accepted.
    "friend-request:accepted" FriendRequestAccepted(FriendRequestAccepted) on User;
    /// A message was sent. The members' clients compare `senderId` with their own ID.
    "message:new" MessageNew(SentMessage) on User Chat;
    /// A message was edited.
    "message:edited" MessageEdited(MessageChanged) on User Chat;
    /// A message was deleted.
    "message:deleted" MessageDeleted(MessageChanged) on User Chat;
    /// A member added or removed a reaction to a message.
    "message:reaction" MessageReaction(MessageReaction) on User Chat;
    /// A member read the group's messages up to a message. Pushed to the sender of that message and to the chat
    /// channel.
    "message-seen" MessageSeen(MemberSeen) on User Chat;
    /// A member was added to a group.
    "member:joined" MemberJoined(MemberChanged) on User Chat;
    /// A member left a group or was removed from it.
    "member:left" MemberLeft(MemberChanged) on User Chat;
    /// The name or picture of a group changed.
    "group:changed" GroupChanged(GroupProfile) on User Chat;
    /// A notification was created, or its count increased.
    "notification:new" NotificationNew(NotificationView) on User;
    /// New notifications were written. The event contains only the number of notifications, and all clients receive it.
    "notification" Notification(NotificationsFlushed) on Public;
    /// The name or description of a circle changed.
    "circle:updated" CircleUpdated(CircleUpdated) on Circle;
    /// A circle's stage or level changed.
    "energy:changed" EnergyChanged(EnergyChanged) on Circle;
    /// A CPR, the rescue of a dying circle, started. Good comments on the CPR's post can save the circle.
    "cpr:started" CprStarted(CprStarted) on Circle;
    /// A CPR ended.
    "cpr:resolved" CprResolved(CprResolved) on Circle;
}

/// A new friend request.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct FriendRequestNew {
    /// The sender of the request.
    #[schema(required)]
    pub sender: Option<UserCard>,
    /// The time at which the request was sent.
    pub created_at: Time,
}

/// An accepted friend request.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct FriendRequestAccepted {
    /// The user who accepted the request.
    #[schema(required)]
    pub receiver: Option<UserCard>,
    /// The time at which the request was accepted.
    pub created_at: Time,
}

/// A member's new read mark in a group.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MemberSeen {
    /// The group that the member read.
    pub group_id: GroupId,
    /// The member who read the group.
    pub user_id: PublicUserId,
    /// The newest message that the member has seen.
    pub last_seen_message_id: MessageId,
}

/// The current state of a changed message.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MessageChanged {
    /// The message's group.
    pub message_group_id: GroupId,
    /// The changed message.
    pub public_id: MessageId,
    /// The sender of the message.
    pub sender_id: PublicUserId,
    /// The text.
    pub content: MessageContent,
    /// The time of the last edit. Null if the message was not edited.
    #[schema(required)]
    pub edited_at: Option<Time>,
    /// Whether the message was deleted.
    pub is_deleted: bool,
}

/// The current reaction of a member to a message.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MessageReaction {
    /// The message's group.
    pub message_group_id: GroupId,
    /// The message with the changed reaction.
    pub public_id: MessageId,
    /// The user who reacted.
    pub user_id: PublicUserId,
    /// The reaction. Null if the user removed it.
    #[schema(required, example = "👍")]
    pub emoji: Option<String>,
}

/// A member who joined or left a group.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MemberChanged {
    /// The group that the user joined or left.
    pub message_group_id: GroupId,
    /// The user who joined or left.
    pub user_id: PublicUserId,
    /// The card of the user who joined or left. Null if the user no longer exists.
    #[schema(required)]
    pub user: Option<UserCard>,
    /// The owner of the group.
    pub created_by_id: PublicUserId,
    /// The number of members.
    pub members_count: usize,
}

/// The name and picture of a group.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct GroupProfile {
    /// The group with this name and picture.
    pub message_group_id: GroupId,
    /// The name of the group.
    #[schema(required)]
    pub name: Option<GroupName>,
    /// The URL of the group's picture.
    #[schema(required)]
    pub avatar: Option<AvatarUrl>,
}
