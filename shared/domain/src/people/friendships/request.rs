//! A friend request's row.

use platform::{
    App,
    error::{Error, Result},
    table::{Index, Key, Row, Write},
    time::Time,
};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::ids::{Position, UserId};

const CHANGED: Error = Error::Conflict("this was changed meanwhile");

/// What became of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum RequestStatus {
    /// It waits for an answer.
    Pending,
    /// The two are friends.
    Accepted,
    /// Either called it off.
    Cancelled,
}

/// What one person asked another. When it is answered the row stays: it may be some client's cursor.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct FriendRequest {
    /// Who asks.
    pub sender_id: UserId,
    /// Whom.
    pub receiver_id: UserId,
    /// What became of it.
    pub status: RequestStatus,
    /// Where it stands, or last stood, in both people's lists.
    pub position: Position,
    /// When it was last sent.
    pub created_at: Time,
    /// When it was answered.
    pub answered_at: Option<Time>,
}

/// A request as it is answered.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct FriendRequestView {
    /// Who asks.
    pub sender_id: UserId,
    /// Whom.
    pub receiver_id: UserId,
    /// What became of it.
    pub status: RequestStatus,
    /// When it was sent.
    pub created_at: Time,
}

impl FriendRequest {
    /// One that is sent now.
    pub(super) fn new(app: &App, sender_id: UserId, receiver_id: UserId) -> Self {
        let now = app.now();
        Self {
            sender_id,
            receiver_id,
            status: RequestStatus::Pending,
            position: app.ids.next(now),
            created_at: now,
            answered_at: None,
        }
    }

    /// Whether it waits for an answer.
    pub fn is_pending(&self) -> bool {
        self.status == RequestStatus::Pending
    }

    /// As clients see it.
    pub fn view(&self) -> FriendRequestView {
        let &Self { sender_id, receiver_id, status, created_at, .. } = self;
        FriendRequestView { sender_id, receiver_id, status, created_at }
    }

    /// The same request, answered.
    pub(super) fn answered(&self, app: &App, status: RequestStatus) -> Self {
        Self { status, answered_at: Some(app.now()), ..self.clone() }
    }

    /// That it is sent, for a transaction; refused unless there was none or a cancelled one.
    pub(super) fn sending(&self) -> Write {
        open(Write::put(self))
    }

    /// That it is answered as it now says, for a transaction; refused unless it is pending.
    pub(super) fn answering(&self) -> Write {
        let write = Write::reindex(self).set("status", self.status).set("answeredAt", self.answered_at);
        write.equals("status", RequestStatus::Pending).equals("position", self.position).or(CHANGED)
    }

    /// That it is called off, for a transaction; refused unless it is pending.
    pub(crate) fn cancelled(&self, at: Time) -> Write {
        Self { status: RequestStatus::Cancelled, answered_at: Some(at), ..self.clone() }.answering()
    }
}

/// For a transaction: nothing is done while a request that counts goes from one to the other.
pub(super) fn none_open(sender: UserId, receiver: UserId) -> Write {
    open(Write::check(key(sender, receiver)))
}

fn open(write: Write) -> Write {
    write.equals_or_lacks("status", RequestStatus::Cancelled).or(CHANGED)
}

/// For a transaction: nothing is done while a request waits for its answer.
pub(crate) fn none_pending(sender: UserId, receiver: UserId) -> Write {
    Write::check(key(sender, receiver)).differs("status", RequestStatus::Pending).or(CHANGED)
}

/// What was ever sent between these pairs `(sender, receiver)`. 1 call for each 100, 1 RRU each.
///
/// # Errors
/// Internal only.
pub async fn find_all(app: &App, pairs: &[(UserId, UserId)]) -> Result<Vec<FriendRequest>> {
    let keys: Vec<_> = pairs.iter().map(|(sender, receiver)| key(*sender, *receiver)).collect();
    app.table.batch_get(&keys).await
}

pub(super) async fn find(app: &App, sender: UserId, receiver: UserId) -> Result<Option<FriendRequest>> {
    app.table.get(&key(sender, receiver)).await
}

fn key(sender: UserId, receiver: UserId) -> Key {
    Key::new(format!("USER#{sender}"), format!("FREQ#{receiver}"))
}

/// `USER#sender / FREQ#receiver`; while it is pending: gsi1 `FREQ_SENT#sender / position`, gsi2
/// `FREQ_RECEIVED#receiver / position`
impl Row for FriendRequest {
    fn key(&self) -> Key {
        key(self.sender_id, self.receiver_id)
    }

    fn indexes(&self) -> Vec<(Index, Key)> {
        if !self.is_pending() {
            return Vec::new();
        }
        let position = self.position.to_string();
        vec![
            (Index::Gsi1, Key::new(format!("FREQ_SENT#{}", self.sender_id), position.clone())),
            (Index::Gsi2, Key::new(format!("FREQ_RECEIVED#{}", self.receiver_id), position)),
        ]
    }
}
