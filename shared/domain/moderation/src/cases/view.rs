//! Cases as moderators see them.

use base::{CaseId, PublicUserId, ReasonText, UserId};
use circles::posts::by_id::AnyPostView;
use people::{Status, User, UserCard};
use platform::{App, Result, Time};
use posts::MediaView;
use serde::Serialize;
use utoipa::ToSchema;

use super::{Case, CaseAction, CaseEventView, evidence::Evidence, people::CasePeople, row::Outcome};
use crate::{
    author_decision::AuthorDecisionView,
    reports::{Category, ReportStatus, ReportTarget, ReportView, ReporterView},
};

/// A case: all reports of one user or post, and the decision about it.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = ModerationCase)]
#[serde(rename_all = "camelCase")]
pub struct CaseView {
    /// The case's ID, which is the public ID of the reported user, or the ID of the post.
    pub id: CaseId,
    /// The kind of target of the first report.
    pub target_type: ReportTarget,
    /// The reported user, or the author of the post. Null if they deleted their account.
    pub author: Option<UserCard>,
    /// The decision about the case, or `PENDING`.
    pub status: ReportStatus,
    /// The number of reports since the case opened.
    pub reports_count: u32,
    /// The categories of the reports since the case opened.
    pub categories: Vec<Category>,
    /// The judge's confidence that the post breaks the rules, from 0 to 1. Null if the judge has not evaluated it.
    pub confidence: Option<f64>,
    /// The assigned moderator. Null if there is none, or if the user is no longer a moderator or is suspended.
    pub assignee: Option<PublicUserId>,
    /// Whether only administrators can decide.
    pub is_escalated: bool,
    /// The decision in force. Null if the case is pending.
    pub outcome: Option<CaseOutcome>,
    /// The content as it was at the first report. If a user was reported, this is the post that led to the report. Null
    /// from 30 days after the decision. If the post was deleted, only `GET /admin/cases/{caseId}` returns it.
    pub reported_content: Option<ReportedContent>,
    /// RFC 3339 time of the first report since the case opened.
    pub opened_at: Time,
    /// RFC 3339 time of the latest report.
    pub reported_at: Time,
}

/// The decision about a case.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CaseOutcome {
    /// The actions taken. Omits actions on a post that its author had already deleted, and a warning to a deleted account.
    pub actions: Vec<CaseAction>,
    /// The reason shown to the author.
    pub reason: Option<ReasonText>,
    /// The note for moderators.
    pub note: Option<ReasonText>,
    /// The warning that the author got.
    pub warning: Option<ReasonText>,
    /// The moderator who decided. Null if a permanent ban of the user closed the case, or if the user deleted their
    /// account.
    pub decided_by: Option<PublicUserId>,
    /// RFC 3339 time of the decision.
    pub decided_at: Time,
    /// RFC 3339 time at which the ban of the decision was lifted before its end. Null if the ban was not lifted, or if
    /// the decision imposed no ban.
    pub lifted_at: Option<Time>,
}

/// The content of a post as it was when it was reported.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct ReportedContent {
    /// The texts of the post, one per line: the warning, the text, the poll options and the descriptions of files.
    pub content: String,
    /// The files. Their URLs are signed and end after 5 minutes. Other sizes of an image have no URL.
    pub media: Vec<MediaView>,
    /// RFC 3339 time of the report.
    pub at: Time,
}

/// A case with its context.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = ModerationCaseDetail)]
#[serde(rename_all = "camelCase")]
pub struct CaseDetail {
    /// The case.
    #[serde(flatten)]
    pub case: CaseView,
    /// The post as it is now. Null if it was deleted or a user was reported.
    pub post: Option<AnyPostView>,
    /// The state of the account of the author. Null if it was deleted.
    pub account: Option<CaseAccount>,
    /// The 5 latest moderation decisions about the author.
    pub earlier_decisions: Vec<AuthorDecisionView>,
    /// The number of decisions about the author that count as strikes, at most 50.
    pub strikes: usize,
    /// The 20 latest reports.
    pub reports: Vec<ReportView>,
    /// For each reporter, the numbers of decided and upheld reports. Omits reporters without a decided report.
    pub reporters: Vec<ReporterView>,
    /// The 50 latest changes of the case, newest first.
    pub history: Vec<CaseEventView>,
}

/// The account of a reported user.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CaseAccount {
    /// Whether the account is active, banned or locked.
    pub status: Status,
    /// The end of a temporary ban.
    pub banned_until: Option<Time>,
    /// RFC 3339 time of the registration.
    pub created_at: Time,
}

impl Case {
    /// Returns the view of the case with its author, its assignee and its content.
    pub(super) fn view(&self, people: &CasePeople, reported_content: Option<ReportedContent>) -> CaseView {
        CaseView {
            id: self.id,
            target_type: self.target_type,
            author: people.author(self).map(User::card),
            status: self.status,
            reports_count: self.reports,
            categories: self.categories.clone(),
            confidence: self.confidence,
            assignee: people.assignee(self).map(|user| user.id.public()),
            is_escalated: self.is_escalated,
            outcome: self.decision().cloned().map(CaseOutcome::from),
            reported_content,
            opened_at: self.opened_at,
            reported_at: self.reported_at,
        }
    }
}

impl From<Outcome> for CaseOutcome {
    fn from(outcome: Outcome) -> Self {
        let Outcome { actions, reason, note, warning, decided_by, decided_at, lifted_at, .. } = outcome;
        let decided_by = decided_by.map(UserId::public);
        Self { actions, reason, note, warning, decided_by, decided_at, lifted_at }
    }
}

impl ReportedContent {
    /// Returns the evidence of a case with signed URLs of its files, or `None` if there is none.
    pub(super) async fn of(app: &App, evidence: Option<Evidence>) -> Result<Option<Self>> {
        let Some(Evidence { case, content, media, kept, at }) = evidence else { return Ok(None) };
        let folder = case.to_string();
        let key_of = |file, key: &str| match kept.contains(&file) {
            true => uploads::private_key(&folder, key),
            false => key.to_owned(),
        };
        Ok(Some(Self { content, media: media.into_signed_views(app, key_of).await?, at }))
    }
}
