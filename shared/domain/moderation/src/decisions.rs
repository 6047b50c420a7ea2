//! Decisions of administrators on reports. The judge's evaluations never override a decision.

use base::{
    announcements::AnnouncedEvent,
    ids::{ReportId, UserId},
    jobs::OutboundJob,
    reasons::ReasonText,
};
use people::users::Administrator;
use platform::{
    App,
    error::{Error, Result},
    retry_on_conflict,
    table::Write,
};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::{
    any_post::AnyPost,
    decider::Decider,
    enforcement::{self, Enforcement, Grounds, Measure, notice_writes},
    reports::{self, Report, ReportStatus, ReportTarget},
};
use ledger::{
    audit::{self, AuditAction},
    statistics::{self, Count},
};

/// The action that an administrator takes on a report.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum DecisionAction {
    /// Keep the post. If the evaluation or an earlier decision on this report hid the post, show it again.
    Dismiss,
    /// Hide the post from lists.
    Hide,
    /// Delete the post. Also delete its files, unless they are used elsewhere.
    Delete,
}

/// A decision on a report.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Decision {
    /// The action to take.
    pub action: DecisionAction,
    /// The administrator's reason, visible only to administrators.
    pub admin_note: Option<ReasonText>,
    /// The reason shown to the author of the post.
    pub reason: Option<ReasonText>,
}

/// A report after a decision.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Decided {
    /// The report's id.
    pub id: ReportId,
    /// The report's status after the decision.
    pub status: ReportStatus,
    /// The administrator's reason.
    pub admin_note: Option<ReasonText>,
}

/// Decides on a report. A new decision can replace an earlier decision. A chore gives the other pending reports of the
/// target the same status. Changes the report, the post and the audit log
/// in one transaction. Does nothing if the decision changes nothing, or while proposed features are off.
///
/// # Errors
/// - Fails with [`Error::NotFound`] if the report does not exist.
/// - Fails with [`Error::Invalid`] if the action would hide or delete a user.
/// - Fails with [`Error::Forbidden`] if the report is about or by the caller, or if a moderator decides on a report about
///   an administrator.
pub async fn decide(
    app: &App,
    administrator: &Administrator,
    id: ReportId,
    decision: Decision,
) -> Result<Decided> {
    if !app.has_proposed_features() {
        return Ok(Decided { id, status: ReportStatus::Pending, admin_note: None });
    }
    let admin = administrator.id;
    let report = retry_on_conflict(async || {
        let before = reports::find(app, id).await?;
        if before.reported_user_id == admin {
            return Err(Error::Forbidden("you cannot decide on a report about yourself".into()));
        }
        if before.reporter_id == admin {
            return Err(Error::Forbidden("you cannot decide on your own report".into()));
        }
        administrator.check_may_judge(app, before.reported_user_id).await?;
        let post = reported_post(app, &before, decision.action).await?;
        if is_repetition(&before, post.as_ref(), &decision) {
            return Ok(before);
        }
        let after = decided(app, admin, &before, post.as_ref(), &decision);
        let mut writes = decision_writes(app, admin, &before, &after, post.as_ref(), &decision);
        if let Some(post) = post.filter(|post| !post.is_deleted()) {
            if decision.action == DecisionAction::Delete {
                writes.extend(post.uncount_comment_write(app).await?);
            }
            writes.extend(enforcement_writes(app, admin, &before, &post, &decision).await?);
        }
        writes.extend(reports::outcome_writes(app, &before).await?);
        app.table.transact(writes).await?;
        Ok(after)
    })
    .await?;
    Ok(Decided { id, status: report.status, admin_note: report.admin_note })
}

/// Returns the status that a decision gives to a report. If the post was deleted meanwhile, the decision changes nothing,
/// so the status says that the post is deleted.
fn status_after(post: Option<&AnyPost>, action: DecisionAction) -> ReportStatus {
    match action {
        DecisionAction::Hide if post.is_some_and(AnyPost::is_deleted) => ReportStatus::Deleted,
        action => action.status(),
    }
}

/// Returns the current state of the reported post, or `None` if a user was reported.
async fn reported_post(app: &App, report: &Report, action: DecisionAction) -> Result<Option<AnyPost>> {
    match (report.target_type, action) {
        (ReportTarget::User, DecisionAction::Dismiss) => Ok(None),
        (ReportTarget::User, _) => Err(Error::invalid(
            "action",
            "must be \"dismiss\" if the report is about a user. Ban the user instead.",
        )),
        _ => {
            let id = report.target_id.parse().map_err(Error::internal)?;
            AnyPost::find(app, id).await
        }
    }
}

/// Returns whether the decision would change neither the report nor the post.
fn is_repetition(report: &Report, post: Option<&AnyPost>, decision: &Decision) -> bool {
    let is_same =
        report.status == status_after(post, decision.action) && report.admin_note == decision.admin_note;
    is_same && post.is_none_or(|post| post.is_deleted() || is_settled(post, report, decision.action))
}

/// Returns whether an existing post is already as the decision requires.
fn is_settled(post: &AnyPost, report: &Report, action: DecisionAction) -> bool {
    let is_hidden = post.is_hidden();
    let changes = match action {
        DecisionAction::Hide => !is_hidden,
        DecisionAction::Dismiss => is_hidden && dismissal_shows(post, report),
        DecisionAction::Delete => true,
    };
    // An edit removes the time of the decision, so that the new text is evaluated again.
    !changes && post.moderated_at().is_some()
}

fn decided(app: &App, admin: UserId, report: &Report, post: Option<&AnyPost>, decision: &Decision) -> Report {
    Report {
        status: status_after(post, decision.action),
        admin_note: decision.admin_note.clone(),
        decided_by: Some(admin),
        decided_at: Some(app.now()),
        ..report.clone()
    }
}

fn decision_writes(
    app: &App,
    admin: UserId,
    before: &Report,
    after: &Report,
    post: Option<&AnyPost>,
    decision: &Decision,
) -> Vec<Write> {
    let note = decision.admin_note.as_ref().map(ToString::to_string);
    let audit_write = audit::record_write(app, admin, decision.action.audit_action(), before.id, note);
    let audit_write = audit_write.then(&OutboundJob::announce(app, AnnouncedEvent::ReportDecided, before.id));
    let audit_write = match reports::settle_chore(before, after.status, admin) {
        Some(chore) => audit_write.then(&chore),
        None => audit_write,
    };
    let audit_write = match post {
        Some(post) => announce_hiding(app, post.then_republish(audit_write), post, decision.action),
        None => audit_write,
    };
    // All totals are changed by one write. Several totals may be in the same row, and a transaction can write a row
    // only once.
    let pending = (before.status == ReportStatus::Pending).then_some((Count::ReportsPending, -1));
    let deleted = post.filter(|post| deletes(post, decision.action)).and_then(AnyPost::uncounted);
    let count_write = statistics::counts_write(before.id.random(), pending.into_iter().chain(deleted));
    let post_writes = post.map(|post| post_writes(app, post, before, decision.action)).unwrap_or_default();
    [reports::decision_write(before, after), audit_write]
        .into_iter()
        .chain(count_write)
        .chain(post_writes)
        .collect()
}

/// Returns `write` with the event for webhooks if the decision hides a post that was shown.
fn announce_hiding(app: &App, write: Write, post: &AnyPost, action: DecisionAction) -> Write {
    match action == DecisionAction::Hide && !post.is_hidden() && !post.is_deleted() {
        true => write.then(&OutboundJob::announce(app, AnnouncedEvent::PostHidden, post.id())),
        false => write,
    }
}

fn deletes(post: &AnyPost, action: DecisionAction) -> bool {
    !post.is_deleted() && action == DecisionAction::Delete
}

/// Returns the writes that hide, show or delete the post. Returns no writes if the post was already deleted.
fn post_writes(app: &App, post: &AnyPost, report: &Report, action: DecisionAction) -> Vec<Write> {
    if post.is_deleted() {
        return Vec::new();
    }
    let now = app.now();
    let (post_write, more_writes) = match action {
        // An author cannot appeal a deletion, so the files are no longer needed.
        DecisionAction::Delete => (
            post.delete_write(now),
            post.uncount_writes(now)
                .into_iter()
                .chain(post.release_write(app))
                .chain(post.withdraw_events_write(app))
                .collect(),
        ),
        DecisionAction::Hide => (post.hidden_write(true), Vec::new()),
        DecisionAction::Dismiss => {
            (post.hidden_write(post.is_hidden() && !dismissal_shows(post, report)), Vec::new())
        }
    };
    [post_write.set("moderatedAt", now)].into_iter().chain(more_writes).collect()
}

/// Returns the writes that store the decision about the post, and notify the author.
async fn enforcement_writes(
    app: &App,
    admin: UserId,
    report: &Report,
    post: &AnyPost,
    decision: &Decision,
) -> Result<Vec<Write>> {
    let reason = decision.reason.as_ref().map(ToString::to_string);
    let grounds = Grounds { decided_by: Some(admin), reason, category: report.category };
    let earlier = match post.is_hidden() {
        true => enforcement::find(app, post.author(), post.id()).await?,
        false => None,
    };
    let is_in_force =
        |earlier: &Enforcement| earlier.restored_at.is_none() && earlier.decider != Decider::User;
    let earlier = earlier.filter(is_in_force);
    Ok(match (decision.action, earlier) {
        (DecisionAction::Delete, _) => Enforcement::new(app, post, Measure::Deleted, grounds).writes(app),
        // Hiding again confirms the earlier decision, so an appeal against that decision stays open.
        (DecisionAction::Hide, Some(_)) => Vec::new(),
        (DecisionAction::Hide, None) => Enforcement::new(app, post, Measure::Hidden, grounds).writes(app),
        (DecisionAction::Dismiss, Some(earlier)) if dismissal_shows(post, report) => {
            let notice = notice_writes(app, post.author(), post.id());
            [earlier.restored_write(app.now())].into_iter().chain(notice).collect()
        }
        (DecisionAction::Dismiss, _) => Vec::new(),
    })
}

/// Returns whether dismissing the report shows the post again. True if no administrator decided about the post, or if
/// this report led an administrator to hide it.
fn dismissal_shows(post: &AnyPost, report: &Report) -> bool {
    post.moderated_at().is_none() || report.status == ReportStatus::Hidden
}

impl DecisionAction {
    fn status(self) -> ReportStatus {
        match self {
            Self::Dismiss => ReportStatus::Dismissed,
            Self::Hide => ReportStatus::Hidden,
            Self::Delete => ReportStatus::Deleted,
        }
    }

    fn audit_action(self) -> AuditAction {
        match self {
            Self::Dismiss => AuditAction::DismissReport,
            Self::Hide => AuditAction::HideReported,
            Self::Delete => AuditAction::DeleteReported,
        }
    }
}
