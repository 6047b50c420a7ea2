//! The events that are pushed: what each is called, what it says, and who hears it. Clients read of them in
//! `/asyncapi.json`, which is made from this list.

use base::ids::{GroupId, MessageId, UserId};
use circles::{CircleUpdated, CprResolved, CprStarted, EnergyChanged};
use conversations::{GroupName, MessageContent, MessageSeen, MessageView};
use notifications::{NotificationView, NotificationsFlushed};
use people::users::{AvatarUrl, UserCard};
use platform::time::Time;
use serde::Serialize;
use utoipa::{ToSchema, openapi::ComponentsBuilder};

use crate::pusher::ChannelKind;

/// What the reference says of an event.
pub struct EventDescription {
    /// The name by which clients bind to it.
    pub name: &'static str,
    /// What happened.
    pub text: String,
    /// The channels that may hear it.
    pub channels: &'static [ChannelKind],
    /// The name of the schema of its data, which has an `eventId` besides.
    pub schema: String,
    /// Adds that schema, and those that it refers to.
    pub add_schemas: fn(ComponentsBuilder) -> ComponentsBuilder,
}

/// Adds the schema of a type, and those that it refers to.
pub fn add_schemas<T: ToSchema>(components: ComponentsBuilder) -> ComponentsBuilder {
    let mut parts = Vec::new();
    T::schemas(&mut parts);
    components.schema_from::<T>().schemas_from_iter(parts)
}

macro_rules! pushed_events {
    ($($(#[doc = $text:literal])+ $name:literal $event:ident($data:ident) on $($channel:ident)+;)+) => {
        /// An event for clients, with its data. Nothing else can be pushed.
        #[derive(Clone, Copy, Serialize)]
        #[serde(untagged)]
        pub enum PushedEvent<'a> { $($(#[doc = $text])+ $event(&'a $data),)+ }

        impl PushedEvent<'_> {
            /// Returns the name by which clients bind to it.
            pub fn name(&self) -> &'static str {
                match self { $(Self::$event(_) => $name,)+ }
            }

            /// Returns what the reference says of every event.
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
    /// Somebody asked to be a friend.
    "friend-request:new" FriendRequestNew(FriendRequestNew) on User;
    /// Somebody accepted a friend request of the listener's.
    "friend-request:accepted" FriendRequestAccepted(FriendRequestAccepted) on User;
    /// A message was sent. To its sender `isMine` is true, to all others and to the chat false.
    "message:new" MessageNew(MessageView) on User Chat;
    /// A message says something else now.
    "message:edited" MessageEdited(MessageChanged) on User Chat;
    /// A message was deleted.
    "message:deleted" MessageDeleted(MessageChanged) on User Chat;
    /// Somebody reacted to a message, or took that back.
    "message:reaction" MessageReaction(MessageReaction) on User Chat;
    /// A member read the group up to a message. Its sender and the chat hear it.
    "message-seen" MessageSeen(MessageSeen) on User Chat;
    /// Somebody was added to a group.
    "member:joined" MemberJoined(MemberChanged) on User Chat;
    /// Somebody left a group, or was removed from it.
    "member:left" MemberLeft(MemberChanged) on User Chat;
    /// A group has another name or picture.
    "group:changed" GroupChanged(GroupProfile) on User Chat;
    /// A notification is new, or counts more than before.
    "notification:new" NotificationNew(NotificationView) on User;
    /// Notifications were written, of anybody: how many, and nothing else.
    "notification" Notification(NotificationsFlushed) on Everybody;
    /// A circle is called something else, or is about something else.
    "circle:updated" CircleUpdated(CircleUpdated) on Circle;
    /// A circle's stage or level changed.
    "energy:changed" EnergyChanged(EnergyChanged) on Circle;
    /// A CPR began: comments on its post save the circle.
    "cpr:started" CprStarted(CprStarted) on Circle;
    /// A CPR ended.
    "cpr:resolved" CprResolved(CprResolved) on Circle;
}

/// Who asked to be a friend.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct FriendRequestNew {
    /// Who asks.
    #[schema(required)]
    pub sender: Option<UserCard>,
    /// The time at which the request was sent.
    pub created_at: Time,
}

/// Who accepted a friend request.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct FriendRequestAccepted {
    /// Who accepted.
    #[schema(required)]
    pub receiver: Option<UserCard>,
    /// The time at which the request was accepted.
    pub created_at: Time,
}

/// What a message says now.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MessageChanged {
    /// The group it was sent to.
    pub message_group_id: GroupId,
    /// The message.
    pub public_id: MessageId,
    /// The user who sent it.
    pub sender_id: UserId,
    /// The text.
    pub content: MessageContent,
    /// The time of the last edit; null while there was none.
    #[schema(required)]
    pub edited_at: Option<Time>,
    /// Whether it was deleted.
    pub is_deleted: bool,
}

/// What somebody did with a message by now.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MessageReaction {
    /// The group it was sent to.
    pub message_group_id: GroupId,
    /// The message.
    pub public_id: MessageId,
    /// The user who reacted.
    pub user_id: UserId,
    /// The reaction; null when it was taken back.
    #[schema(required, example = "👍")]
    pub emoji: Option<String>,
}

/// Who came into a group or left it, and who owns it now.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MemberChanged {
    /// The group.
    pub message_group_id: GroupId,
    /// Who came or left.
    pub user_id: UserId,
    /// Their card; null when they no longer exist.
    #[schema(required)]
    pub user: Option<UserCard>,
    /// The owner of the group.
    pub created_by_id: UserId,
    /// The number of members.
    pub members_count: usize,
}

/// What a group is called and looks like.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct GroupProfile {
    /// The group.
    pub message_group_id: GroupId,
    /// Its name.
    #[schema(required)]
    pub name: Option<GroupName>,
    /// The address of its picture.
    #[schema(required)]
    pub avatar: Option<AvatarUrl>,
}
