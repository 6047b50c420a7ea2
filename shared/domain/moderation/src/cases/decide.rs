//! Decisions about cases. A decision answers all reports of the case, and a later decision can replace it.

use accounts::BanRequest;
use base::{
    announcements::AnnouncedEvent,
    ids::{CaseId, UserId},
    jobs::OutboundJob,
};
use ledger::audit;
use people::users::Administrator;
use platform::{
    App,
    error::{Error, Result},
    idempotency::Once,
    table::Write,
};
use posts::{Moderated, ReplyPermission};

use super::{
    action::{CaseAction, CaseActions},
    apply::{StateWrites, announce_hiding, state_writes},
    check::check_may_decide,
    decision::{CaseDecision, Decision},
    evidence::{EvidenceEnd, erase_writes},
    history::{CaseEvent, CaseEventKind},
    row::{Case, Outcome},
    view::CaseView,
};
use crate::{
    any_post::AnyPost,
    enforcement::{self, Grounds, Ruling},
    reports::{self, Report, ReportStatus},
    statistics,
};

/// A case with what its decision depends on.
struct Matter<'a> {
    app: &'a App,
    administrator: &'a Administrator,
    before: &'a Case,
    /// The reported post. `None` if a user was reported.
    post: Option<AnyPost>,
    decision: &'a Decision,
}

/// Decides a case. All reports of the case get the status of the decision, and their reporters are notified. A repeated
/// decision has no effect.
///
/// # Errors
/// - Fails with [`Error::NotFound`] if the case does not exist.
/// - Fails with [`Error::Invalid`] if the fields do not belong to the actions, or if an action needs a post and a user was
///   reported.
/// - Fails with [`Error::Invalid`] if a stronger sanction than the ban is in force.
/// - Fails with [`Error::Forbidden`] if the case is about or by the caller, or if the caller is a moderator and the
///   decision needs an administrator.
pub async fn decide(
    app: &App,
    administrator: &Administrator,
    id: CaseId,
    decision: CaseDecision,
    once: &Once,
) -> Result<CaseView> {
    decision.check()?;
    let decision = Decision::new(app, decision);
    let changed = once.run(app, administrator.id, async || {
        let (writes, case) = decision_writes(app, administrator, id, &decision).await?;
        Ok((writes, case))
    });
    super::detail::view(app, changed.await?).await
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
    check_may_decide(app, administrator, &before, &decision.actions).await?;
    let post = match before.post() {
        Some(post) => AnyPost::find(app, post).await?,
        None => None,
    };
    let matter = Matter { app, administrator, before: &before, post, decision };
    matter.check_actions()?;
    let after = matter.decided();
    if matter.is_repetition(&after) {
        return Ok((Vec::new(), before));
    }
    matter.ban().await?;
    Ok((matter.writes(&after).await?, after))
}

impl Matter<'_> {
    fn check_actions(&self) -> Result<()> {
        let actions = self.decision.actions.all();
        let of_post = actions.iter().any(|action| action.changes_post());
        let of_plain_post = [CaseAction::Sensitive, CaseAction::LockReplies];
        match &self.post {
            None if of_post => Err(Error::invalid(
                "actions",
                "must not change a post if a user was reported. Ban the user instead.",
            )),
            Some(AnyPost::CirclePost(_)) if actions.iter().any(|action| of_plain_post.contains(action)) => {
                Err(Error::invalid("actions", "must not label or lock a post in a circle"))
            }
            _ => Ok(()),
        }
    }

    /// Bans the author if the decision has a ban. A ban that is already in force has no effect.
    async fn ban(&self) -> Result<()> {
        if !self.decision.actions.all().iter().any(|action| action.is_ban()) {
            return Ok(());
        }
        let Decision { reason, banned_until, .. } = self.decision.clone();
        let request = BanRequest { reason, banned_until };
        accounts::ban(self.app, self.administrator, self.before.author, request).await.map(drop)
    }

    /// Returns whether the author deleted the post, so that moderation can no longer change it.
    fn is_gone(&self) -> bool {
        self.post.as_ref().is_some_and(|post| post.is_deleted() && !self.before.has_deleted(post))
    }

    /// Returns the case after the decision.
    fn decided(&self) -> Case {
        let is_gone = self.is_gone();
        let actions = self.decision.actions.all().iter().copied();
        let actions: Vec<_> = actions.filter(|action| !(is_gone && action.changes_post())).collect();
        let status = match self.decision.actions.status() {
            ReportStatus::Hidden if is_gone => ReportStatus::Deleted,
            status => status,
        };
        let outcome = Outcome {
            status,
            actions,
            reason: self.decision.reason.clone(),
            note: self.decision.note.clone(),
            warning: self.decision.warning.clone(),
            decided_by: Some(self.administrator.id),
            decided_at: self.app.now(),
            before: self.state_before(),
        };
        Case { status, outcome: Some(outcome), is_escalated: false, ..self.before.clone() }
    }

    /// Returns the state that an undo restores. If this decision replaces another one, it is the state before both.
    fn state_before(&self) -> Option<Moderated> {
        let earlier = self.before.decision().and_then(|outcome| outcome.before);
        earlier.or_else(|| self.post.as_ref().map(AnyPost::moderated))
    }

    /// Returns the state of the post that the decision requires. `None` if there is no post to change.
    fn state(&self) -> Option<Moderated> {
        let post = self.post.as_ref().filter(|_| !self.is_gone())?;
        let (actions, before) = (&self.decision.actions, post.moderated());
        let (hides, deletes) = (actions.has(CaseAction::Hide), actions.has(CaseAction::Delete));
        let shows = actions.has(CaseAction::Dismiss);
        let deleted_at = match deletes {
            true => Some(self.app.now()),
            false => before.deleted_at.filter(|_| !hides && !shows),
        };
        let locks = actions.has(CaseAction::LockReplies);
        Some(Moderated {
            is_hidden: hides || (before.is_hidden && !shows),
            deleted_at,
            sensitive: before.sensitive || actions.has(CaseAction::Sensitive),
            reply_permission: if locks { ReplyPermission::Nobody } else { before.reply_permission },
        })
    }

    /// Returns whether the decision would change neither the case nor the post.
    fn is_repetition(&self, after: &Case) -> bool {
        let Some((earlier, later)) = self.before.decision().zip(after.decision()) else { return false };
        let is_same = self.before.status == after.status
            && (&earlier.actions, &earlier.note, &earlier.warning)
                == (&later.actions, &later.note, &later.warning);
        // An edit removes the time of the decision, so that the new text is evaluated again.
        let is_settled = |post: &AnyPost| {
            let state =
                self.state().map(|state| Moderated { deleted_at: post.moderated().deleted_at, ..state });
            state.is_none_or(|state| state == post.moderated() && post.moderated_at().is_some())
        };
        is_same && self.post.as_ref().is_none_or(is_settled)
    }

    async fn writes(&self, after: &Case) -> Result<Vec<Write>> {
        let post_writes = match (&self.post, self.state()) {
            (Some(post), Some(state)) => state_writes(self.app, post, state).await?,
            _ => StateWrites::none(),
        };
        let announces = after.status == ReportStatus::Hidden;
        let record_write = self.record_write(after);
        let record_write = match &self.post {
            Some(post) if self.state().is_some() => {
                announce_hiding(self.app, post.then_republish(record_write), post, announces)
            }
            _ => record_write,
        };
        let report = self.decision.report.as_ref();
        let pending = report.and_then(|report| reports::pending_change(report.status, after.status));
        let counts = pending.into_iter().chain(post_writes.total);
        let count_write = ledger::statistics::counts_write(after.id.random(), counts);
        let report_write = report.map(|before| {
            let decided = before.decided(after.status, self.administrator.id, self.app.now());
            reports::decision_write(before, &Report { admin_note: self.decision.note.clone(), ..decided })
        });
        let mut writes =
            vec![after.replace_write(self.before), record_write, self.event(after).create_write()];
        writes.extend(post_writes.writes);
        writes.extend(count_write);
        writes.extend(report_write);
        writes.extend(self.evidence_writes(after));
        writes.push(statistics::decision_write(self.app, after, self.decision.actions.all()));
        writes.extend(self.ruling_writes(after).await?);
        if let Some(report) = report {
            writes.extend(reports::outcome_writes(self.app, report).await?);
        }
        Ok(writes)
    }

    /// Returns the write of the audit log entry, which sends the follow-up messages.
    fn record_write(&self, after: &Case) -> Write {
        let note = self.decision.note.as_ref().map(ToString::to_string);
        let target = match &self.decision.report {
            Some(report) => report.id.to_string(),
            None => after.id.to_string(),
        };
        let action = after.audit_action();
        let write = audit::record_write(self.app, self.administrator.id, action, target, note);
        let write = match &self.decision.report {
            Some(report) => {
                write.then(&OutboundJob::announce(self.app, AnnouncedEvent::ReportDecided, report.id))
            }
            None => write,
        };
        write.then(&after.settle_chore())
    }

    fn event(&self, after: &Case) -> CaseEvent {
        let event = CaseEvent::new(self.app, after.id, CaseEventKind::Decided, self.administrator.id);
        let actions = after.outcome.as_ref().map(|outcome| outcome.actions.clone()).unwrap_or_default();
        CaseEvent { actions, text: self.decision.reason.clone(), ..event }
    }

    /// Returns the writes that schedule the end of the evidence. If the author deleted their account, they erase it.
    fn evidence_writes(&self, after: &Case) -> Vec<Write> {
        match after.author == UserId::NONE {
            true => erase_writes(after),
            false => vec![Write::put(&EvidenceEnd::after(after.id, self.app.now()))],
        }
    }

    /// Returns the writes that store the decision for the author, and notify the author.
    async fn ruling_writes(&self, after: &Case) -> Result<Vec<Write>> {
        let actions = after.outcome.as_ref().map(|outcome| outcome.actions.clone()).unwrap_or_default();
        let category = self.decision.report.as_ref().map_or(after.category(), |report| report.category);
        let grounds = Grounds {
            decided_by: Some(self.administrator.id),
            reason: self.decision.reason.as_ref().map(ToString::to_string),
            category,
        };
        let subject = after.subject();
        match CaseActions::measure_of(&actions) {
            Some(measure) => {
                let warning = self.decision.warning.as_ref().map(ToString::to_string);
                enforcement::ruling_writes(self.app, subject, Ruling { measure, warning, grounds }).await
            }
            None if actions.contains(&CaseAction::Dismiss) => {
                enforcement::restored_writes(self.app, subject).await
            }
            None => Ok(Vec::new()),
        }
    }
}
