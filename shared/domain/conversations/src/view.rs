//! Groups and messages as a member sees them.

use std::{
    cmp::Reverse,
    collections::{BTreeMap, HashMap, HashSet},
};

use base::ids::{GroupId, MessageId, UserId};
use people::users::{AvatarUrl, Person, UserCard};
use platform::time::Time;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{
    group::Group,
    member::Member,
    message::Message,
    profile::Profile,
    values::{GroupName, GroupType, MessageContent, MessageType},
};

/// A message group.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct GroupView {
    /// The group's id.
    pub public_id: GroupId,
    /// Whether it is for two people or a crowd.
    pub group_type: GroupType,
    /// The user who owns it: who created it, and when they left the eldest member.
    pub created_by_id: UserId,
    /// The name of a crowd; null until somebody gives it one.
    pub name: Option<GroupName>,
    /// The address of a crowd's picture; null until somebody gives it one.
    pub avatar: Option<AvatarUrl>,
    /// The members, the creator first; in a list at most the first four. A crowd shows nobody whom a block separates from
    /// the caller.
    pub members: Vec<Person>,
    /// The number of members.
    pub members_count: usize,
    /// The time of the newest message that the caller may read; null while there is none.
    pub last_message_at: Option<Time>,
    /// The time of the creation.
    pub created_at: Time,
}

/// A message group in its member's list.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Conversation {
    /// The group.
    #[serde(flatten)]
    pub group: GroupView,
    /// The number of messages of others that the caller has not seen.
    pub unread_count: i64,
    /// The beginning of the newest message that the caller may read; null while there is none, and in a crowd when a block
    /// separates its sender from the caller.
    pub last_message_preview: Option<String>,
    /// The newest message that the caller has seen.
    pub last_seen_message_id: Option<MessageId>,
    /// Whether the caller mutes the group.
    pub is_muted: bool,
}

/// A message.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MessageView {
    /// The message's id, and its cursor.
    pub public_id: MessageId,
    /// The group it was sent to.
    pub message_group_id: GroupId,
    /// The user who sent it.
    pub sender_id: UserId,
    /// The sender's present card; null when the user no longer exists.
    pub sender: Option<UserCard>,
    /// The text; for `IMAGE` and `FILE` its address.
    pub content: MessageContent,
    /// The kind of content.
    #[serde(rename = "type")]
    pub kind: MessageType,
    /// The time at which it was sent.
    pub created_at: Time,
    /// Whether the caller sent it.
    pub is_mine: bool,
    /// The time of the last edit; null while there was none.
    pub edited_at: Option<Time>,
    /// Whether it was deleted, or its sender left the network: only who sent it and when is left.
    pub is_deleted: bool,
    /// The message that it answers; null where it answers none.
    pub reply_to: Option<RepliedMessage>,
    /// How many people reacted with each emoji, the most first. In a crowd, people whom a block separates from the caller do
    /// not count.
    pub reactions: Vec<ReactionCount>,
}

/// The message that another one answers. Of one that the caller may not read only the id is said, and so it is in what is
/// pushed.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RepliedMessage {
    /// The message's id.
    pub public_id: MessageId,
    /// The user who sent it; null where the caller may not read it.
    pub sender_id: Option<UserId>,
    /// The sender's present card; null also when the user no longer exists.
    pub sender: Option<UserCard>,
    /// The beginning of the message; null where the caller may not read it.
    pub excerpt: Option<String>,
    /// Whether it was deleted.
    pub is_deleted: bool,
}

/// How many people reacted to a message with an emoji.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ReactionCount {
    /// The emoji.
    #[schema(example = "👍")]
    pub emoji: String,
    /// The number of people.
    #[schema(example = 2)]
    pub count: usize,
    /// Whether the caller is one of them.
    pub is_mine: bool,
}

impl GroupView {
    /// Returns a group with those members whose cards were found and who are not hidden.
    pub(super) fn new(
        group: &Group,
        members: &[UserId],
        cards: &HashMap<UserId, UserCard>,
        hidden: &HashSet<UserId>,
    ) -> Self {
        let shown = members.iter().filter(|it| !hidden.contains(it));
        Self {
            public_id: group.id,
            group_type: group.group_type,
            created_by_id: group.created_by_id,
            name: None,
            avatar: None,
            members: shown.filter_map(|it| Person::among(cards, *it)).collect(),
            members_count: group.members_count,
            last_message_at: group.last_message_at,
            created_at: group.created_at,
        }
    }

    /// Returns it with its name and picture.
    pub(super) fn with_profile(self, profile: Option<Profile>) -> Self {
        match profile {
            Some(Profile { name, avatar, .. }) => Self { name, avatar, ..self },
            None => self,
        }
    }

    /// Returns it as a member sees it, who may not know of the newest message.
    pub(super) fn of_member(self, group: &Group, member: &Member) -> Self {
        let last_message_at = self.last_message_at.filter(|_| member.may_read_newest(group));
        Self { last_message_at, ..self }
    }
}

impl Conversation {
    pub(super) fn new(
        group: &Group,
        member: &Member,
        cards: &HashMap<UserId, UserCard>,
        hidden: &HashSet<UserId>,
        profile: Option<Profile>,
    ) -> Self {
        let hidden = group.of_crowd(hidden.iter().copied());
        let is_hidden = group.last_sender_id.is_some_and(|it| hidden.contains(&it));
        let is_shown = !is_hidden && member.may_read_newest(group);
        let view = GroupView::new(group, &group.first_members, cards, &hidden).of_member(group, member);
        Self {
            unread_count: member.unread_in(group),
            last_message_preview: group.last_message_preview.clone().filter(|_| is_shown),
            last_seen_message_id: member.last_seen_message(),
            is_muted: member.is_muted,
            group: view.with_profile(profile),
        }
    }
}

impl MessageView {
    /// Returns a message that answers none, or of which it is not said what it answers, without reactions.
    pub fn new(message: Message, viewer: UserId, sender: Option<UserCard>) -> Self {
        Self {
            edited_at: message.edited_at,
            is_deleted: message.deleted_at.is_some(),
            reply_to: message.reply_to.map(RepliedMessage::hidden),
            reactions: Vec::new(),
            public_id: message.id,
            message_group_id: message.group,
            sender_id: message.sender,
            sender,
            content: message.content,
            kind: message.kind,
            created_at: message.created_at,
            is_mine: message.sender == viewer,
        }
    }
}

impl RepliedMessage {
    /// Returns a message of which a reader learns only that it was answered.
    fn hidden(public_id: MessageId) -> Self {
        Self { public_id, sender_id: None, sender: None, excerpt: None, is_deleted: false }
    }

    /// Returns a message that its reader may read.
    pub(super) fn new(message: &Message, sender: Option<UserCard>) -> Self {
        Self {
            public_id: message.id,
            sender_id: Some(message.sender),
            excerpt: Some(message.content.preview()),
            is_deleted: message.deleted_at.is_some(),
            sender,
        }
    }
}

impl ReactionCount {
    /// Counts the reactions to a message, without those of people who are hidden from the viewer.
    pub(super) fn of(message: &Message, viewer: UserId, hidden: &HashSet<UserId>) -> Vec<Self> {
        let mut counts: BTreeMap<&str, (usize, bool)> = BTreeMap::new();
        for (user, emoji) in message.reactions().filter(|(user, _)| !hidden.contains(user)) {
            let (count, is_mine) = counts.entry(emoji).or_default();
            *count += 1;
            *is_mine |= user == viewer;
        }
        let count = |(emoji, (count, is_mine)): (&str, _)| Self { emoji: emoji.to_owned(), count, is_mine };
        let mut counts: Vec<_> = counts.into_iter().map(count).collect();
        counts.sort_by_key(|it| Reverse(it.count));
        counts
    }
}
