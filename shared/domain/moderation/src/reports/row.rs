//! The row of a report.

use base::{
    ids::{ReportId, UserId},
    reasons::ReasonText,
};
use platform::{
    table::{Index, Key, Row},
    time::Time,
};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// The partition of gsi2 that lists all reports.
pub(super) const ALL: &str = "REPORTS";

/// What is reported. A client writes it in lower case; it is stored and shown in upper case.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum ReportTarget {
    /// A post.
    Post,
    /// The author of a post.
    User,
    /// The circle of a post.
    Circle,
}

/// What is wrong with what is reported, as the reporter sees it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[schema(as = ReportCategory)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum Category {
    /// Advertising, or the same over and over.
    Spam,
    /// Somebody is pursued or insulted.
    Harassment,
    /// A group of people is degraded.
    Hate,
    /// Violence is shown, threatened or praised.
    Violence,
    /// It is sexual.
    Sexual,
    /// It is about hurting oneself.
    SelfHarm,
    /// It is false, and harmful.
    Misinformation,
    /// Something else.
    #[default]
    Other,
}

/// Whether and how an administrator has decided on a report.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum ReportStatus {
    /// No administrator has decided.
    Pending,
    /// An administrator dismissed the report.
    Dismissed,
    /// An administrator hid the post.
    Hidden,
    /// An administrator deleted the post.
    Deleted,
}

/// A report as it is stored, and as administrators see it.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Report {
    /// The report's id.
    pub id: ReportId,
    /// The user who reports.
    pub reporter_id: UserId,
    /// What is reported.
    pub target_type: ReportTarget,
    /// The user's id for a report of a user, the post's id for the others.
    pub target_id: String,
    /// The author of the post.
    pub reported_user_id: UserId,
    /// The reporter's reason.
    pub reason: ReasonText,
    /// What is wrong with it, as the reporter sees it.
    pub category: Category,
    /// Whether and how an administrator has decided.
    pub status: ReportStatus,
    /// How sure the evaluation is that the post breaks the rules, from 0 to 1.
    pub confidence: Option<f64>,
    /// Whether the evaluation hid the post for it.
    pub hid: bool,
    /// The evaluation's reason.
    pub assistant_note: Option<String>,
    /// The administrator's reason.
    pub admin_note: Option<ReasonText>,
    /// The administrator who decided.
    pub decided_by: Option<UserId>,
    /// The time of the decision. No evaluation changes anything after it.
    pub decided_at: Option<Time>,
    /// The time of the report.
    pub created_at: Time,
}

impl Report {
    /// Returns the key in gsi1, which lists the reports of a status.
    pub(crate) fn status_index_key(&self) -> Key {
        Key::new(by_status(self.status), self.id.to_string())
    }

    /// Returns the key in gsi3, by which it loses the reported user when they leave; none where they left.
    pub(super) fn named_index_key(&self) -> Option<Key> {
        let named = self.reported_user_id != UserId::NONE;
        named.then(|| Key::new(self.reported_user_id.named(), format!("REPORT#{}", self.id)))
    }
}

/// Returns the partition of gsi1 that lists the reports of a status.
pub(super) fn by_status(status: ReportStatus) -> &'static str {
    match status {
        ReportStatus::Pending => "REPORTS#PENDING",
        ReportStatus::Dismissed => "REPORTS#DISMISSED",
        ReportStatus::Hidden => "REPORTS#HIDDEN",
        ReportStatus::Deleted => "REPORTS#DELETED",
    }
}

/// Returns the key of a report's row.
pub fn key(id: ReportId) -> Key {
    Key::new(format!("REPORT#{id}"), "REPORT")
}

/// `REPORT#id / REPORT`, gsi1 `REPORTS#status / id`, gsi2 `REPORTS / id`, gsi3 `NAMED#reported user / REPORT#id`
impl Row for Report {
    fn key(&self) -> Key {
        key(self.id)
    }

    fn indexes(&self) -> Vec<(Index, Key)> {
        let all_key = Key::new(ALL, self.id.to_string());
        let named = self.named_index_key().map(|it| (Index::Gsi3, it));
        [(Index::Gsi1, self.status_index_key()), (Index::Gsi2, all_key)].into_iter().chain(named).collect()
    }
}
