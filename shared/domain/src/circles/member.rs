//! Who is in a circle, and what they may do there.

use platform::{
    table::{Index, Key, Row},
    time::Time,
};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::circle;
use crate::ids::{CircleId, UserId};

platform::any_case_words! {
    /// What somebody is in a circle.
    #[derive(Hash)]
    #[schema(as = CircleRole)]
    Role {
        /// The one who made it, or to whom it was handed over.
        Owner = "OWNER",
        /// Lets others in.
        Admin = "ADMIN",
        /// Like most.
        Member = "MEMBER",
    }
}

/// Something that not every member may do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum Permission {
    /// To let people in: answer their requests, and invite them.
    AcceptUseJoin,
    /// To begin a CPR.
    StartCpr,
    /// To give others their roles.
    ChangeRoles,
}

/// How somebody came in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum Source {
    /// They made the circle.
    Founder,
    /// They asked.
    JoinRequest,
    /// They were asked.
    Invitation,
}

/// Somebody's membership. When they leave, the row stays: joining brings EXP once.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Member {
    /// In which circle.
    pub circle: CircleId,
    /// Who.
    pub user: UserId,
    /// What they are there.
    pub role: Role,
    /// How they came in.
    pub source: Source,
    /// Since when.
    pub joined_at: Time,
    /// When they left.
    pub left_at: Option<Time>,
    /// Until when they may not post there, having given karma.
    pub restricted_until: Option<Time>,
}

impl Role {
    /// Whether the role carries a permission.
    pub fn may(self, permission: Permission) -> bool {
        match permission {
            Permission::AcceptUseJoin | Permission::StartCpr => self != Self::Member,
            Permission::ChangeRoles => self == Self::Owner,
        }
    }
}

impl Member {
    /// Somebody who comes in now.
    pub fn new(circle: CircleId, user: UserId, role: Role, source: Source, now: Time) -> Self {
        Self { circle, user, role, source, joined_at: now, left_at: None, restricted_until: None }
    }

    /// Whether they are still in it.
    pub fn is_in(&self) -> bool {
        self.left_at.is_none()
    }
}

/// Where a membership is.
pub fn member_key(circle: CircleId, user: UserId) -> Key {
    Key::new(circle::pk(circle), format!("MEMBER#{user}"))
}

/// `CIRCLE#id / MEMBER#u`, while they are in it gsi1 `CIRCLES#u` / circle, gsi2 `MEMBERS#circle` / user
impl Row for Member {
    fn key(&self) -> Key {
        member_key(self.circle, self.user)
    }

    fn indexes(&self) -> Vec<(Index, Key)> {
        if !self.is_in() {
            return Vec::new();
        }
        let (circle, user) = (self.circle.to_string(), self.user.to_string());
        vec![
            (Index::Gsi1, Key::new(format!("CIRCLES#{user}"), circle.clone())),
            (Index::Gsi2, Key::new(format!("MEMBERS#{circle}"), user)),
        ]
    }
}
