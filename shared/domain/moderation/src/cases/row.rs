//! The rows of cases.

use base::{
    ids::{CaseId, PostId, ReportId, UserId},
    reasons::ReasonText,
};
use ledger::audit::AuditAction;
use platform::{
    table::{Index, Key, Row, Write},
    time::Time,
};
use posts::Moderated;
use serde::{Deserialize, Serialize};
use ulid::Ulid;

use super::action::CaseAction;
use crate::{
    any_post::AnyPost,
    enforcement::Subject,
    reports::{Category, Report, ReportStatus, ReportTarget},
};

/// A case: all reports of one target, and the decision about it. The ID is the public ID of the reported user or post.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Case {
    pub(super) id: CaseId,
    pub(super) target_type: ReportTarget,
    /// The reported user, or [`UserId::NONE`] after they deleted their account.
    pub(super) author: UserId,
    pub(super) status: ReportStatus,
    /// The number of reports since the case opened.
    pub(super) reports: u32,
    pub(super) categories: Vec<Category>,
    /// The judge's latest confidence that the post breaks the rules.
    pub(super) confidence: Option<f64>,
    /// The first report since the case opened. It is the position in lists.
    pub(super) opened_by: ReportId,
    pub(super) opened_at: Time,
    pub(super) reported_at: Time,
    pub(super) assignee: Option<UserId>,
    pub(super) is_escalated: bool,
    /// The latest decision. A case that opened again keeps it, until it is decided again or the decision is undone.
    pub(super) outcome: Option<Outcome>,
    /// The number of changes, so that of two concurrent changes only one succeeds.
    pub(super) version: u64,
}

/// A decision about a case.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Outcome {
    pub(super) status: ReportStatus,
    pub(super) actions: Vec<CaseAction>,
    pub(super) reason: Option<ReasonText>,
    pub(super) note: Option<ReasonText>,
    pub(super) warning: Option<ReasonText>,
    pub(super) decided_by: Option<UserId>,
    pub(super) decided_at: Time,
    /// The state of the post before the decision. An undo restores it.
    pub(super) before: Option<Moderated>,
}

impl Case {
    /// Returns the new case of a report.
    pub(super) fn of(report: &Report) -> Self {
        Self {
            id: report.case_id(),
            target_type: report.target_type,
            author: report.reported_user_id,
            status: ReportStatus::Pending,
            reports: 1,
            categories: vec![report.category],
            confidence: None,
            opened_by: report.id,
            opened_at: report.created_at,
            reported_at: report.created_at,
            assignee: None,
            is_escalated: false,
            outcome: None,
            version: 0,
        }
    }

    /// Returns the case with one more report. A report of a decided case opens the case again.
    pub(super) fn with(&self, report: &Report) -> Self {
        if self.status != ReportStatus::Pending {
            let (assignee, outcome, version) = (self.assignee, self.outcome.clone(), self.version);
            return Self { assignee, outcome, version, ..Self::of(report) };
        }
        let is_new = !self.categories.contains(&report.category);
        let categories = self.categories.iter().copied().chain(is_new.then_some(report.category)).collect();
        let reports = self.reports.saturating_add(1);
        Self { reports, categories, reported_at: report.created_at, ..self.clone() }
    }

    /// Returns the reported post, or the post of the reported circle. `None` if a user was reported.
    pub(super) fn post(&self) -> Option<PostId> {
        (self.target_type != ReportTarget::User).then(|| Ulid::from(self.id).into())
    }

    /// Returns the case's ID.
    pub fn id(&self) -> CaseId {
        self.id
    }

    /// Returns whether the case is decided, and the decision.
    pub(crate) fn status(&self) -> ReportStatus {
        self.status
    }

    /// Returns the time of the first report since the case opened.
    pub(crate) fn opened_at(&self) -> Time {
        self.opened_at
    }

    /// Returns the category of the first report since the case opened.
    pub(crate) fn category(&self) -> Category {
        self.categories.first().copied().unwrap_or_default()
    }

    /// Returns the audit log's action for the decision.
    pub(super) fn audit_action(&self) -> AuditAction {
        match self.status {
            ReportStatus::Dismissed => AuditAction::DismissReport,
            ReportStatus::Hidden => AuditAction::HideReported,
            ReportStatus::Deleted => AuditAction::DeleteReported,
            ReportStatus::Pending | ReportStatus::Resolved => AuditAction::ResolveCase,
        }
    }

    /// Returns the subject of the decisions that the author sees.
    pub(super) fn subject(&self) -> Subject {
        Subject { user: self.author, id: Ulid::from(self.id).into() }
    }

    /// Returns the target as reports name it.
    pub(super) fn target(&self) -> String {
        match self.target_type {
            ReportTarget::User => self.author.to_string(),
            ReportTarget::Post | ReportTarget::Circle => self.id.to_string(),
        }
    }

    /// Returns the decision in force, or `None` if the case is pending.
    pub(super) fn decision(&self) -> Option<&Outcome> {
        self.outcome.as_ref().filter(|_| self.status != ReportStatus::Pending)
    }

    /// Returns whether the present decision deleted this post, so that another decision can restore it.
    pub(super) fn has_deleted(&self, post: &AnyPost) -> bool {
        let decided_at = self.decision().map(|outcome| outcome.decided_at);
        post.is_deleted() && post.moderated().deleted_at == decided_at
    }

    /// Returns the write that replaces the case. Fails with a conflict if the case changed after it was read as `before`.
    pub(super) fn replace_write(&self, before: &Self) -> Write {
        Write::put(&Self { version: before.version + 1, ..self.clone() }).equals("version", before.version)
    }
}

/// Returns the key of a case.
pub(crate) fn key(id: CaseId) -> Key {
    Key::new(partition(id), "CASE")
}

/// Returns the partition of a case, which also has its evidence and its history.
pub(super) fn partition(id: CaseId) -> String {
    format!("CASE#{id}")
}

/// Returns the partition of gsi1 that lists the cases with a status by the time of their first report.
pub(super) fn by_time(status: ReportStatus) -> &'static str {
    match status {
        ReportStatus::Pending => "CASES#PENDING",
        ReportStatus::Dismissed => "CASES#DISMISSED",
        ReportStatus::Hidden => "CASES#HIDDEN",
        ReportStatus::Deleted => "CASES#DELETED",
        ReportStatus::Resolved => "CASES#RESOLVED",
    }
}

/// Returns the partition of gsi2 that lists the cases with a status by the number of their reports.
pub(super) fn by_reports(status: ReportStatus) -> String {
    format!("{}#REPORTS", by_time(status))
}

/// Returns the sort key in [`by_reports`].
pub(super) fn rank(case: &Case) -> String {
    format!("{:010}#{}", case.reports, case.opened_by)
}

/// The prefix of the sort keys in gsi3 of a reported user's cases.
pub(super) const NAMED: &str = "CASE#";

/// `CASE#id / CASE`, gsi1 `CASES#status / first report`, gsi2 `CASES#status#REPORTS / number of reports and first
/// report`, gsi3 `NAMED#reported user / CASE#first report`
impl Row for Case {
    fn key(&self) -> Key {
        key(self.id)
    }

    fn indexes(&self) -> Vec<(Index, Key)> {
        let named = Key::new(self.author.named(), format!("{NAMED}{}", self.opened_by));
        let named = (self.author != UserId::NONE).then_some((Index::Gsi3, named));
        let by_time = Key::new(by_time(self.status), self.opened_by.to_string());
        let by_reports = Key::new(by_reports(self.status), rank(self));
        [(Index::Gsi1, by_time), (Index::Gsi2, by_reports)].into_iter().chain(named).collect()
    }
}
