//! The membership of a user in a circle: their role, and what it permits.

use base::ids::{CircleId, UserId};
use platform::{
    error::Error,
    table::{Index, Key, Row, Write},
    time::Time,
};
use serde::{Deserialize, Serialize};
use strum::{EnumString, VariantNames};
use utoipa::ToSchema;

use super::circle;

/// The refusal for a user who is not a member.
pub(super) const NO_MEMBER: Error = Error::NotFound("member");

/// A member's role.
#[derive(Clone, Copy, Debug, Hash, PartialEq, Eq, EnumString, VariantNames, Serialize, ToSchema)]
#[schema(as = CircleRole)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
#[strum(ascii_case_insensitive, serialize_all = "SCREAMING_SNAKE_CASE")]
pub enum Role {
    /// Owns the circle: its creator, until they hand it over. Gives the roles.
    Owner,
    /// Accepts, invites and removes members, removes what is written, and begins CPR.
    Admin,
    /// Has no permissions of its own.
    Member,
}

platform::deserialize_in_any_case!(Role);

/// Something that some roles permit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum Permission {
    /// To answer join requests, and to invite.
    AcceptUseJoin,
    /// To begin a CPR.
    StartCpr,
    /// To give members their roles.
    ChangeRoles,
    /// To remove members of a lower role, and to ban.
    RemoveMembers,
    /// To remove what others wrote.
    RemovePosts,
    /// To change what they wrote themselves.
    Write,
    /// To change the circle's name and description, and to delete it.
    ChangeCircle,
}

/// How somebody became a member.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum Source {
    /// They created the circle.
    Founder,
    /// Their join request was accepted.
    JoinRequest,
    /// They accepted an invitation.
    Invitation,
}

/// A user's membership of a circle. The row stays when they leave, because only the first joining brings EXP.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Member {
    /// The circle.
    pub circle: CircleId,
    /// The member.
    pub user: UserId,
    /// Their role in the circle.
    pub role: Role,
    /// How they became a member.
    pub source: Source,
    /// The time of their last joining.
    pub joined_at: Time,
    /// The time of their leaving; none while they are a member.
    pub left_at: Option<Time>,
    /// The end of the time in which they may not post there, because they gave karma.
    pub restricted_until: Option<Time>,
    /// The time since which they are banned from the circle; none for somebody who is not.
    pub banned_at: Option<Time>,
}

impl Role {
    /// Whether the role has a permission.
    pub fn may(self, permission: Permission) -> bool {
        match permission {
            Permission::AcceptUseJoin
            | Permission::StartCpr
            | Permission::RemoveMembers
            | Permission::RemovePosts => self != Self::Member,
            Permission::ChangeRoles | Permission::ChangeCircle => self == Self::Owner,
            Permission::Write => true,
        }
    }

    /// Whether a member of this role may remove one of the other.
    pub(super) fn outranks(self, other: Self) -> bool {
        match self {
            Self::Owner => other != Self::Owner,
            Self::Admin => other == Self::Member,
            Self::Member => false,
        }
    }
}

impl Member {
    /// The membership of somebody who joins now.
    pub fn new(circle: CircleId, user: UserId, role: Role, source: Source, now: Time) -> Self {
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

    /// The row of somebody who is banned now and never was a member.
    pub(super) fn banned_stranger(circle: CircleId, user: UserId, now: Time) -> Self {
        let stranger = Self::new(circle, user, Role::Member, Source::JoinRequest, now);
        Self { left_at: Some(now), banned_at: Some(now), ..stranger }
    }

    /// Whether they have not left.
    pub fn is_in(&self) -> bool {
        self.left_at.is_none()
    }

    /// Ends the membership. Fails when it changed since it was read.
    pub(super) fn leave_write(&self, now: Time) -> Write {
        let left = Self { left_at: Some(now), ..self.clone() };
        let write = Write::reindex(&left).set("leftAt", now).equals("role", self.role);
        write.equals("joinedAt", self.joined_at).lacks("leftAt")
    }

    /// Ends the membership, while it lasts, and bans the user. Fails when the row changed since it was read.
    pub(super) fn ban_write(&self, now: Time) -> Write {
        let left_at = self.left_at.unwrap_or(now);
        let banned = Self { left_at: Some(left_at), banned_at: Some(now), ..self.clone() };
        let write = Write::reindex(&banned).set("leftAt", left_at).set("bannedAt", now).lacks("bannedAt");
        write.equals("role", self.role).equals("joinedAt", self.joined_at).is_still("leftAt", self.left_at)
    }

    /// Lifts a ban. Nothing is left of somebody who never was a member. Fails when the ban is another one by now.
    pub(super) fn lift_write(&self) -> Write {
        if self.left_at == Some(self.joined_at) {
            return Write::delete(self.key()).equals("bannedAt", self.banned_at).into();
        }
        let lifted = Self { banned_at: None, ..self.clone() };
        Write::reindex(&lifted).remove("bannedAt").equals("bannedAt", self.banned_at)
    }

    /// Gives the member a role. Fails when the membership changed since it was read.
    pub(super) fn role_write(&self, role: Role) -> Write {
        let write = Write::update(member_key(self.circle, self.user)).set("role", role);
        write.equals("role", self.role).equals("joinedAt", self.joined_at).lacks("leftAt")
    }

    /// Makes somebody who left a member again. What restricted them still does. Fails when the membership
    /// changed since `before` was read.
    pub(super) fn rejoin_write(&self, before: &Self) -> Write {
        let write = Write::reindex(self).set("role", self.role).set("source", self.source);
        write
            .set("joinedAt", self.joined_at)
            .remove("leftAt")
            .equals("leftAt", before.left_at)
            .lacks("bannedAt")
    }
}

/// The key of a membership.
pub fn member_key(circle: CircleId, user: UserId) -> Key {
    Key::new(circle::partition(circle), format!("MEMBER#{user}"))
}

/// The partition of the index that lists a user's circles, the oldest circle first.
pub(super) fn circles_partition(user: UserId) -> String {
    format!("CIRCLES#{user}")
}

/// The partition of the index that lists a circle's members, the oldest account first.
pub(super) fn members_partition(circle: CircleId) -> String {
    format!("MEMBERS#{circle}")
}

/// The partition of the index that lists whom a circle bans, the oldest account first.
pub(super) fn bans_partition(circle: CircleId) -> String {
    format!("BANS#{circle}")
}

/// `CIRCLE#id / MEMBER#u`, until they leave gsi1 `CIRCLES#u` / circle, gsi2 `MEMBERS#circle` / user; while they are
/// banned gsi2 `BANS#circle` / user, gsi3 `NAMED#u` / circle
impl Row for Member {
    fn key(&self) -> Key {
        member_key(self.circle, self.user)
    }

    fn indexes(&self) -> Vec<(Index, Key)> {
        if self.banned_at.is_some() {
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
