//! The rows of a group: itself, its members, its messages, and the pair that it may be for.

use std::collections::HashMap;

use platform::{
    table::{Index, Key, Row, Write},
    time::Time,
};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{GroupType, MessageContent, MessageType};
use crate::ids::{GroupId, MessageId, UserId};

/// A group's row; kept under 1 KB, for it is written with every message.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Group {
    /// Which it is.
    pub id: GroupId,
    /// How many it is for.
    pub group_type: GroupType,
    /// Who made it.
    pub created_by_id: UserId,
    /// When.
    pub created_at: Time,
    /// How many are in it.
    pub members_count: usize,
    /// The first of them, its maker before all: as many as a list shows.
    pub first_members: Vec<UserId>,
    /// The newest message.
    pub last_message_id: Option<MessageId>,
    /// When it was sent.
    pub last_message_at: Option<Time>,
    /// How it begins.
    pub last_message_preview: Option<String>,
    /// Messages that were sent.
    #[serde(default)]
    pub messages_count: i64,
    /// The row's other attributes; among them how many of these each member sent, and who closed it.
    #[serde(flatten, skip_serializing)]
    others: HashMap<String, Value>,
}

/// Somebody's membership in a group.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Member {
    /// Which group.
    pub group: GroupId,
    /// Who.
    pub user: UserId,
    /// Their place in the group, under which it counts what they send.
    pub place: usize,
    /// How many messages of the others they have seen.
    pub seen_count: i64,
    /// The newest message they have seen.
    pub last_seen: Option<MessageId>,
    /// When they last read the group.
    pub seen_at: Option<Time>,
}

/// A message's row.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Message {
    /// Which it is.
    pub id: MessageId,
    /// In which group.
    pub group: GroupId,
    /// Who sent it.
    pub sender: UserId,
    /// The text.
    pub content: MessageContent,
    /// What it is.
    #[serde(rename = "type")]
    pub kind: MessageType,
    /// When it was sent.
    pub created_at: Time,
}

/// Two people's private group: one for both.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Pair {
    users: [UserId; 2],
    /// Which group it is.
    pub(super) group: GroupId,
}

/// How many members a list of groups shows of each.
const FIRST_MEMBERS: usize = 4;

impl Group {
    /// A group without messages; its maker is the first of its members.
    pub fn new(id: GroupId, group_type: GroupType, members: &[UserId], maker: UserId, now: Time) -> Self {
        Self {
            id,
            group_type,
            created_by_id: maker,
            created_at: now,
            members_count: members.len(),
            first_members: members.iter().take(FIRST_MEMBERS).copied().collect(),
            last_message_id: None,
            last_message_at: None,
            last_message_preview: None,
            messages_count: 0,
            others: HashMap::new(),
        }
    }

    /// How many messages others than this member sent.
    pub fn sent_by_others(&self, member: &Member) -> i64 {
        let own = self.others.get(&member.count_name()).and_then(Value::as_i64);
        self.messages_count - own.unwrap_or_default()
    }

    /// How many of them this member has not seen.
    pub fn unread_by(&self, member: &Member) -> i64 {
        (self.sent_by_others(member) - member.seen_count).max(0)
    }

    /// The attribute by which somebody keeps the group closed.
    pub(super) fn closed_name(blocker: UserId) -> String {
        format!("closed{blocker}")
    }

    /// Whether anybody does.
    pub(super) fn closed(&self) -> bool {
        self.others.keys().any(|it| it.starts_with("closed"))
    }

    /// One more message, which is now the newest.
    pub(super) fn with_message(&self, message: &Message, sender: &Member) -> Write {
        Write::update(self.key())
            .set("lastMessageId", message.id)
            .set("lastMessageAt", message.created_at)
            .set("lastMessagePreview", message.content.preview())
            .add("messagesCount", 1)
            .add(&sender.count_name(), 1)
            .exists()
            .or(super::NO_GROUP)
    }
}

impl Member {
    fn count_name(&self) -> String {
        format!("s{}", self.place)
    }
}

impl Pair {
    /// The private group of two people, in whichever order.
    pub(super) fn new(mut users: [UserId; 2], group: GroupId) -> Self {
        users.sort_unstable();
        Self { users, group }
    }

    /// Where two people's private group is.
    pub(super) fn key_of(users: [UserId; 2]) -> Key {
        Self::new(users, GroupId::MIN).key()
    }
}

/// Where a group's row is.
pub fn key(group: GroupId) -> Key {
    Key::new(pk(group), "GROUP")
}

/// Where a membership is.
pub fn member_key(group: GroupId, user: UserId) -> Key {
    Key::new(pk(group), format!("MEMBER#{user}"))
}

/// Where a message is.
pub fn message_key(group: GroupId, message: MessageId) -> Key {
    Key::new(pk(group), format!("MSG#{message}"))
}

pub(super) fn pk(group: GroupId) -> String {
    format!("GROUP#{group}")
}

/// `GROUP#id / GROUP`
impl Row for Group {
    fn key(&self) -> Key {
        key(self.id)
    }
}

/// `GROUP#id / MEMBER#u`, gsi1 `GROUPS#u / group`
impl Row for Member {
    fn key(&self) -> Key {
        member_key(self.group, self.user)
    }

    fn indexes(&self) -> Vec<(Index, Key)> {
        vec![(Index::Gsi1, Key::new(format!("GROUPS#{}", self.user), self.group.to_string()))]
    }
}

/// `GROUP#id / MSG#ulid`
impl Row for Message {
    fn key(&self) -> Key {
        message_key(self.group, self.id)
    }
}

/// `PAIR#a#b / UNIQUE`, the lower id first
impl Row for Pair {
    fn key(&self) -> Key {
        let [a, b] = self.users;
        Key::new(format!("PAIR#{a}#{b}"), "UNIQUE")
    }
}
