//! The row of a circle's member, and the permissions of each role.

use base::{CircleId, UserId};
use platform::{App, Error, Index, Key, Query, Result, Row, Time, Write};
use serde::{Deserialize, Serialize};
use strum::{EnumString, VariantNames};
use utoipa::ToSchema;

use super::circle;

/// The error for a user who is not a member.
pub(super) const NO_MEMBER: Error = Error::NotFound("member");

/// A member's role.
#[derive(Clone, Copy, Debug, Hash, PartialEq, Eq, EnumString, VariantNames, Serialize, ToSchema)]
#[schema(as = CircleRole)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
#[strum(ascii_case_insensitive, serialize_all = "SCREAMING_SNAKE_CASE")]
pub enum Role {
    /// Has all permissions. The first owner is the creator.
    Owner,
    /// Can accept, invite and remove members, remove posts, and start CPRs.
    Admin,
    /// Can write posts and comments.
    Member,
}

platform::deserialize_in_any_case!(Role);

/// A permission that depends on the member's role.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Permission {
    /// Answer join requests, and invite users.
    AcceptUseJoin,
    /// Start a CPR.
    StartCpr,
    /// Change the roles of members.
    ChangeRoles,
    /// Remove members with a lower role, and ban users.
    RemoveMembers,
    /// Remove posts of other members.
    RemovePosts,
    /// Edit own posts.
    Write,
    /// Change the circle's name and description, and delete the circle.
    ChangeCircle,
}

/// How a user became a member.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub(super) enum Source {
    Founder,
    JoinRequest,
    Invitation,
}

/// A user's membership in a circle. The row stays after the user leaves, because a circle gains EXP only from a user's
/// first join.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Member {
    pub(super) circle: CircleId,
    pub(super) user: UserId,
    pub(super) role: Role,
    pub(super) source: Source,
    /// The time of the last join.
    pub(super) joined_at: Time,
    /// The time at which the membership ended, or `None` for a current member.
    pub(super) left_at: Option<Time>,
    /// The time until which the member cannot write in the circle, after giving karma to the circle.
    pub(super) restricted_until: Option<Time>,
    /// The time of the ban, or `None` if the user is not banned.
    pub(super) banned_at: Option<Time>,
}

impl Role {
    pub(super) fn may(self, permission: Permission) -> bool {
        match permission {
            Permission::AcceptUseJoin
            | Permission::StartCpr
            | Permission::RemoveMembers
            | Permission::RemovePosts => self != Self::Member,
            Permission::ChangeRoles | Permission::ChangeCircle => self == Self::Owner,
            Permission::Write => true,
        }
    }

    /// Returns whether a member with this role can remove a member with the role `other`.
    pub(super) fn outranks(self, other: Self) -> bool {
        match self {
            Self::Owner => other != Self::Owner,
            Self::Admin => other == Self::Member,
            Self::Member => false,
        }
    }
}

impl Member {
    /// Returns the membership of a user who joins now.
    pub(super) fn new(circle: CircleId, user: UserId, role: Role, source: Source, now: Time) -> Self {
        Self {
            circle,
            user,
            role,
            source,
            joined_at: now,
            left_at: None,
            restricted_until: None,
            banned_at: None,
        }
    }

    /// Returns the row of a user who is banned now and was never a member.
    pub(super) fn banned_non_member(circle: CircleId, user: UserId, now: Time) -> Self {
        let member = Self::new(circle, user, Role::Member, Source::JoinRequest, now);
        Self { left_at: Some(now), banned_at: Some(now), ..member }
    }

    /// Returns whether the user is a current member.
    pub fn is_in(&self) -> bool {
        self.left_at.is_none()
    }

    pub(super) fn is_banned(&self) -> bool {
        self.banned_at.is_some()
    }

    /// Returns the write that ends the membership. The write fails if the membership changed after it was read.
    pub(super) fn leave_write(&self, now: Time) -> Write {
        let left = Self { left_at: Some(now), ..self.clone() };
        let write = Write::reindex(&left).set("leftAt", now).equals("role", self.role);
        write.equals("joinedAt", self.joined_at).lacks("leftAt")
    }

    /// Returns the write that bans the user, and ends the membership of a current member. The write fails if the row
    /// changed after it was read.
    pub(super) fn ban_write(&self, now: Time) -> Write {
        let left_at = self.left_at.unwrap_or(now);
        let banned = Self { left_at: Some(left_at), banned_at: Some(now), ..self.clone() };
        let write = Write::reindex(&banned).set("leftAt", left_at).set("bannedAt", now).lacks("bannedAt");
        write.equals("role", self.role).equals("joinedAt", self.joined_at).is_still("leftAt", self.left_at)
    }

    /// Returns the write that lifts the ban. For a user who was never a member, the write deletes the row. The write
    /// fails if the ban changed after the row was read.
    pub(super) fn lift_write(&self) -> Write {
        if self.left_at == Some(self.joined_at) {
            return Write::delete(self.key()).equals("bannedAt", self.banned_at).into();
        }
        let lifted = Self { banned_at: None, ..self.clone() };
        Write::reindex(&lifted).remove("bannedAt").equals("bannedAt", self.banned_at)
    }

    /// Returns the write that sets the member's role. The write fails if the membership changed after it was read.
    pub(super) fn role_write(&self, role: Role) -> Write {
        let write = Write::update(member_key(self.circle, self.user)).set("role", role);
        write.equals("role", self.role).equals("joinedAt", self.joined_at).lacks("leftAt")
    }

    /// Returns the write that makes a former member a member again. A restriction on writing stays in force. The write
    /// fails if the membership changed after `before` was read.
    pub(super) fn rejoin_write(&self, before: &Self) -> Write {
        let write = Write::reindex(self).set("role", self.role).set("source", self.source);
        write
            .set("joinedAt", self.joined_at)
            .remove("leftAt")
            .equals("leftAt", before.left_at)
            .lacks("bannedAt")
    }
}

/// Returns the key of a membership.
pub fn member_key(circle: CircleId, user: UserId) -> Key {
    Key::new(circle::partition(circle), format!("MEMBER#{user}"))
}

/// Returns the index partition of a user's circles, the oldest circle first.
pub(super) fn circles_partition(user: UserId) -> String {
    format!("CIRCLES#{user}")
}

/// Returns the user's next circle after the cursor `after`, and the cursor of this circle. Returns `None` if there is
/// no next circle.
pub async fn next_circle(
    app: &App,
    user: UserId,
    after: Option<String>,
) -> Result<Option<(String, CircleId)>> {
    let query = Query::index(Index::Gsi1, circles_partition(user)).after(after).limit(1);
    let found: Vec<Member> = app.table.query(&query).await?;
    Ok(found.into_iter().next().map(|member| (member.circle.to_string(), member.circle)))
}

/// Returns the index partition of a circle's members, the oldest account first.
pub(super) fn members_partition(circle: CircleId) -> String {
    format!("MEMBERS#{circle}")
}

/// Returns the index partition of a circle's banned users, the oldest account first.
pub(super) fn bans_partition(circle: CircleId) -> String {
    format!("BANS#{circle}")
}

/// `CIRCLE#id / MEMBER#u`
///
/// - gsi1 `CIRCLES#u / circle`, gsi2 `MEMBERS#circle / user`, for a member
/// - gsi2 `BANS#circle / user`, gsi3 `NAMED#u / circle`, for a banned user
impl Row for Member {
    fn key(&self) -> Key {
        member_key(self.circle, self.user)
    }

    fn indexes(&self) -> Vec<(Index, Key)> {
        if self.is_banned() {
            return vec![
                (Index::Gsi2, Key::new(bans_partition(self.circle), self.user.to_string())),
                (Index::Gsi3, Key::new(self.user.named(), self.circle.to_string())),
            ];
        }
        if !self.is_in() {
            return Vec::new();
        }
        vec![
            (Index::Gsi1, Key::new(circles_partition(self.user), self.circle.to_string())),
            (Index::Gsi2, Key::new(members_partition(self.circle), self.user.to_string())),
        ]
    }
}
