//! A report as administrators see it.

use base::{CaseId, PublicUserId, ReasonText, ReportId, UserId, ids::public_text};
use platform::Time;
use serde::Serialize;
use utoipa::ToSchema;

use super::{Category, Report, ReportStatus, ReportTarget};

/// A report as administrators see it.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Report)]
pub struct ReportView {
    /// The report's ID.
    pub id: ReportId,
    /// The case of the target.
    pub case_id: CaseId,
    /// The user who sent the report.
    pub reporter_id: PublicUserId,
    /// The kind of target.
    pub target_type: ReportTarget,
    /// The ID of the reported user, or of the post if no user was reported.
    pub target_id: String,
    /// The reported user, or the author of the reported post.
    pub reported_user_id: PublicUserId,
    /// The reporter's reason.
    pub reason: ReasonText,
    /// The category that the reporter chose.
    pub category: Category,
    /// The administrators' decision, or `PENDING`.
    pub status: ReportStatus,
    /// The judge's confidence that the post breaks the rules, from 0 to 1. Null before the evaluation.
    pub confidence: Option<f64>,
    /// Whether the judge hid the post because of this report.
    pub hid: bool,
    /// The evaluation's reason.
    pub assistant_note: Option<String>,
    /// The administrator's reason.
    pub admin_note: Option<ReasonText>,
    /// The administrator who decided.
    pub decided_by: Option<PublicUserId>,
    /// The time of the decision. After a decision, evaluations no longer change the report or the post.
    pub decided_at: Option<Time>,
    /// The time of the report.
    pub created_at: Time,
}

impl Report {
    /// Returns the ID of the target as clients see it.
    pub(super) fn public_target_id(&self) -> String {
        match self.target_type {
            ReportTarget::User => public_text(self.target_id.clone()),
            ReportTarget::Post | ReportTarget::Circle => self.target_id.clone(),
        }
    }
}

impl From<Report> for ReportView {
    fn from(report: Report) -> Self {
        Self {
            id: report.id,
            case_id: report.case_id(),
            reporter_id: report.reporter_id.public(),
            target_type: report.target_type,
            target_id: report.public_target_id(),
            reported_user_id: report.reported_user_id.public(),
            reason: report.reason,
            category: report.category,
            status: report.status,
            confidence: report.confidence,
            hid: report.hid,
            assistant_note: report.assistant_note,
            admin_note: report.admin_note,
            decided_by: report.decided_by.map(UserId::public),
            decided_at: report.decided_at,
            created_at: report.created_at,
        }
    }
}
