//! The row of a user's membership in a message group.

use std::{borrow::Cow, ops::Not};

use base::{GroupId, MessageId, Position, UserId};
use platform::{App, Error, Index, Key, Query, Result, Row, Time, Write, table::Together};
use serde::{Deserialize, Serialize};
use ulid::Ulid;

use super::{
    events::MessageSent,
    group::{self, Group, LEFT_PREFIX, NO_GROUP},
    values::GroupType,
};

pub(super) const NOT_A_MEMBER: Error = Error::Forbidden(Cow::Borrowed("you are not a member of this group"));
/// Maximum number of groups that a list reads, most recently moved first.
const GROUPS_MAX: usize = 1000;
/// Minimum time between two moves of a membership to the top of the user's list.
const MOVE_INTERVAL_MILLIS: u64 = 60 * 60 * 1000;

/// A user's membership in a group.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Member {
    /// The group that the user belongs to.
    pub group: GroupId,
    /// The user who belongs to the group.
    pub user: UserId,
    /// The member's index in the group. The name of the attribute that counts the member's messages contains this
    /// index.
    pub place: usize,
    /// The number of other members' messages that the member has seen, or that were deleted before the member saw them.
    pub seen_count: i64,
    /// The newest message that the member has seen.
    pub last_seen: Option<MessageId>,
    /// The time at which the member last read the group.
    pub seen_at: Option<Time>,
    /// The group's position in the user's list, at most one hour older than the newest message.
    pub position: Position,
    /// The position at which the member joined. The member can read only later messages. `None` for the first members,
    /// who can read all messages.
    pub joined: Option<Position>,
    /// Whether the member muted notifications of new messages.
    #[serde(default, skip_serializing_if = "Not::not")]
    pub is_muted: bool,
}

impl Member {
    /// Returns one of the first members of a new group, who has seen no message.
    pub fn new(group: GroupId, user: UserId, place: usize) -> Self {
        let position = Position::from(Ulid::from(group));
        Self {
            group,
            user,
            place,
            seen_count: 0,
            last_seen: None,
            seen_at: None,
            position,
            joined: None,
            is_muted: false,
        }
    }

    /// Returns a member who joins an existing group, and can read only messages that are sent from now on.
    pub(super) fn joining(group: &Group, user: UserId, now: Position) -> Self {
        // Messages that were sent in the same millisecond may have higher IDs than `now`.
        let joined = now.max(group.position());
        let member = Self::new(group.id, user, group.next_place);
        let seen_count = member.sent_by_others_in(group);
        let last_seen = Some(MessageId::from(Ulid::from(joined)));
        Self { seen_count, last_seen, position: joined, joined: Some(joined), ..member }
    }

    /// Returns whether the member may read a message, because it was sent after they joined.
    pub fn may_read(&self, message: MessageId) -> bool {
        self.joined.is_none_or(|joined| Ulid::from(joined) < Ulid::from(message))
    }

    pub(super) fn may_read_newest(&self, group: &Group) -> bool {
        group.last_message_id.is_some_and(|message| self.may_read(message))
    }

    /// Returns the group's position in the member's list, which is not earlier than the position at which the member
    /// joined.
    pub(super) fn position_of(&self, group: &Group) -> Position {
        self.joined.map_or(group.position(), |joined| joined.max(group.position()))
    }

    /// Returns the newest message that the member has seen, or `None` if the member has seen none.
    pub(super) fn last_seen_message(&self) -> Option<MessageId> {
        self.last_seen.filter(|message| self.may_read(*message))
    }

    /// Moves the membership to the position of a message. Has no effect if the message is at most one hour newer than
    /// the current position.
    async fn move_to(&self, app: &App, message: MessageId) -> Result<()> {
        let (from, to) = (Ulid::from(self.position), Ulid::from(message));
        if to.timestamp_ms() <= from.timestamp_ms() + MOVE_INTERVAL_MILLIS {
            return Ok(());
        }
        let moved = Self { position: Position::from(to), ..self.clone() };
        let write = Write::reindex(&moved).set("position", moved.position).exists();
        // The write is refused if a different message has already moved the membership.
        app.table.try_write(write.equals("position", self.position)).await.map(drop)
    }

    /// Returns the name of the group's attribute that counts this member's messages.
    pub(super) fn count_attribute(&self) -> String {
        format!("s{}", self.place)
    }

    /// Returns the name of the group's attribute that records when this member left. The attribute is kept for 5
    /// minutes, because a running request may have read the membership before the member left.
    pub(super) fn left_attribute(&self) -> String {
        format!("{LEFT_PREFIX}{}", self.place)
    }

    /// Returns the check that the user may still change the group. The check fails with [`Error::Forbidden`] if a block
    /// closes the private group, or if the user has left the crowd.
    pub(super) fn check_in_write(&self, group: &Group) -> Write {
        match group.group_type {
            GroupType::Private => group.if_open_write(Write::check(group.key())).into(),
            // A check of the group's row would conflict with messages, because each message writes that row.
            GroupType::Crowd => Write::check(self.key()).exists().or(NOT_A_MEMBER).into(),
        }
    }

    pub(super) fn sent_by_others_in(&self, group: &Group) -> i64 {
        group.messages_count - group.count(&self.count_attribute())
    }

    /// Returns the number of messages from other members that this member has not seen. Messages of a deleted account
    /// do not count in a private group.
    pub fn unread_in(&self, group: &Group) -> i64 {
        if group.has_lost_partner() {
            return 0;
        }
        (self.sent_by_others_in(group) - self.seen_count).max(0)
    }
}

/// Returns the members of a group.
pub async fn members(app: &App, group: GroupId) -> Result<Vec<Member>> {
    app.table.query(&Query::partition(group::partition(group)).prefix("MEMBER#")).await
}

/// Moves the group of a message to the top of its members' lists. A group moves at most once an hour.
pub async fn move_to_head(app: &App, members: &[Member], sent: &MessageSent) -> Result<()> {
    let moves = members.iter().map(|member| member.move_to(app, sent.message_id));
    futures::future::try_join_all(moves).await.map(drop)
}

/// Returns a user's memberships, most recently moved first.
pub(super) async fn memberships(app: &App, user: UserId) -> Result<Vec<Member>> {
    let query = Query::index(Index::Gsi1, groups_partition(user)).newest_first().limit(GROUPS_MAX);
    app.table.query(&query).await
}

/// Takes the group and the user's membership out of `rows`. Fails with [`Error::NotFound`] if the group does not exist.
/// Fails with [`Error::Forbidden`] if the user is not a member.
pub(super) fn membership(rows: &mut Together, group: GroupId, user: UserId) -> Result<(Group, Member)> {
    let group: Group = rows.take(&group::key(group))?.ok_or(NO_GROUP)?;
    let member: Option<Member> = rows.take(&member_key(group.id, user))?;
    Ok((group, member.ok_or(NOT_A_MEMBER)?))
}

/// Returns a group and a user's membership. Fails as [`membership`] does.
pub(super) async fn find_membership(app: &App, group: GroupId, user: UserId) -> Result<(Group, Member)> {
    let mut rows = app.table.get_together(&[group::key(group), member_key(group, user)]).await?;
    membership(&mut rows, group, user)
}

/// Works as [`find_membership`] does, with eventual consistency, at half the cost.
pub(super) async fn find_membership_eventual(
    app: &App,
    group: GroupId,
    user: UserId,
) -> Result<(Group, Member)> {
    let mut rows = app.table.get_together_eventual(&[group::key(group), member_key(group, user)]).await?;
    membership(&mut rows, group, user)
}

/// Returns the key of a membership.
pub fn member_key(group: GroupId, user: UserId) -> Key {
    Key::new(group::partition(group), format!("MEMBER#{user}"))
}

/// Returns the partition of gsi1 that lists a user's groups.
pub(super) fn groups_partition(user: UserId) -> String {
    format!("GROUPS#{user}")
}

/// `GROUP#id / MEMBER#u`, gsi1 `GROUPS#u / position`
impl Row for Member {
    fn key(&self) -> Key {
        member_key(self.group, self.user)
    }

    fn indexes(&self) -> Vec<(Index, Key)> {
        vec![(Index::Gsi1, Key::new(groups_partition(self.user), self.position.to_string()))]
    }
}
