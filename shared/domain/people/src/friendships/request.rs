//! The row of a friend request.

use base::{Position, PublicUserId, UserId};
use platform::{App, HOUR_SECONDS, Index, Key, Result, Row, Time, Write};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// Time for which the row of a canceled request is kept.
const CANCELLED_SECONDS: i64 = 30 * 24 * HOUR_SECONDS;

/// The status of a friend request.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum RequestStatus {
    /// The request has not been answered yet.
    Pending,
    /// The request was accepted. The two users are friends.
    Accepted,
    /// One of the two users canceled the request or ended the friendship.
    Cancelled,
}

/// A friend request. The row is kept after the answer, because a client's cursor may still refer to it. The row is
/// deleted 30 days after a cancellation.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct FriendRequest {
    /// The user who sent the request.
    pub sender_id: UserId,
    /// The user who received the request.
    pub receiver_id: UserId,
    /// The current status.
    pub status: RequestStatus,
    /// The position in the users' lists of sent and received requests.
    pub position: Position,
    /// The time at which the request was sent.
    pub created_at: Time,
    /// The time at which the request was accepted or canceled.
    pub answered_at: Option<Time>,
    /// The position in both users' lists of friends. The position is set when the request is accepted, and kept after
    /// the friendship ends.
    pub friends_at: Option<Position>,
}

/// A friend request as clients see it.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[schema(as = FriendRequest)]
#[serde(rename_all = "camelCase")]
pub struct FriendRequestView {
    /// The user who sent the request.
    pub sender_id: PublicUserId,
    /// The user who received the request.
    pub receiver_id: PublicUserId,
    /// The current status.
    pub status: RequestStatus,
    /// The time at which the request was sent.
    pub created_at: Time,
}

impl FriendRequest {
    pub(super) fn new(app: &App, sender_id: UserId, receiver_id: UserId) -> Self {
        let now = app.now();
        Self {
            sender_id,
            receiver_id,
            status: RequestStatus::Pending,
            position: app.ids.next(now),
            created_at: now,
            answered_at: None,
            friends_at: None,
        }
    }

    /// Returns whether the request is pending.
    pub fn is_pending(&self) -> bool {
        self.status == RequestStatus::Pending
    }

    /// Returns the request in the form for clients.
    pub fn view(&self) -> FriendRequestView {
        let &Self { sender_id, receiver_id, status, created_at, .. } = self;
        FriendRequestView {
            sender_id: sender_id.public(),
            receiver_id: receiver_id.public(),
            status,
            created_at,
        }
    }

    /// Returns the sender or the receiver of the request, whichever is not `user`.
    pub(super) fn other_than(&self, user: UserId) -> UserId {
        if self.sender_id == user { self.receiver_id } else { self.sender_id }
    }

    /// Returns whether the request is accepted, which means that the two users are friends.
    pub(super) fn is_accepted(&self) -> bool {
        self.status == RequestStatus::Accepted
    }

    /// Returns the request with the status `Accepted`, and a position at the top of both users' lists of friends.
    pub(super) fn accepted(&self, app: &App) -> Self {
        let now = app.now();
        Self { friends_at: Some(app.ids.next(now)), ..self.answered(RequestStatus::Accepted, now) }
    }

    /// Returns the request with the given status, answered at `at`.
    pub(super) fn answered(&self, status: RequestStatus, at: Time) -> Self {
        Self { status, answered_at: Some(at), ..self.clone() }
    }

    /// Returns the write that sends the request. The write fails with a conflict if an earlier request is pending or
    /// accepted.
    pub(super) fn send_write(&self) -> Write {
        if_none_open_write(Write::put(self))
    }

    /// Returns the write that stores the answer. The write fails with a conflict if the stored request is not pending.
    pub(super) fn answer_write(&self) -> Write {
        self.write_over(RequestStatus::Pending)
    }

    /// Returns whether the request is pending or accepted.
    pub fn is_open(&self) -> bool {
        self.status != RequestStatus::Cancelled
    }

    /// Returns the write that cancels a pending request or ends a friendship. The write fails with a conflict if the
    /// status changed.
    pub fn end_write(&self, at: Time) -> Write {
        self.answered(RequestStatus::Cancelled, at).write_over(self.status)
    }

    fn write_over(&self, before: RequestStatus) -> Write {
        let write = Write::reindex(self).set("status", self.status).set("answeredAt", self.answered_at);
        let write = write.set_or_remove("friendsAt", self.friends_at);
        let write = write.set_or_remove("ttl", self.expires().map(Time::seconds));
        write.equals("status", before).equals("position", self.position)
    }
}

/// Returns a transaction check that fails with a conflict if a request from `sender` to `receiver` is pending or
/// accepted.
pub fn check_none_open(sender: UserId, receiver: UserId) -> Write {
    if_none_open_write(Write::check(key(sender, receiver))).into()
}

fn if_none_open_write<K>(write: Write<K>) -> Write<K> {
    write.equals_or_lacks("status", RequestStatus::Cancelled)
}

/// Returns the requests of these pairs `(sender, receiver)`, including answered requests.
pub async fn find_all(app: &App, pairs: &[(UserId, UserId)]) -> Result<Vec<FriendRequest>> {
    let keys: Vec<_> = pairs.iter().map(|(sender, receiver)| key(*sender, *receiver)).collect();
    app.table.batch_get(&keys).await
}

pub(super) async fn find(app: &App, sender: UserId, receiver: UserId) -> Result<Option<FriendRequest>> {
    app.table.get(&key(sender, receiver)).await
}

pub(crate) fn key(sender: UserId, receiver: UserId) -> Key {
    Key::new(sender.partition(), format!("FREQ#{receiver}"))
}

/// Returns the partition of gsi1 that lists a user's sent requests.
pub(super) fn sent_partition(sender: UserId) -> String {
    format!("FREQ_SENT#{sender}")
}

/// Returns the partition of gsi2 that lists a user's received requests.
pub(super) fn received_partition(receiver: UserId) -> String {
    format!("FREQ_RECEIVED#{receiver}")
}

/// Returns the partition that lists a user's friends. gsi1 lists the friends who received a request from the user. gsi2
/// lists the friends who sent the user a request.
pub(super) fn friends_partition(user: UserId) -> String {
    format!("FRIENDS#{user}")
}

/// `USER#sender / FREQ#receiver`, expires 30 days after the request is canceled. While pending: gsi1 `FREQ_SENT#sender
/// / position`, gsi2 `FREQ_RECEIVED#receiver / position`. While friends: gsi1 `FRIENDS#sender / position`, gsi2
/// `FRIENDS#receiver / position`.
impl Row for FriendRequest {
    fn key(&self) -> Key {
        key(self.sender_id, self.receiver_id)
    }

    fn expires(&self) -> Option<Time> {
        let cancelled = self.answered_at.filter(|_| self.status == RequestStatus::Cancelled);
        cancelled.map(|at| at.plus_seconds(CANCELLED_SECONDS))
    }

    fn indexes(&self) -> Vec<(Index, Key)> {
        let &Self { sender_id, receiver_id, position, .. } = self;
        let lists = |sent, received, at: Position| {
            vec![
                (Index::Gsi1, Key::new(sent, at.to_string())),
                (Index::Gsi2, Key::new(received, at.to_string())),
            ]
        };
        match (self.status, self.friends_at) {
            (RequestStatus::Pending, _) => {
                lists(sent_partition(sender_id), received_partition(receiver_id), position)
            }
            (RequestStatus::Accepted, Some(at)) => {
                lists(friends_partition(sender_id), friends_partition(receiver_id), at)
            }
            (RequestStatus::Accepted, None) | (RequestStatus::Cancelled, _) => Vec::new(),
        }
    }
}
