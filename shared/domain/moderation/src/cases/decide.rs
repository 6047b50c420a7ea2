//! Decisions about cases. A decision applies to all reports of the case. A later decision can replace it.

use accounts::BanRequest;
use base::{
    announcements::AnnouncedEvent,
    ids::{CaseId, UserId},
    jobs::OutboundJob,
};
use ledger::audit;
use people::users::{self, Administrator, Status, User};
use platform::{
    App,
    error::{Error, Result},
    idempotency::Once,
    table::Write,
    time::Time,
};
use posts::{Moderated, ReplyPermission};

use super::{
    action::{CaseAction, CaseActions},
    apply::{StateWrites, announced_as_hidden, state_writes},
    check::check_may_decide,
    decision::{CaseDecision, Decision},
    evidence::{EvidenceEnd, erase_writes},
    history::{CaseEvent, CaseEventKind},
    restore,
    row::{Case, Outcome},
    view::CaseView,
};
use crate::{
    any_post::AnyPost,
    ban,
    enforcement::{self, Grounds, Measure, Ruling},
    reports::{self, Report, ReportStatus},
    statistics,
};

/// A case, its post, and the decision to make.
struct Context<'a> {
    app: &'a App,
    administrator: &'a Administrator,
    now: Time,
    before: &'a Case,
    /// The reported post. `None` if a user was reported, or if the post is gone.
    post: Option<AnyPost>,
    /// Whether the author deleted the reported post. Moderation can then no longer change the post.
    is_gone: bool,
    decision: &'a Decision,
}

/// Decides a case. All reports of the case get the status of the decision, and their reporters are notified. A repeated
/// decision has no effect.
///
/// # Errors
/// - Fails with [`Error::NotFound`] if the case does not exist.
/// - Fails with [`Error::Invalid`] if a field does not fit the actions, or if an action needs a post but a user was
///   reported.
/// - Fails with [`Error::Invalid`] if a stronger sanction than the ban is in force.
/// - Fails with [`Error::Invalid`] if the decision is only for pending cases, and the case is decided.
/// - Fails with [`Error::Forbidden`] if the caller is the reported user or a reporter.
/// - Fails with [`Error::Forbidden`] if the caller is a moderator and the decision needs an administrator.
pub async fn decide(
    app: &App,
    administrator: &Administrator,
    id: CaseId,
    decision: CaseDecision,
    once: &Once,
) -> Result<CaseView> {
    decision.check()?;
    let decision = Decision::from(decision);
    let work = async || decision_writes(app, administrator, id, &decision).await;
    super::detail::view(app, once.run(app, administrator.id, work).await?).await
}

/// Returns the writes of a decision, and the decided case. Bans the author first if the decision has a ban. Returns no
/// writes if the decision changes nothing.
pub(crate) async fn decision_writes(
    app: &App,
    administrator: &Administrator,
    id: CaseId,
    decision: &Decision,
) -> Result<(Vec<Write>, Case)> {
    let before = super::find(app, id).await?;
    check_may_decide(app, administrator, &before, decision.actions.all()).await?;
    if decision.pending_only && before.status != ReportStatus::Pending {
        return Err(Error::Invalid("this case was already decided".into()));
    }
    let post = restore::find_post(app, &before).await?;
    check_actions(&before, post.as_ref(), &decision.actions)?;
    let is_gone = restore::is_gone(app, &before, post.as_ref()).await?;
    let post = post.filter(|_| !is_gone);
    let context = Context { app, administrator, now: app.now(), before: &before, post, is_gone, decision };
    let after = context.decided();
    if context.is_repetition(&after).await? {
        return Ok((Vec::new(), before));
    }
    let banned = context.ban().await?;
    let after = after.with_ban(banned.as_ref(), context.now);
    Ok((context.writes(&after, banned.as_ref()).await?, after))
}

/// Checks that the case has a post that the actions can change.
fn check_actions(case: &Case, post: Option<&AnyPost>, actions: &CaseActions) -> Result<()> {
    let of_post = actions.all().iter().any(|action| action.changes_post());
    let is_plain = actions.has(CaseAction::Sensitive) || actions.has(CaseAction::LockReplies);
    match post {
        None if of_post && case.post().is_none() => Err(Error::invalid(
            "actions",
            "must not change a post, because this case is about a user. Use an action such as `ban`.",
        )),
        Some(AnyPost::CirclePost(_)) if is_plain => {
            Err(Error::invalid("actions", "must not label or lock a post in a circle"))
        }
        _ => Ok(()),
    }
}

impl Context<'_> {
    /// Bans the author if the decision has a ban, and returns the banned account. A ban that is already in force has no
    /// effect.
    async fn ban(&self) -> Result<Option<User>> {
        if !self.decision.actions.all().iter().any(|action| action.is_ban()) {
            return Ok(None);
        }
        let (reason, banned_until) = (self.decision.reason.clone(), self.decision.ban_end(self.now));
        let request = BanRequest { reason, banned_until };
        accounts::ban(self.app, self.administrator, self.before.author, request).await.map(Some)
    }

    /// Returns the case after the decision.
    fn decided(&self) -> Case {
        let earlier = self.before.decision();
        let state = self.state();
        let actions = self.decision.actions.all().iter().copied();
        let actions: Vec<_> = actions.filter(|action| !(self.is_gone && action.changes_post())).collect();
        let replaced = earlier.map(|outcome| outcome.all_actions.clone()).unwrap_or_default();
        let before = earlier.and_then(|outcome| outcome.before);
        let outcome = Outcome {
            status: self.status(state),
            all_actions: replaced.into_iter().chain(actions.iter().copied()).collect(),
            actions,
            reason: self.decision.reason.clone(),
            note: self.decision.note.clone(),
            warning: self.decision.warning.clone(),
            banned_until: self.decision.banned_until,
            banned_at: earlier.and_then(|outcome| outcome.banned_at),
            decided_by: Some(self.administrator.id),
            decided_at: self.now,
            before: before.or_else(|| self.post.as_ref().map(AnyPost::moderated)),
        };
        let deleted_at = state.and_then(|state| state.deleted_at);
        Case { status: outcome.status, deleted_at, outcome: Some(outcome), ..self.before.clone() }
    }

    /// Returns the status of the case after the decision. If the post stays deleted or hidden, the status says so.
    fn status(&self, state: Option<Moderated>) -> ReportStatus {
        let removes =
            self.decision.actions.has(CaseAction::Hide) || self.decision.actions.has(CaseAction::Delete);
        match state {
            _ if self.is_gone && removes => ReportStatus::Deleted,
            Some(Moderated { deleted_at: Some(_), .. }) => ReportStatus::Deleted,
            Some(Moderated { is_hidden: true, .. }) => ReportStatus::Hidden,
            _ => self.decision.actions.status(),
        }
    }

    /// Returns the state that the decision requires of the post, or `None` if there is no post to change.
    fn state(&self) -> Option<Moderated> {
        let (actions, present) = (&self.decision.actions, self.post.as_ref()?.moderated());
        let (hides, deletes) = (actions.has(CaseAction::Hide), actions.has(CaseAction::Delete));
        if actions.has(CaseAction::Dismiss) {
            let original = restore::original(self.before, present);
            return Some(Moderated { is_hidden: false, deleted_at: None, ..original });
        }
        let locks = actions.has(CaseAction::LockReplies);
        Some(Moderated {
            is_hidden: hides || present.is_hidden,
            deleted_at: if deletes { Some(self.now) } else { present.deleted_at.filter(|_| !hides) },
            sensitive: present.sensitive || actions.has(CaseAction::Sensitive),
            reply_permission: if locks { ReplyPermission::Nobody } else { present.reply_permission },
        })
    }

    /// Returns whether the decision would change neither the case, nor the post, nor the account.
    async fn is_repetition(&self, after: &Case) -> Result<bool> {
        let Some((earlier, later)) = self.before.decision().zip(after.decision()) else { return Ok(false) };
        let has_required_state = |post: &AnyPost| {
            let present = post.moderated();
            let required = self.state().map(|state| Moderated { deleted_at: present.deleted_at, ..state });
            // An edit clears `moderated_at`, so that the new text is evaluated again.
            required.is_none_or(|state| state == present && post.moderated_at().is_some())
        };
        let is_same = earlier.is_same(later) && self.post.as_ref().is_none_or(has_required_state);
        let bans = later.actions.iter().any(|action| action.is_ban());
        Ok(is_same && (!bans || users::get(self.app, self.before.author).await?.status == Status::Banned))
    }

    async fn writes(&self, after: &Case, banned: Option<&User>) -> Result<Vec<Write>> {
        let state = self.post.as_ref().zip(self.state());
        let StateWrites { writes: post_writes, count } = match state {
            Some((post, state)) => state_writes(self.app, post, state, self.now).await?,
            None => StateWrites::none(),
        };
        // A report that was decided before the case was reopened keeps its status.
        let report = self.decision.report.as_ref().filter(|report| report.id >= self.before.first_report);
        let pending = report.and_then(|report| reports::pending_change(report.status, after.status));
        let mut writes = vec![
            after.replace_write(self.before),
            self.record_write(after, report),
            self.event(after).create_write(),
            statistics::decision_write(self.app, after, self.decision.actions.all()),
        ];
        writes.extend(post_writes);
        writes.extend(ledger::statistics::counts_write(after.id.random(), pending.into_iter().chain(count)));
        writes.extend(self.evidence_writes(after));
        writes.extend(self.ruling_writes(after, banned).await?);
        if let Some(report) = report {
            let decided = report.decided(after.status, self.administrator.id, self.now);
            let decided = Report { admin_note: self.decision.note.clone(), ..decided };
            writes.extend(reports::decision_writes(report, &decided));
            writes.extend(reports::outcome_writes(self.app, report).await?);
        }
        Ok(writes)
    }

    /// Returns the write of the audit log entry. The entry also sends the follow-up messages of the decision.
    fn record_write(&self, after: &Case, report: Option<&Report>) -> Write {
        let note = self.decision.note.as_ref().map(ToString::to_string);
        let target = report.map_or_else(|| after.id.to_string(), |report| report.id.to_string());
        let write = audit::record_write(
            self.app,
            self.administrator.id,
            self.decision.actions.audit_action(),
            target,
            note,
        );
        let announced =
            report.map(|report| OutboundJob::announce(self.app, AnnouncedEvent::ReportDecided, report.id));
        let write = announced.iter().fold(write, Write::then).then(&after.settle_chore());
        match &self.post {
            Some(post) if after.status == ReportStatus::Hidden => {
                announced_as_hidden(self.app, post.then_republish(write), post)
            }
            Some(post) => post.then_republish(write),
            None => write,
        }
    }

    fn event(&self, after: &Case) -> CaseEvent {
        let event = CaseEvent::new(self.app, after.id, CaseEventKind::Decided, self.administrator.id);
        CaseEvent { actions: after.actions().to_vec(), text: self.decision.reason.clone(), ..event }
    }

    /// Returns the writes that schedule the erasure of the evidence. If the author deleted their account, the writes
    /// erase the evidence immediately.
    fn evidence_writes(&self, after: &Case) -> Vec<Write> {
        match after.author == UserId::NONE {
            true => erase_writes(after),
            false => vec![Write::put(&EvidenceEnd::after(after.id, self.now))],
        }
    }

    /// Returns the writes that store the decision that the author sees, and notify the author. A ban is a decision
    /// about the user, not about the post.
    async fn ruling_writes(&self, after: &Case, banned: Option<&User>) -> Result<Vec<Write>> {
        let category = self.decision.report.as_ref().map_or(after.category(), |report| report.category);
        let grounds = Grounds {
            decided_by: Some(self.administrator.id),
            reason: self.decision.reason.as_ref().map(ToString::to_string),
            category,
        };
        let ban = banned.map(|user| Write::put(&ban::imposed(self.app, user, grounds.clone())));
        let warning = self.decision.warning.as_ref().map(ToString::to_string);
        let mut writes = match self.measure(after) {
            Some(measure) => {
                let ruling = Ruling { measure, warning, grounds };
                enforcement::ruling_writes(self.app, after.subject(), ruling).await?
            }
            None if after.actions().contains(&CaseAction::Dismiss) => {
                enforcement::restored_writes(self.app, after.subject()).await?
            }
            None => Vec::new(),
        };
        writes.extend(ban);
        Ok(writes)
    }

    /// Returns the measure that the author sees. If the post stays hidden or deleted, returns that measure.
    fn measure(&self, after: &Case) -> Option<Measure> {
        let measure = CaseActions::measure_of(after.actions())?;
        Some(match after.status {
            ReportStatus::Deleted if !self.is_gone => Measure::Deleted,
            ReportStatus::Hidden => Measure::Hidden,
            _ => measure,
        })
    }
}
