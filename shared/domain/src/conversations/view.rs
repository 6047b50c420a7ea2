//! Groups and messages as a member sees them.

use std::collections::{HashMap, HashSet};

use platform::time::Time;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{
    group::Group,
    member::Member,
    message::Message,
    values::{GroupType, MessageContent, MessageType},
};
use crate::{
    ids::{GroupId, MessageId, UserId},
    people::users::{Person, UserCard},
};

/// A message group.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct GroupView {
    /// The group's id.
    pub public_id: GroupId,
    /// Whether it is for two people or a crowd.
    pub group_type: GroupType,
    /// The user who created it.
    pub created_by_id: UserId,
    /// The members, the creator first; in a list at most the first four. A crowd shows nobody whom a block separates from
    /// the caller.
    pub members: Vec<Person>,
    /// The number of members.
    pub members_count: usize,
    /// The time of the newest message; null while there is none.
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
    /// The beginning of the newest message; null while there is none, and in a crowd when a block separates its sender
    /// from the caller.
    pub last_message_preview: Option<String>,
    /// The newest message that the caller has seen.
    pub last_seen_message_id: Option<MessageId>,
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
            members: shown.filter_map(|it| Person::among(cards, *it)).collect(),
            members_count: group.members_count,
            last_message_at: group.last_message_at,
            created_at: group.created_at,
        }
    }
}

impl Conversation {
    pub(super) fn new(
        group: &Group,
        member: &Member,
        cards: &HashMap<UserId, UserCard>,
        hidden: &HashSet<UserId>,
    ) -> Self {
        let hidden = group.of_crowd(hidden.iter().copied());
        let is_hidden = group.last_sender_id.is_some_and(|it| hidden.contains(&it));
        Self {
            unread_count: member.unread_in(group),
            last_message_preview: group.last_message_preview.clone().filter(|_| !is_hidden),
            last_seen_message_id: member.last_seen,
            group: GroupView::new(group, &group.first_members, cards, &hidden),
        }
    }
}

impl MessageView {
    pub(crate) fn new(message: Message, viewer: UserId, sender: Option<UserCard>) -> Self {
        Self {
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
