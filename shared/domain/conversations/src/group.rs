//! A message group's row.

use std::{
    collections::{HashMap, HashSet},
    ops::Not,
};

use base::ids::{GroupId, MessageId, Position, UserId};
use platform::{
    error::{Error, Result},
    table::{Key, Row, Write},
    time::Time,
};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use ulid::Ulid;

use super::values::GroupType;

pub(super) const NO_GROUP: Error = Error::NotFound("message group");
const BLOCKED: &str = "a block stands between you and this user";
const PRIVATE: &str =
    "a private group belongs to its two people: nobody joins or leaves it, and it has no name";
/// The prefix of the attributes that say when somebody left: see [`super::Member`].
pub(super) const LEFT_PREFIX: &str = "left";
/// Longer than any request takes.
const MARKED_SECONDS: i64 = 5 * 60;
/// The most members that a list of groups shows of each.
pub(super) const FIRST_MEMBERS_MAX: usize = 4;

/// A group's row. It stays under 1 KB, because every message writes it.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Group {
    /// The group's id.
    pub id: GroupId,
    /// Whether it is for two people or a crowd.
    pub group_type: GroupType,
    /// The user who owns it: who created it, and when they left the eldest member.
    pub created_by_id: UserId,
    /// The time of the creation.
    pub created_at: Time,
    /// The number of members.
    pub members_count: usize,
    /// The first members, the creator before all: as many as a list shows.
    pub first_members: Vec<UserId>,
    /// The newest message.
    pub last_message_id: Option<MessageId>,
    /// The time of the newest message.
    pub last_message_at: Option<Time>,
    /// The beginning of the newest message.
    pub last_message_preview: Option<String>,
    /// The user who sent the newest message.
    pub last_sender_id: Option<UserId>,
    /// The number of messages.
    pub messages_count: i64,
    /// Whether it was given a name or a picture, which lie in a row of their own.
    #[serde(default, skip_serializing_if = "Not::not")]
    pub has_profile: bool,
    /// How often the members changed. What somebody reads of the members they write under the condition that it is still
    /// the same.
    pub(super) member_changes: i64,
    /// The place of the next who joins: nobody had it before.
    pub(super) next_place: usize,
    /// The time at which the last of those left who left: they may still listen to the chat's channel.
    pub last_left_at: Option<Time>,
    /// The row's other attributes: each member's number of messages, who left a moment ago, and who closed the group.
    #[serde(flatten, skip_serializing)]
    pub(super) others: HashMap<String, Value>,
}

impl Group {
    /// Returns a group without messages; its creator is the first of its members.
    pub fn new(id: GroupId, group_type: GroupType, members: &[UserId], creator: UserId, now: Time) -> Self {
        Self {
            id,
            group_type,
            created_by_id: creator,
            created_at: now,
            members_count: members.len(),
            first_members: members.iter().take(FIRST_MEMBERS_MAX).copied().collect(),
            last_message_id: None,
            last_message_at: None,
            last_message_preview: None,
            last_sender_id: None,
            messages_count: 0,
            has_profile: false,
            member_changes: 0,
            next_place: members.len(),
            last_left_at: None,
            others: HashMap::new(),
        }
    }

    /// Returns the number that an attribute counts; 0 when it is missing.
    pub(super) fn count(&self, attribute: &str) -> i64 {
        self.others.get(attribute).and_then(Value::as_i64).unwrap_or_default()
    }

    /// Returns the name of the attribute that closes the group while a user blocks the other.
    pub(super) fn closed_attribute(blocker: UserId) -> String {
        format!("closed{blocker}")
    }

    /// Checks that no block stands between the two people of a private group.
    pub(super) fn check_open(&self) -> Result<()> {
        match self.others.keys().any(|it| it.starts_with("closed")) {
            true => Err(Error::Forbidden(BLOCKED.into())),
            false => Ok(()),
        }
    }

    /// Adds a condition to the write of the group: no block stands between the two people of a private group. It is
    /// forbidden otherwise.
    pub(super) fn if_open_write<K>(&self, write: Write<K>) -> Write<K> {
        match self.group_type {
            GroupType::Private => {
                let people = self.first_members.iter();
                let open = people.fold(write, |write, it| write.lacks(&Self::closed_attribute(*it)));
                open.or(Error::Forbidden(BLOCKED.into()))
            }
            GroupType::Crowd => write,
        }
    }

    /// Checks that people may come and go, and give it a name: not in a private group.
    pub(super) fn check_crowd(&self) -> Result<()> {
        match self.group_type {
            GroupType::Crowd => Ok(()),
            GroupType::Private => Err(Error::Forbidden(PRIVATE.into())),
        }
    }

    /// Returns the beginning of a write that changes who is in the group, with its members in their order. It is stale when
    /// they changed after they were read.
    pub(super) fn members_write(&self, members: &[UserId]) -> Write {
        let first: Vec<_> = members.iter().take(FIRST_MEMBERS_MAX).collect();
        let write = Write::update(self.key()).exists().equals("membersCount", self.members_count);
        let write = write.equals("memberChanges", self.member_changes);
        let write = write.set("memberChanges", self.member_changes + 1);
        write.set("membersCount", members.len()).set("firstMembers", first)
    }

    /// Returns the marks of those who left so long ago that no request of theirs is under way.
    pub(super) fn old_marks(&self, now: Time) -> impl Iterator<Item = &String> {
        let is_old = move |left: &Value| left.as_i64().is_some_and(|it| it + MARKED_SECONDS < now.seconds());
        let marks = self.others.iter().filter(|(name, _)| name.starts_with(LEFT_PREFIX));
        marks.filter(move |(_, left)| is_old(left)).map(|(name, _)| name)
    }

    /// Returns whether what follows from its last write names a user.
    pub(super) fn names(&self, user: UserId) -> bool {
        let user = user.to_string();
        self.others.values().any(|it| it.as_str().is_some_and(|text| text.contains(&user)))
    }

    /// Returns these people in a crowd, which goes on when a block begins in it; nobody in a private group, which is
    /// closed then.
    pub(super) fn of_crowd(&self, people: impl IntoIterator<Item = UserId>) -> HashSet<UserId> {
        match self.group_type {
            GroupType::Crowd => people.into_iter().collect(),
            GroupType::Private => HashSet::new(),
        }
    }

    /// Returns the position among groups: that of the newest message, or of the group itself.
    pub(super) fn position(&self) -> Position {
        let id = self.last_message_id.map_or(Ulid::from(self.id), Ulid::from);
        Position::from(id)
    }
}

/// Returns the key of a group's row.
pub fn key(group: GroupId) -> Key {
    Key::new(partition(group), "GROUP")
}

/// Returns the partition of a group, its members and its messages.
pub(super) fn partition(group: GroupId) -> String {
    format!("GROUP#{group}")
}

/// `GROUP#id / GROUP`
impl Row for Group {
    fn key(&self) -> Key {
        key(self.id)
    }
}
