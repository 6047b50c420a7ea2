//! The row of a message group.

use std::{
    collections::{HashMap, HashSet},
    ops::Not,
};

use base::{GroupId, MessageId, Position, UserId};
use platform::{Error, Key, Result, Row, Time, Write};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use ulid::Ulid;

use super::values::GroupType;

pub(super) const NO_GROUP: Error = Error::NotFound("message group");
const BLOCKED: &str = "there is a block between you and this user";
const PARTNER_DELETED: &str =
    "this user deleted their account. You can read the messages, but not send new ones.";
const PRIVATE: &str =
    "this is not possible in a private group. It keeps its two members and has no name or picture.";
/// Prefix of the attributes that record when a member left. See [`super::Member::left_attribute`].
pub(super) const LEFT_PREFIX: &str = "left";
/// Time after which an attribute with [`LEFT_PREFIX`] can be removed. This time is longer than the duration of any
/// request.
const LEFT_ATTRIBUTE_SECONDS: i64 = 5 * 60;
/// Maximum number of members that a list of groups shows for each group.
const FIRST_MEMBERS_MAX: usize = 4;

/// A group's row. Each message writes this row, so the row must stay under 1 KB.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Group {
    /// The group's ID.
    pub id: GroupId,
    /// The type of the group: a private group of two users, or a crowd.
    pub group_type: GroupType,
    /// The owner, who is the creator or, after the owner leaves, the longest-standing member.
    pub created_by_id: UserId,
    /// The time of the creation.
    pub created_at: Time,
    /// The number of members.
    pub members_count: usize,
    /// The first members, at most 4, beginning with the creator.
    pub first_members: Vec<UserId>,
    /// The newest message.
    pub last_message_id: Option<MessageId>,
    /// The time of the newest message.
    pub last_message_at: Option<Time>,
    /// The beginning of the newest message.
    pub last_message_preview: Option<String>,
    /// The user who sent the newest message.
    pub last_sender_id: Option<UserId>,
    /// The newest deleted message, if it was the group's newest message until then.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) newest_deleted: Option<MessageId>,
    /// The number of messages.
    pub messages_count: i64,
    /// Whether the group has a [`super::Profile`] with a name or a picture.
    #[serde(default, skip_serializing_if = "Not::not")]
    pub has_profile: bool,
    /// Version of the list of members. Writes that depend on the members check the version.
    pub(super) member_changes: i64,
    /// The index that the next new member gets. Indexes are never reused.
    pub(super) next_place: usize,
    /// The time at which a member last left. Former members may still be subscribed to the group's realtime channel.
    pub last_left_at: Option<Time>,
    /// All other attributes. They store the number of messages that each member sent, and the members who left
    /// recently. They also store the users whose block of another member closed the group.
    #[serde(flatten, skip_serializing)]
    pub(super) others: HashMap<String, Value>,
}

impl Group {
    /// Returns a group without messages. The creator is the first of `members`.
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
            newest_deleted: None,
            messages_count: 0,
            has_profile: false,
            member_changes: 0,
            next_place: members.len(),
            last_left_at: None,
            others: HashMap::new(),
        }
    }

    /// Returns the value of a counter attribute, or 0 if it is missing.
    pub(super) fn count(&self, attribute: &str) -> i64 {
        self.others.get(attribute).and_then(Value::as_i64).unwrap_or_default()
    }

    /// Returns the newest message that was sent, even if it was deleted.
    pub(super) fn newest_sent(&self) -> Option<MessageId> {
        self.last_message_id.max(self.newest_deleted)
    }

    /// Returns the name of the attribute that closes a private group while `blocker` blocks the other user.
    pub(super) fn closed_attribute(blocker: UserId) -> String {
        format!("closed{blocker}")
    }

    /// Checks that the group is not closed. A private group is closed while a block exists between its two users. It is
    /// also closed after one of the users deleted their account.
    pub(super) fn check_open(&self) -> Result<()> {
        let is_blocked = self.others.keys().any(|name| name.starts_with("closed"));
        match self.group_type {
            _ if is_blocked => Err(Error::Forbidden(BLOCKED.into())),
            _ if self.has_lost_partner() => Err(Error::Forbidden(PARTNER_DELETED.into())),
            GroupType::Private | GroupType::Crowd => Ok(()),
        }
    }

    /// Returns whether the group is private and one of its users deleted their account.
    pub(super) fn has_lost_partner(&self) -> bool {
        self.group_type == GroupType::Private && self.members_count < 2
    }

    /// Returns `write` with the added condition that no block closes the group. If a block closes the group, the write
    /// fails with [`Error::Forbidden`].
    pub(super) fn if_open_write<K>(&self, write: Write<K>) -> Write<K> {
        match self.group_type {
            GroupType::Private => {
                let people = self.first_members.iter();
                let write = people.fold(write, |write, user| write.lacks(&Self::closed_attribute(*user)));
                write.or(Error::Forbidden(BLOCKED.into()))
            }
            GroupType::Crowd => write,
        }
    }

    /// Checks that the group is a crowd. A private group cannot change its members, name or picture.
    pub(super) fn check_crowd(&self) -> Result<()> {
        match self.group_type {
            GroupType::Crowd => Ok(()),
            GroupType::Private => Err(Error::Forbidden(PRIVATE.into())),
        }
    }

    /// Returns the write that stores the number of `members` and the first 4 of them. The write fails with a conflict
    /// if the members changed since they were read.
    pub(super) fn members_write(&self, members: &[UserId]) -> Write {
        let first: Vec<_> = members.iter().take(FIRST_MEMBERS_MAX).collect();
        let write = Write::update(self.key()).exists().equals("membersCount", self.members_count);
        let write = write.equals("memberChanges", self.member_changes);
        let write = write.set("memberChanges", self.member_changes + 1);
        write.set("membersCount", members.len()).set("firstMembers", first)
    }

    /// Returns the group after [`Self::members_write`].
    pub(super) fn with_members(&self, members: &[UserId]) -> Self {
        let first_members = members.iter().take(FIRST_MEMBERS_MAX).copied().collect();
        Self { members_count: members.len(), first_members, ..self.clone() }
    }

    /// Returns the names of the attributes with [`LEFT_PREFIX`] that no running request needs.
    pub(super) fn expired_left_attributes(&self, now: Time) -> impl Iterator<Item = &String> {
        let is_old =
            move |left: &Value| left.as_i64().is_some_and(|at| at + LEFT_ATTRIBUTE_SECONDS < now.seconds());
        let attributes = self.others.iter().filter(|(name, _)| name.starts_with(LEFT_PREFIX));
        attributes.filter(move |(_, left)| is_old(left)).map(|(name, _)| name)
    }

    /// Returns whether a text attribute of the group's row, such as the outbox, contains a user's ID.
    pub(super) fn mentions(&self, user: UserId) -> bool {
        let user = user.to_string();
        self.others.values().any(|value| value.as_str().is_some_and(|text| text.contains(&user)))
    }

    /// Returns `people` if the group is a crowd, and otherwise no users. Blocks hide no user of a private group,
    /// because a block closes the group.
    pub(super) fn of_crowd(&self, people: impl IntoIterator<Item = UserId>) -> HashSet<UserId> {
        match self.group_type {
            GroupType::Crowd => people.into_iter().collect(),
            GroupType::Private => HashSet::new(),
        }
    }

    /// Returns the group's position in lists: the ID of the newest message, or else the group's ID.
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
