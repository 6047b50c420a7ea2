//! The rows of reports.

use base::{CaseId, ReasonText, ReportId, UserId};
use platform::{Index, Key, Query, Row, Time};
use serde::{Deserialize, Serialize};
use strum::AsRefStr;
use utoipa::ToSchema;

/// The partition of gsi2 that lists all reports.
pub(super) const ALL: &str = "REPORTS";

/// The kind of target of a report. Requests use lower case, responses and stored rows use upper case.
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

/// The category of a violation, as chosen by the reporter.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[schema(as = ReportCategory)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum Category {
    /// Advertising or repeated content.
    Spam,
    /// Stalking or insults.
    Harassment,
    /// Content that degrades a group of people.
    Hate,
    /// Content that shows, threatens or praises violence.
    Violence,
    /// Sexual content.
    Sexual,
    /// Self-harm or suicide.
    SelfHarm,
    /// False and harmful information.
    Misinformation,
    /// A reason that no other category covers.
    #[default]
    Other,
}

/// The status of a report: the administrators' decision, or `PENDING`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, AsRefStr, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
#[strum(serialize_all = "SCREAMING_SNAKE_CASE")]
pub enum ReportStatus {
    /// No administrator has decided.
    Pending,
    /// An administrator dismissed the report.
    Dismissed,
    /// An administrator hid the post.
    Hidden,
    /// An administrator deleted the post.
    Deleted,
    /// An administrator warned or banned the user, labeled the post, or locked its replies. Also the status 30 days after
    /// the user deleted their account, if no administrator has decided.
    Resolved,
}

/// The row of a report.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Report {
    /// The report's ID.
    pub id: ReportId,
    /// The ID of the case, if the reported user was deleted. Otherwise `None`, because `target_id` identifies the case.
    #[serde(rename = "caseId", skip_serializing_if = "Option::is_none")]
    pub kept_case_id: Option<CaseId>,
    /// The user who sent the report.
    pub reporter_id: UserId,
    /// The kind of target.
    pub target_type: ReportTarget,
    /// The ID of the reported user, or of the post if no user was reported.
    pub target_id: String,
    /// The reported user, or the author of the reported post.
    pub reported_user_id: UserId,
    /// The reporter's reason.
    pub reason: ReasonText,
    /// The category that the reporter chose.
    pub category: Category,
    /// The administrators' decision, or `PENDING`.
    pub status: ReportStatus,
    /// The judge's confidence that the post breaks the rules, from 0 to 1. `None` before the evaluation.
    pub confidence: Option<f64>,
    /// Whether the judge hid the post because of this report.
    pub hid: bool,
    /// The evaluation's reason.
    pub assistant_note: Option<String>,
    /// The administrator's reason.
    pub admin_note: Option<ReasonText>,
    /// The administrator who decided.
    pub decided_by: Option<UserId>,
    /// The time of the decision. After a decision, evaluations no longer change the report or the post.
    pub decided_at: Option<Time>,
    /// The time of the report.
    pub created_at: Time,
}

impl Report {
    /// Returns the key in gsi1, which lists reports by status.
    pub(crate) fn status_index_key(&self) -> Key {
        Key::new(by_status(self.status), self.id.to_string())
    }

    /// Returns the ID of the report's case.
    pub fn case_id(&self) -> CaseId {
        let of_target = || self.public_target_id().parse().unwrap_or(CaseId::MIN);
        self.kept_case_id.unwrap_or_else(of_target)
    }

    /// Returns the report after a decision at `now`.
    pub(crate) fn decided(&self, status: ReportStatus, by: UserId, now: Time) -> Self {
        Self { status, decided_by: Some(by), decided_at: Some(now), ..self.clone() }
    }

    /// Returns the key in gsi3, which lists the reports about each target. Account deletion uses the same partition to
    /// find reports about a user. After the deletion, the partition of the case lists these reports.
    pub(super) fn target_index_key(&self) -> Key {
        let partition = target_partition(self.reported_user_id, self.case_id());
        Key::new(partition, about(&self.target_id) + &self.id.to_string())
    }
}

/// Returns the partition of gsi1 that lists reports with a status.
pub(super) fn by_status(status: ReportStatus) -> String {
    format!("REPORTS#{}", status.as_ref())
}

/// Returns the query for the reports about a user and the user's posts. If the user was deleted, returns the query for
/// the reports of `case`.
pub(crate) fn reports_about(reported: UserId, case: CaseId) -> Query {
    Query::index(Index::Gsi3, target_partition(reported, case))
}

fn target_partition(reported: UserId, case: CaseId) -> String {
    if reported == UserId::NONE { format!("CASE#{case}") } else { reported.named() }
}

/// Returns the prefix of the sort keys in gsi3 of the reports about a target.
pub(crate) fn about(target: &str) -> String {
    format!("REPORT#{target}#")
}

/// Returns the key of a report's row.
pub fn key(id: ReportId) -> Key {
    Key::new(format!("REPORT#{id}"), "REPORT")
}

/// `REPORT#id / REPORT`, gsi1 `REPORTS#status / id`, gsi2 `REPORTS / id`, gsi3 `NAMED#reported user /
/// REPORT#target#id`. If the reported user was deleted: gsi3 `CASE#case / REPORT#target#id`.
impl Row for Report {
    fn key(&self) -> Key {
        key(self.id)
    }

    fn indexes(&self) -> Vec<(Index, Key)> {
        let all_key = Key::new(ALL, self.id.to_string());
        vec![
            (Index::Gsi1, self.status_index_key()),
            (Index::Gsi2, all_key),
            (Index::Gsi3, self.target_index_key()),
        ]
    }
}
