//! Administrators decide on reports. No evaluation overrides a decision.

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
    table::{Index, Row, Write},
};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::{
    enforcement::{self, Enforcement, Grounds, Measure, notice_writes},
    reports::{self, Report, ReportStatus, ReportTarget},
    written::Written,
};
use ledger::{
    audit::{self, AuditAction},
    statistics::{self, Count},
};

/// What to do about a report.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum DecisionAction {
    /// Keep the post, and show it again when only the evaluation has hidden it.
    Dismiss,
    /// Hide the post from lists.
    Hide,
    /// Delete the post, with the files that no other post shows.
    Delete,
}

/// A decision on a report.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Decision {
    /// What to do.
    pub action: DecisionAction,
    /// The administrator's reason, which only administrators see.
    pub admin_note: Option<ReasonText>,
    /// What the author of the post is told.
    pub reason: Option<ReasonText>,
}

/// A report after a decision.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Decided {
    /// The report's id.
    pub id: ReportId,
    /// The status that the decision gave it.
    pub status: ReportStatus,
    /// The administrator's reason.
    pub admin_note: Option<ReasonText>,
}

/// Decides on a report, or decides again: changes the report, the post and the audit log in one
/// transaction. While proposed features are off it does nothing.
///
/// # Errors
/// [`Error::NotFound`] when there is no such report; [`Error::Invalid`] for hiding or deleting a user;
/// [`Error::Forbidden`] for a report about oneself, and for a moderator about an administrator.
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
            return Err(Error::Forbidden("this report is about you".into()));
        }
        administrator.check_may_judge(app, before.reported_user_id).await?;
        let post = reported_post(app, &before, decision.action).await?;
        let after = decided(app, admin, &before, &decision);
        let mut writes = decision_writes(app, admin, &before, &after, post.as_ref(), &decision);
        if let Some(post) = post.filter(|it| !it.is_deleted()) {
            writes.extend(enforcement_writes(app, admin, &before, &post, &decision).await?);
        }
        writes.extend(reports::outcome_writes(app, &before).await?);
        app.table.transact(writes).await?;
        Ok(after)
    })
    .await?;
    Ok(Decided { id, status: report.status, admin_note: report.admin_note })
}

/// Returns the post that a report is about, as it is now; none for a report of a user.
async fn reported_post(app: &App, report: &Report, action: DecisionAction) -> Result<Option<Written>> {
    match (report.target_type, action) {
        (ReportTarget::User, DecisionAction::Dismiss) => Ok(None),
        (ReportTarget::User, _) => {
            Err(Error::invalid("action", "must be dismiss for a person, who can be banned instead"))
        }
        _ => {
            let id = report.target_id.parse().map_err(Error::internal)?;
            Written::find(app, id).await
        }
    }
}

fn decided(app: &App, admin: UserId, report: &Report, decision: &Decision) -> Report {
    Report {
        status: decision.action.status(),
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
    post: Option<&Written>,
    decision: &Decision,
) -> Vec<Write> {
    let note = decision.admin_note.as_ref().map(ToString::to_string);
    let audit_write = audit::record_write(app, admin, decision.action.deed(), before.id, note);
    let audit_write = audit_write.then(&OutboundJob::announce(app, AnnouncedEvent::ReportDecided, before.id));
    let audit_write = match post {
        Some(post) => post.then_republish(audit_write),
        None => audit_write,
    };
    // One write for all totals: a transaction takes one of a row, and a report's totals may share one with a post's.
    let pending = (before.status == ReportStatus::Pending).then_some((Count::ReportsPending, -1));
    let deleted = post.filter(|it| deletes(it, decision.action)).and_then(Written::uncounted);
    let count_write = statistics::counts_write(before.id.random(), pending.into_iter().chain(deleted));
    let post_writes = post.map(|it| post_writes(app, it, before, decision.action)).unwrap_or_default();
    let report_write = report_write(before, after);
    [report_write, audit_write].into_iter().chain(count_write).chain(post_writes).collect()
}

/// Stores the decision on the report. Stale when the report's status changed since it was read.
fn report_write(before: &Report, after: &Report) -> Write {
    let write = Write::update(after.key()).set("status", after.status);
    let write = write.index_key(Index::Gsi1, Some(after.status_index_key()));
    let write = write.set_or_remove("adminNote", after.admin_note.as_ref());
    let write = write.set("decidedBy", after.decided_by).set("decidedAt", after.decided_at);
    write.equals("status", before.status)
}

fn deletes(post: &Written, action: DecisionAction) -> bool {
    !post.is_deleted() && action == DecisionAction::Delete
}

/// Hides, shows or deletes the post, unless it is deleted already.
fn post_writes(app: &App, post: &Written, report: &Report, action: DecisionAction) -> Vec<Write> {
    if post.is_deleted() {
        return Vec::new();
    }
    let now = app.now();
    let (post_write, more_writes) = match action {
        // Nobody can appeal against this, so nothing needs its files any more.
        DecisionAction::Delete => (
            post.delete_write(now),
            post.uncount_writes(now).into_iter().chain(post.release_write(app)).collect(),
        ),
        DecisionAction::Hide => (post.hidden_write(true), Vec::new()),
        DecisionAction::Dismiss => {
            (post.hidden_write(post.is_hidden() && !dismissal_shows(post, report)), Vec::new())
        }
    };
    [post_write.set("moderatedAt", now)].into_iter().chain(more_writes).collect()
}

/// Returns the writes that tell the author what is done to a post, or that it is shown again.
async fn enforcement_writes(
    app: &App,
    admin: UserId,
    report: &Report,
    post: &Written,
    decision: &Decision,
) -> Result<Vec<Write>> {
    let reason = decision.reason.as_ref().map(ToString::to_string);
    let grounds = Grounds { decided_by: Some(admin), reason, category: report.category };
    let earlier = match post.is_hidden() {
        true => enforcement::find(app, post.author(), post.id()).await?,
        false => None,
    };
    let earlier = earlier.filter(|it| it.restored_at.is_none());
    Ok(match (decision.action, earlier) {
        (DecisionAction::Delete, _) => Enforcement::new(app, post, Measure::Deleted, grounds).writes(app),
        // What was told before is confirmed: an appeal against it stays.
        (DecisionAction::Hide, Some(_)) => Vec::new(),
        (DecisionAction::Hide, None) => Enforcement::new(app, post, Measure::Hidden, grounds).writes(app),
        (DecisionAction::Dismiss, Some(earlier)) if dismissal_shows(post, report) => {
            let notice = notice_writes(app, post.author(), post.id());
            [earlier.restored_write(app.now())].into_iter().chain(notice).collect()
        }
        (DecisionAction::Dismiss, _) => Vec::new(),
    })
}

/// Returns whether dismissing the report shows the post again: when no administrator has hidden it, or
/// one did because of this report.
fn dismissal_shows(post: &Written, report: &Report) -> bool {
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

    fn deed(self) -> AuditAction {
        match self {
            Self::Dismiss => AuditAction::DismissReport,
            Self::Hide => AuditAction::HideReported,
            Self::Delete => AuditAction::DeleteReported,
        }
    }
}
