//! The rows of cases.

use base::{CaseId, PostId, ReasonText, ReportId, UserId};
use people::User;
use platform::{Index, Key, Row, Time, Write};
use posts::Moderated;
use serde::{Deserialize, Serialize};
use ulid::Ulid;

use super::CaseAction;
use crate::{AnyPost, Category, Report, ReportStatus, ReportTarget, author_decision::Subject};

/// A case: all reports of one target, and the decision about it. The ID is the public ID of the reported user or post.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Case {
    pub(super) id: CaseId,
    pub(super) target_type: ReportTarget,
    /// The reported user, or [`UserId::NONE`] after they deleted their account.
    pub(super) author: UserId,
    /// The post in the first report since the case opened. Its content is the evidence.
    pub(super) evidence_post: PostId,
    pub(super) status: ReportStatus,
    /// The number of reports since the case opened.
    pub(super) reports: u32,
    /// The number of these reports by users whose reports are mostly dismissed.
    pub(super) doubtful_reports: u32,
    pub(super) categories: Vec<Category>,
    /// The judge's latest confidence that the post breaks the rules.
    pub(super) confidence: Option<f64>,
    /// The first report since the case opened. Lists are sorted by its ID.
    pub(super) first_report: ReportId,
    pub(super) opened_at: Time,
    pub(super) reported_at: Time,
    pub(super) assignee: Option<UserId>,
    pub(super) is_escalated: bool,
    /// The time at which moderation deleted the post. `None` if there is no such deletion to undo.
    pub(super) deleted_at: Option<Time>,
    /// The latest decision. A reopened case keeps the earlier decision until a new decision or an undo.
    pub(super) outcome: Option<Outcome>,
    /// The number of changes to the case. Of two concurrent changes, only one succeeds.
    pub(super) version: u64,
}

/// A decision about a case.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Outcome {
    pub(super) status: ReportStatus,
    pub(super) actions: Vec<CaseAction>,
    /// The actions of this decision and of the decisions that it replaced. An undo reverts all these actions.
    pub(super) all_actions: Vec<CaseAction>,
    pub(super) reason: Option<ReasonText>,
    pub(super) note: Option<ReasonText>,
    pub(super) warning: Option<ReasonText>,
    /// The end of a temporary ban as specified in the decision. `None` for the default duration.
    pub(super) banned_until: Option<Time>,
    /// The time of the ban that the decision imposed. An undo lifts this ban.
    pub(super) banned_at: Option<Time>,
    /// The time at which this ban was lifted before its end, except by an undo.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) lifted_at: Option<Time>,
    pub(super) decided_by: Option<UserId>,
    pub(super) decided_at: Time,
    /// The state of the post before the first of `all_actions`. `None` if there was no post to change.
    pub(super) before: Option<Moderated>,
}

impl Outcome {
    /// Returns a decision that follows from a ban, a granted appeal or an account deletion.
    pub(super) fn new(status: ReportStatus, actions: Vec<CaseAction>, decided_at: Time) -> Self {
        Self {
            status,
            actions,
            all_actions: Vec::new(),
            reason: None,
            note: None,
            warning: None,
            banned_until: None,
            banned_at: None,
            lifted_at: None,
            decided_by: None,
            decided_at,
            before: None,
        }
    }

    /// Returns whether another decision has the same actions, texts and ban end.
    pub(super) fn is_same(&self, other: &Self) -> bool {
        (self.status, &self.actions, self.banned_until) == (other.status, &other.actions, other.banned_until)
            && (&self.reason, &self.note, &self.warning) == (&other.reason, &other.note, &other.warning)
    }
}

impl Case {
    /// Returns a new case with its first report. `is_doubtful` says whether the reporter's reports are mostly dismissed.
    pub(super) fn of(report: &Report, post: PostId, is_doubtful: bool) -> Self {
        Self {
            id: report.case_id(),
            target_type: report.target_type,
            author: report.reported_user_id,
            evidence_post: post,
            status: ReportStatus::Pending,
            reports: 1,
            doubtful_reports: u32::from(is_doubtful),
            categories: vec![report.category],
            confidence: None,
            first_report: report.id,
            opened_at: report.created_at,
            reported_at: report.created_at,
            assignee: None,
            is_escalated: false,
            deleted_at: None,
            outcome: None,
            version: 0,
        }
    }

    /// Returns the case with one more report. If the case was decided, the report reopens the case. `is_doubtful` says
    /// whether the reporter's reports are mostly dismissed.
    pub(super) fn with(&self, report: &Report, post: PostId, is_doubtful: bool) -> Self {
        if self.status != ReportStatus::Pending {
            let (assignee, deleted_at, version) = (self.assignee, self.deleted_at, self.version);
            let opened = Self::of(report, post, is_doubtful);
            return Self { assignee, deleted_at, outcome: self.outcome.clone(), version, ..opened };
        }
        let is_new = !self.categories.contains(&report.category);
        let categories = self.categories.iter().copied().chain(is_new.then_some(report.category)).collect();
        let reports = self.reports.saturating_add(1);
        let doubtful_reports = self.doubtful_reports.saturating_add(u32::from(is_doubtful));
        Self { reports, doubtful_reports, categories, reported_at: report.created_at, ..self.clone() }
    }

    /// Returns the reported post, or the post of the reported circle. `None` if a user was reported.
    pub(super) fn post(&self) -> Option<PostId> {
        (self.target_type != ReportTarget::User).then_some(self.evidence_post)
    }

    /// Returns the ID of the case about a post.
    pub(crate) fn id_for(post: PostId) -> CaseId {
        Ulid::from(post).into()
    }

    /// Returns the case's ID.
    pub fn id(&self) -> CaseId {
        self.id
    }

    /// Returns the status of the case: the decision, or `Pending`.
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

    /// Returns the subject under which the author sees decisions of this case.
    pub(super) fn subject(&self) -> Subject {
        Subject { user: self.author, id: Ulid::from(self.id).into() }
    }

    /// Returns the ID of the reported user or post in the form that reports store.
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

    /// Returns whether moderation deleted this post, so that another decision can restore it.
    pub(super) fn has_deleted(&self, post: &AnyPost) -> bool {
        post.is_deleted() && self.author != UserId::NONE && post.moderated().deleted_at == self.deleted_at
    }

    /// Returns whether moderators can read the reported content without an audit entry. `post_exists` says whether the post
    /// of the evidence still exists.
    pub(super) fn is_content_public(&self, post_exists: bool) -> bool {
        self.status != ReportStatus::Deleted && post_exists
    }

    /// Returns whether a decision of the case imposed a ban that was not lifted since.
    pub(super) fn has_ban(&self) -> bool {
        self.outcome
            .as_ref()
            .is_some_and(|outcome| outcome.banned_at.is_some() && outcome.lifted_at.is_none())
    }

    /// Returns the actions of the latest decision.
    pub(crate) fn actions(&self) -> &[CaseAction] {
        self.outcome.as_ref().map(|outcome| outcome.actions.as_slice()).unwrap_or_default()
    }

    /// Returns the case with the time of the ban that its decision imposed at `now`. Ignores an older ban, which
    /// belongs to another decision.
    pub(super) fn with_ban(self, banned: Option<&User>, now: Time) -> Self {
        let imposed = banned.and_then(|user| user.suspended_at).filter(|at| *at >= now);
        let outcome = self.outcome.map(|outcome| {
            let lifted_at = outcome.lifted_at.filter(|_| imposed.is_none());
            Outcome { banned_at: imposed.or(outcome.banned_at), lifted_at, ..outcome }
        });
        Self { outcome, ..self }
    }

    /// Returns the write that replaces the case. Fails with a conflict if the case changed after it was read as
    /// `before`.
    pub(super) fn replace_write(&self, before: &Self) -> Write {
        Write::put(&Self { version: before.version + 1, ..self.clone() }).equals("version", before.version)
    }
}

/// Returns the key of a case.
pub(crate) fn key(id: CaseId) -> Key {
    Key::new(partition(id), "CASE")
}

/// Returns the partition of a case, which also contains the case's evidence and history.
pub(super) fn partition(id: CaseId) -> String {
    format!("CASE#{id}")
}

/// Returns the partition of gsi1 that lists the cases with a status by the time of their first report.
pub(super) fn by_time(status: ReportStatus) -> String {
    format!("CASES#{}", status.as_ref())
}

/// Returns the partition of gsi2 that lists the cases with a status by the number of their reports. Reports of users
/// whose reports are mostly dismissed do not count.
pub(super) fn by_reports(status: ReportStatus) -> String {
    format!("{}#REPORTS", by_time(status))
}

/// Returns the sort key in [`by_reports`].
pub(super) fn rank(case: &Case) -> String {
    format!("{:010}#{}", case.reports.saturating_sub(case.doubtful_reports), case.first_report)
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
        let named = Key::new(self.author.named(), format!("{NAMED}{}", self.first_report));
        let named = (self.author != UserId::NONE).then_some((Index::Gsi3, named));
        let by_time = Key::new(by_time(self.status), self.first_report.to_string());
        let by_reports = Key::new(by_reports(self.status), rank(self));
        [(Index::Gsi1, by_time), (Index::Gsi2, by_reports)].into_iter().chain(named).collect()
    }
}
