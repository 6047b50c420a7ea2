//! The state that a decision requires of a case and its post.

use people::{Administrator, Status, users};
use platform::{App, Result, Time};
use posts::{Moderated, ReplyPermission};

use super::{Case, CaseAction, Decision, restore, row::Outcome};
use crate::{any_post::AnyPost, reports::ReportStatus};

/// A case, its post, and the decision to make.
pub(super) struct Context<'a> {
    pub(super) app: &'a App,
    pub(super) administrator: &'a Administrator,
    pub(super) now: Time,
    pub(super) before: &'a Case,
    /// The reported post. `None` if a user was reported, or if the post is gone.
    pub(super) post: Option<AnyPost>,
    /// Whether the author deleted the reported post. Moderation can then no longer change the post.
    pub(super) is_gone: bool,
    /// Whether the decision has a warning, and the author can read it because the account exists.
    pub(super) warns: bool,
    pub(super) decision: &'a Decision,
}

impl Context<'_> {
    /// Returns the case after the decision.
    pub(super) fn decided(&self) -> Case {
        let earlier = self.before.decision();
        let state = self.state();
        let actions = self.decision.actions.all().iter().copied();
        let actions: Vec<_> = actions.filter(|action| self.is_possible(*action)).collect();
        let replaced = earlier.map(|outcome| outcome.all_actions.clone()).unwrap_or_default();
        let before = earlier.and_then(|outcome| outcome.before);
        let outcome = Outcome {
            status: self.status(state),
            all_actions: replaced.into_iter().chain(actions.iter().copied()).collect(),
            actions,
            reason: self.decision.reason.clone(),
            note: self.decision.note.clone(),
            warning: self.decision.warning.clone().filter(|_| self.warns),
            banned_until: self.decision.banned_until,
            banned_at: earlier.and_then(|outcome| outcome.banned_at),
            lifted_at: earlier.and_then(|outcome| outcome.lifted_at),
            decided_by: Some(self.administrator.id),
            decided_at: self.now,
            before: before.or_else(|| self.post.as_ref().map(AnyPost::moderated)),
        };
        let deleted_at = state.and_then(|state| state.deleted_at);
        Case { status: outcome.status, deleted_at, outcome: Some(outcome), ..self.before.clone() }
    }

    /// Returns whether the author has neither deleted the post that the action changes, nor the account that it warns.
    fn is_possible(&self, action: CaseAction) -> bool {
        !(self.is_gone && action.changes_post()) && (self.warns || action != CaseAction::Warn)
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
    pub(super) fn state(&self) -> Option<Moderated> {
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
            is_labeled: present.is_labeled || actions.has(CaseAction::Sensitive),
            reply_permission: if locks { ReplyPermission::Nobody } else { present.reply_permission },
            is_locked: present.is_locked || locks,
        })
    }

    /// Returns whether the decision would change neither the case, nor the post, nor the account.
    pub(super) async fn is_repetition(&self, after: &Case) -> Result<bool> {
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
}
