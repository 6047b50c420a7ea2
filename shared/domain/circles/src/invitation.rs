//! The row of an invitation to a circle.

use base::{CircleId, Position, PublicUserId, UserId};
use platform::{Index, Key, Row, Time, Write};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{CircleInvited, CircleJoined, CircleName, JoinStatus, circle};

/// A user's invitation to a circle. Each user has at most one invitation per circle.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Invitation {
    pub(super) circle: CircleId,
    pub(super) user: UserId,
    pub(super) invited_by_id: UserId,
    /// The circle's name at the time of the invitation.
    pub(super) circle_name: CircleName,
    pub(super) status: JoinStatus,
    /// The invitation's position in the user's list of invitations.
    pub(super) position: Position,
    pub(super) created_at: Time,
}

/// An invitation in responses.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[schema(as = CircleInvitation)]
#[serde(rename_all = "camelCase")]
pub struct InvitationView {
    /// The invitation's position in the list, which is also the cursor.
    pub public_id: Position,
    /// The circle to which the user is invited.
    pub circle_id: CircleId,
    /// The circle's name at the time of the invitation.
    pub circle_name: CircleName,
    /// The invited user.
    pub user_id: PublicUserId,
    /// The member who sent the invitation.
    pub invited_by_id: PublicUserId,
    /// Whether the invitation is pending, accepted, rejected or withdrawn.
    pub status: JoinStatus,
    /// RFC 3339 time of the invitation.
    pub created_at: Time,
}

impl Invitation {
    pub(super) fn is_pending(&self) -> bool {
        self.status == JoinStatus::Pending
    }

    /// Returns the answered invitation, and the write that stores the answer. The write fails if the stored invitation
    /// is not pending.
    pub(super) fn answer_write(self, status: JoinStatus) -> (Self, Write) {
        let answered = Self { status, ..self };
        let write = Write::reindex(&answered).set("status", status);
        let write = write.equals("position", answered.position).equals("status", JoinStatus::Pending);
        (answered, write)
    }

    pub(super) fn invited_event(&self) -> CircleInvited {
        let Self { circle, user, invited_by_id, created_at, .. } = *self;
        CircleInvited { circle_id: circle, user_id: user, invited_by_id, created_at }
    }

    pub(super) fn joined_event(&self, created_at: Time) -> CircleJoined {
        CircleJoined { circle_id: self.circle, user_id: self.user, created_at }
    }

    pub(super) fn view(&self) -> InvitationView {
        InvitationView {
            public_id: self.position,
            circle_id: self.circle,
            circle_name: self.circle_name.clone(),
            user_id: self.user.public(),
            invited_by_id: self.invited_by_id.public(),
            status: self.status,
            created_at: self.created_at,
        }
    }
}

pub(super) fn key(circle: CircleId, user: UserId) -> Key {
    Key::new(circle::partition(circle), format!("INVITE#{user}"))
}

/// Returns the index partition of a user's pending invitations, oldest first.
pub(super) fn pending_partition(user: UserId) -> String {
    format!("INVITED#{user}")
}

/// `CIRCLE#id / INVITE#u`
///
/// - gsi1 `INVITED#u / position`, while the invitation is pending
impl Row for Invitation {
    fn key(&self) -> Key {
        key(self.circle, self.user)
    }

    fn indexes(&self) -> Vec<(Index, Key)> {
        let key = || Key::new(pending_partition(self.user), self.position.to_string());
        self.is_pending().then(|| (Index::Gsi1, key())).into_iter().collect()
    }
}
