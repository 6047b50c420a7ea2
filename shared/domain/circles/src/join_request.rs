//! The row of a request to join a circle.

use base::{CircleId, Position, PublicUserId, UserId};
use platform::{App, Index, Key, Row, Time, Write};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::circle;

/// The status of a join request or an invitation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum JoinStatus {
    /// The request or invitation has not been answered yet.
    Pending,
    /// The user joined.
    Accepted,
    /// The request or invitation was rejected.
    Rejected,
    /// The user withdrew the request, or the invitation was revoked.
    Withdrawn,
}

/// A user's request to join a circle. Each user has at most one request per circle. The row stays after the answer,
/// because a client may use the request as a cursor.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct JoinRequest {
    pub(super) circle: CircleId,
    pub(super) user: UserId,
    pub(super) status: JoinStatus,
    /// The request's position in the circle's list of requests.
    pub(super) position: Position,
    pub(super) created_at: Time,
    pub(super) answered_by_id: Option<UserId>,
    pub(super) answered_at: Option<Time>,
}

/// A join request in responses.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[schema(as = JoinRequest)]
#[serde(rename_all = "camelCase")]
pub struct JoinRequestView {
    /// The ID of the request within its circle: the public ID of the user who sent the request.
    pub request_id: PublicUserId,
    /// The circle that the user wants to join.
    pub circle_id: CircleId,
    /// The user who requests to join.
    pub user_id: PublicUserId,
    /// Whether the request is pending, accepted, rejected or withdrawn.
    pub status: JoinStatus,
    /// RFC 3339 time of the request.
    pub created_at: Time,
}

impl JoinRequest {
    pub(super) fn new(app: &App, circle: CircleId, user: UserId) -> Self {
        let now = app.now();
        Self {
            circle,
            user,
            status: JoinStatus::Pending,
            position: app.ids.next(now),
            created_at: now,
            answered_by_id: None,
            answered_at: None,
        }
    }

    pub(super) fn is_pending(&self) -> bool {
        self.status == JoinStatus::Pending
    }

    /// Returns the request with an answer by the member `by`.
    pub(super) fn answered(&self, app: &App, by: UserId, status: JoinStatus) -> Self {
        Self { status, answered_by_id: Some(by), answered_at: Some(app.now()), ..self.clone() }
    }

    /// Returns the write that stores the answer to this request. The write fails if the stored request is not pending.
    pub(super) fn answer_write(&self) -> Write {
        let write = Write::reindex(self).set("status", self.status).set("answeredAt", self.answered_at);
        let write = write.set("answeredById", self.answered_by_id).equals("position", self.position);
        write.equals("status", JoinStatus::Pending)
    }

    /// Returns the withdrawn request, and the write that stores it. The write fails if the stored request is not
    /// pending.
    pub(super) fn withdraw_write(self) -> (Self, Write) {
        let withdrawn = Self { status: JoinStatus::Withdrawn, ..self };
        let write = Write::reindex(&withdrawn).set("status", withdrawn.status);
        let write = write.equals("position", withdrawn.position).equals("status", JoinStatus::Pending);
        (withdrawn, write)
    }

    pub(super) fn view(&self) -> JoinRequestView {
        JoinRequestView {
            request_id: self.user.public(),
            circle_id: self.circle,
            user_id: self.user.public(),
            status: self.status,
            created_at: self.created_at,
        }
    }
}

/// Returns the key of a user's request to join a circle.
pub fn key(circle: CircleId, user: UserId) -> Key {
    Key::new(circle::partition(circle), format!("JOIN#{user}"))
}

/// Returns the index partition of a circle's pending requests, oldest first.
pub(super) fn pending_partition(circle: CircleId) -> String {
    format!("JOINS#{circle}")
}

/// `CIRCLE#id / JOIN#u`
///
/// - gsi2 `JOINS#circle / position`, while the request is pending
impl Row for JoinRequest {
    fn key(&self) -> Key {
        key(self.circle, self.user)
    }

    fn indexes(&self) -> Vec<(Index, Key)> {
        let key = || Key::new(pending_partition(self.circle), self.position.to_string());
        self.is_pending().then(|| (Index::Gsi2, key())).into_iter().collect()
    }
}
