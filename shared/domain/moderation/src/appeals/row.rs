//! The rows of appeals.

use base::{AppealId, PostId, ReasonText, UserId};
use platform::{Index, Key, Row, Time, Write};
use serde::{Deserialize, Serialize};
use strum::AsRefStr;
use utoipa::ToSchema;

use crate::{decider::Decider, reports::Category};

/// The partition of gsi2 that lists all appeals.
pub(super) const ALL: &str = "APPEALS";

/// The status of an appeal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, AsRefStr, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
#[strum(serialize_all = "SCREAMING_SNAKE_CASE")]
pub enum AppealStatus {
    /// The appeal has not been decided.
    Pending,
    /// The post stays hidden, or the user stays banned.
    Upheld,
    /// The post is shown again, or the ban is lifted.
    Granted,
    /// The decision ended or was replaced before the appeal was decided.
    Closed,
}

/// The row of an appeal.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Appeal {
    /// The appeal's ID.
    pub id: AppealId,
    /// The author of the post, or the banned user.
    pub user_id: UserId,
    /// The hidden post. For an appeal against a ban, the user's public ID.
    pub post_id: PostId,
    /// The user's reason for the appeal.
    pub text: ReasonText,
    /// The result of the appeal, or `PENDING`.
    pub status: AppealStatus,
    /// Whether the judge, an administrator or a user made the appealed decision.
    pub decider: Decider,
    /// The administrator or user who made the appealed decision. `None` for the judge, and for a ban without a case.
    pub hidden_by: Option<UserId>,
    /// The reason for the appealed decision, as shown to the user.
    pub reason: Option<String>,
    /// The category of the report.
    pub category: Category,
    /// The reason for the decision on the appeal, visible only to administrators.
    pub admin_note: Option<ReasonText>,
    /// The administrator who decided on the appeal.
    pub decided_by: Option<UserId>,
    /// RFC 3339 time at which the appeal was decided or closed.
    pub decided_at: Option<Time>,
    /// RFC 3339 time of the appeal.
    pub created_at: Time,
}

impl Appeal {
    /// Returns the key in gsi1, which lists appeals by status.
    pub(super) fn status_index_key(&self) -> Key {
        Key::new(by_status(self.status), self.id.to_string())
    }
}

/// Returns the partition of gsi1 that lists the appeals with a status.
pub(super) fn by_status(status: AppealStatus) -> String {
    format!("APPEALS#{}", status.as_ref())
}

/// Returns the write that closes a pending appeal, because its decision ended or was replaced. Fails with a conflict if
/// the appeal was decided meanwhile.
pub(crate) fn close_write(id: AppealId, now: Time) -> Write {
    let by_status = Key::new(by_status(AppealStatus::Closed), id.to_string());
    let write = Write::update(key(id)).set("status", AppealStatus::Closed).set("decidedAt", now);
    write.index_key(Index::Gsi1, Some(by_status)).equals("status", AppealStatus::Pending)
}

/// Returns the key of an appeal's row.
pub fn key(id: AppealId) -> Key {
    Key::new(format!("APPEAL#{id}"), "APPEAL")
}

/// `APPEAL#id / APPEAL`, gsi1 `APPEALS#status / id`, gsi2 `APPEALS / id`
impl Row for Appeal {
    fn key(&self) -> Key {
        key(self.id)
    }

    fn indexes(&self) -> Vec<(Index, Key)> {
        let all_key = Key::new(ALL, self.id.to_string());
        vec![(Index::Gsi1, self.status_index_key()), (Index::Gsi2, all_key)]
    }
}
