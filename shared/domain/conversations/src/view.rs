//! Groups and messages in responses, as a member sees them.

use std::{
    cmp::Reverse,
    collections::{BTreeMap, HashMap, HashSet},
};

use base::{GroupId, MessageId, PublicUserId, UserId};
use people::{AvatarUrl, Person, UserCard};
use platform::Time;
use serde::{Deserialize, Serialize};
use uploads::CopyState;
use utoipa::ToSchema;

use super::{Group, GroupName, GroupType, Member, Message, MessageContent, MessageType, Profile};

/// A message group.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[schema(as = MessageGroup)]
#[serde(rename_all = "camelCase")]
pub struct GroupView {
    /// The group's ID.
    pub public_id: GroupId,
    /// Whether the group is a private group of two users, or a crowd of three or more users.
    pub group_type: GroupType,
    /// The owner, who is the creator or, after the owner leaves, the longest-standing member.
    pub created_by_id: PublicUserId,
    /// The name of a crowd. `null` until a member sets it.
    pub name: Option<GroupName>,
    /// The URL of a crowd's picture. `null` until a member sets it.
    pub avatar: Option<AvatarUrl>,
    /// The state of the copy if the caller set the picture and it is on another server. `null` otherwise.
    pub avatar_copy: Option<CopyState>,
    /// The members, beginning with the creator. A list of groups shows at most 4 members of each group. In a crowd,
    /// leaves out a member if a block exists between the member and the caller.
    pub members: Vec<Person>,
    /// The number of members.
    pub members_count: usize,
    /// The time of the newest message that the caller may read, or `null` if there is none.
    pub last_message_at: Option<Time>,
    /// The time of the creation.
    pub created_at: Time,
}

/// A message group as its member sees it.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Conversation {
    /// The group.
    #[serde(flatten)]
    pub group: GroupView,
    /// The number of messages from other members that the caller has not seen.
    pub unread_count: i64,
    /// The beginning of the newest message. `null` if the caller may not read the message. In a crowd, also `null` if a
    /// block exists between the sender and the caller.
    pub last_message_preview: Option<String>,
    /// The newest message that the caller has seen.
    pub last_seen_message_id: Option<MessageId>,
    /// Whether the caller mutes the group.
    pub is_muted: bool,
}

/// A message, as its sender or another member sees it.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[schema(as = Message)]
#[serde(rename_all = "camelCase")]
pub struct MessageView {
    /// The part that is the same for all members.
    #[serde(flatten)]
    pub sent: SentMessage,
    /// Whether the caller sent the message.
    pub is_mine: bool,
}

/// A message, without what depends on the member who reads it.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SentMessage {
    /// The message's ID, which is also the message's cursor in lists.
    pub public_id: MessageId,
    /// The group that the message was sent to.
    pub message_group_id: GroupId,
    /// The user who sent the message.
    pub sender_id: PublicUserId,
    /// The sender's current public data, or `null` if the sender no longer exists.
    pub sender: Option<UserCard>,
    /// The text. For `IMAGE` and `FILE`, the URL of the file.
    pub content: MessageContent,
    /// The kind of content.
    #[serde(rename = "type")]
    pub kind: MessageType,
    /// The time at which the message was sent.
    pub created_at: Time,
    /// The time of the last edit, or `null` if there was none.
    pub edited_at: Option<Time>,
    /// Whether the message or its sender's account was deleted. If true, only the sender's ID and the time remain.
    pub is_deleted: bool,
    /// The message to which this message replies, or `null` if this message is not a reply.
    pub reply_to: Option<RepliedMessage>,
    /// The number of reactions with each emoji. The most frequent emoji comes first. In a crowd (3 or more users),
    /// leaves out reactions by users who block the caller or are blocked by the caller.
    pub reactions: Vec<ReactionCount>,
}

/// The message to which a reply refers. If the caller may not read this message, only `publicId` is set. Pushed events
/// never contain more than `publicId`.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RepliedMessage {
    /// The message's ID.
    pub public_id: MessageId,
    /// The user who sent the message, or `null` if the caller may not read it.
    pub sender_id: Option<PublicUserId>,
    /// The sender's current public data. `null` if the caller may not read the message, or if the sender no longer
    /// exists.
    pub sender: Option<UserCard>,
    /// The beginning of the message, or `null` if the caller may not read it.
    pub excerpt: Option<String>,
    /// Whether the message was deleted.
    pub is_deleted: bool,
}

/// The reactions to a message that use the same emoji.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ReactionCount {
    /// The emoji.
    #[schema(example = "👍")]
    pub emoji: String,
    /// The number of users who reacted with this emoji.
    #[schema(example = 2)]
    pub count: usize,
    /// Whether the caller reacted with this emoji.
    pub is_mine: bool,
}

impl GroupView {
    /// Returns the view of a group. Leaves out hidden members and members without a card in `cards`.
    pub(super) fn new(
        group: &Group,
        members: &[UserId],
        cards: &HashMap<UserId, UserCard>,
        hidden: &HashSet<UserId>,
    ) -> Self {
        let visible = members.iter().filter(|member| !hidden.contains(member));
        Self {
            public_id: group.id,
            group_type: group.group_type,
            created_by_id: group.created_by_id.public(),
            name: None,
            avatar: None,
            avatar_copy: None,
            members: visible.filter_map(|member| Person::among(cards, *member)).collect(),
            members_count: group.members_count,
            last_message_at: group.last_message_at,
            created_at: group.created_at,
        }
    }

    /// Adds the name and the picture as `viewer` sees them.
    pub(super) fn with_profile(self, profile: Option<Profile>, viewer: UserId) -> Self {
        match profile {
            Some(profile) => Self {
                avatar: profile.picture_for(viewer),
                avatar_copy: profile.copy_state_for(viewer),
                name: profile.name,
                ..self
            },
            None => self,
        }
    }

    /// Returns the group as a member sees it. Hides the time of the newest message if the member may not read that
    /// message.
    pub(super) fn of_member(self, group: &Group, member: &Member) -> Self {
        let last_message_at = self.last_message_at.filter(|_| member.may_read_newest(group));
        Self { last_message_at, ..self }
    }
}

impl Conversation {
    pub(super) fn new(
        (group, member): (&Group, &Member),
        people: &[UserId],
        cards: &HashMap<UserId, UserCard>,
        hidden: &HashSet<UserId>,
        profile: Option<Profile>,
    ) -> Self {
        let hidden = group.of_crowd(hidden.iter().copied());
        let is_hidden = group.last_sender_id.is_some_and(|sender| hidden.contains(&sender));
        let is_visible = !is_hidden && member.may_read_newest(group);
        let view = GroupView::new(group, people, cards, &hidden).of_member(group, member);
        Self {
            unread_count: member.unread_in(group),
            last_message_preview: group.last_message_preview.clone().filter(|_| is_visible),
            last_seen_message_id: member.last_seen_message(),
            is_muted: member.is_muted,
            group: view.with_profile(profile, member.user),
        }
    }
}

impl SentMessage {
    /// Returns a message without reactions. If the message is a reply, the result contains only the ID of the replied-to
    /// message.
    pub fn new(message: Message, sender: Option<UserCard>) -> Self {
        Self {
            edited_at: message.edited_at,
            is_deleted: message.deleted_at.is_some(),
            reply_to: message.reply_to.map(RepliedMessage::hidden),
            reactions: Vec::new(),
            public_id: message.id,
            message_group_id: message.group,
            sender_id: message.sender.public(),
            sender,
            content: message.content,
            kind: message.kind,
            created_at: message.created_at,
        }
    }

    /// Returns the message as `viewer` sees it.
    pub(super) fn seen_by(self, viewer: UserId) -> MessageView {
        MessageView { is_mine: self.sender_id == viewer.public(), sent: self }
    }
}

impl RepliedMessage {
    /// Returns a replied-to message with only its ID.
    fn hidden(public_id: MessageId) -> Self {
        Self { public_id, sender_id: None, sender: None, excerpt: None, is_deleted: false }
    }

    /// Returns a replied-to message that the viewer may read.
    pub(super) fn new(message: &Message, sender: Option<UserCard>) -> Self {
        Self {
            public_id: message.id,
            sender_id: Some(message.sender.public()),
            excerpt: Some(message.content.preview()),
            is_deleted: message.deleted_at.is_some(),
            sender,
        }
    }
}

impl ReactionCount {
    /// Returns the counts of reactions to a message. Leaves out reactions of hidden users.
    pub(super) fn of(message: &Message, viewer: UserId, hidden: &HashSet<UserId>) -> Vec<Self> {
        let mut counts: BTreeMap<&str, (usize, bool)> = BTreeMap::new();
        for (user, emoji) in message.reactions().filter(|(user, _)| !hidden.contains(user)) {
            let (count, is_mine) = counts.entry(emoji).or_default();
            *count += 1;
            *is_mine |= user == viewer;
        }
        let count = |(emoji, (count, is_mine)): (&str, _)| Self { emoji: emoji.to_owned(), count, is_mine };
        let mut counts: Vec<_> = counts.into_iter().map(count).collect();
        counts.sort_by_key(|reaction| Reverse(reaction.count));
        counts
    }
}
