//! The row of an invitation to a circle.

use base::ids::{CircleId, Position, UserId};
use platform::{
    table::{Index, Key, Row, Write},
    time::Time,
};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{CircleInvited, CircleJoined, CircleName, JoinStatus, circle};

/// A user's invitation to a circle; there is one for each user and circle.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Invitation {
    /// The circle.
    pub circle: CircleId,
    /// The user who is invited.
    pub user: UserId,
    /// The member who invited them.
    pub invited_by_id: UserId,
    /// The circle's name at the time of the invitation.
    pub circle_name: CircleName,
    /// Whether it has an answer, and which.
    pub status: JoinStatus,
    /// Its position in the user's list.
    pub position: Position,
    /// The time of the invitation.
    pub created_at: Time,
}

/// An invitation, as clients see it.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct InvitationView {
    /// Its position in the list; also the cursor.
    pub public_id: Position,
    /// The circle.
    pub circle_id: CircleId,
    /// The circle's name at the time of the invitation.
    pub circle_name: CircleName,
    /// The user who is invited.
    pub user_id: UserId,
    /// The member who invited them.
    pub invited_by_id: UserId,
    /// Whether it has an answer, and which.
    pub status: JoinStatus,
    /// RFC 3339 time of the invitation.
    pub created_at: Time,
}

impl Invitation {
    /// Whether it has no answer yet.
    pub fn is_pending(&self) -> bool {
        self.status == JoinStatus::Pending
    }

    /// Gives the invitation its answer. Fails when it is not pending any more.
    pub(super) fn answer_write(self, status: JoinStatus) -> (Self, Write) {
        let answered = Self { status, ..self };
        let write = Write::reindex(&answered).set("status", status);
        let write = write.equals("position", answered.position).equals("status", JoinStatus::Pending);
        (answered, write)
    }

    /// The event that it was made.
    pub(super) fn made(&self) -> CircleInvited {
        let Self { circle, user, invited_by_id, created_at, .. } = *self;
        CircleInvited { circle_id: circle, user_id: user, invited_by_id, created_at }
    }

    /// The event that the user joined by it.
    pub(super) fn joined(&self, created_at: Time) -> CircleJoined {
        CircleJoined { circle_id: self.circle, user_id: self.user, created_at }
    }

    /// The invitation as clients see it.
    pub fn view(&self) -> InvitationView {
        InvitationView {
            public_id: self.position,
            circle_id: self.circle,
            circle_name: self.circle_name.clone(),
            user_id: self.user,
            invited_by_id: self.invited_by_id,
            status: self.status,
            created_at: self.created_at,
        }
    }
}

pub(crate) fn key(circle: CircleId, user: UserId) -> Key {
    Key::new(circle::partition(circle), format!("INVITE#{user}"))
}

/// The partition of the index that lists a user's pending invitations, the oldest first.
pub(super) fn pending_partition(user: UserId) -> String {
    format!("INVITED#{user}")
}

/// `CIRCLE#id / INVITE#u`, while it is pending gsi1 `INVITED#u` / position
impl Row for Invitation {
    fn key(&self) -> Key {
        key(self.circle, self.user)
    }

    fn indexes(&self) -> Vec<(Index, Key)> {
        let key = || Key::new(pending_partition(self.user), self.position.to_string());
        self.is_pending().then(|| (Index::Gsi1, key())).into_iter().collect()
    }
}
