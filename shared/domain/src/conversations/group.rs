//! A message group's row.

use std::collections::{HashMap, HashSet};

use platform::{
    error::{Error, Result},
    table::{Key, Row, Write},
    time::Time,
};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use ulid::Ulid;

use super::values::GroupType;
use crate::ids::{GroupId, MessageId, Position, UserId};

pub(super) const NO_GROUP: Error = Error::NotFound("message group");
const BLOCKED: &str = "a block stands between you and this user";
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
    /// The user who created it.
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
    /// The user who sent the newest message; none also where an earlier release wrote it.
    #[serde(default)]
    pub last_sender_id: Option<UserId>,
    /// The number of messages.
    #[serde(default)]
    pub messages_count: i64,
    /// The row's other attributes: each member's number of messages, and who closed the group.
    #[serde(flatten, skip_serializing)]
    others: HashMap<String, Value>,
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
    pub(super) fn if_open_write(&self, write: Write) -> Write {
        match self.group_type {
            GroupType::Private => {
                let people = self.first_members.iter();
                let open = people.fold(write, |write, it| write.lacks(&Self::closed_attribute(*it)));
                open.or(Error::Forbidden(BLOCKED.into()))
            }
            GroupType::Crowd => write,
        }
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
