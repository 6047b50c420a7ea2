//! The writes of a decision about a case.

use accounts::{BanRequest, SanctionChange};
use base::{AnnouncedEvent, OutboundJob, UserId};
use ledger::audit;
use people::User;
use platform::{Result, Write};

use super::{
    Case, CaseAction, CaseActions, CaseEvent, CaseEventKind, EvidenceEnd,
    apply::{StateWrites, announced_as_hidden, state_writes},
    context::Context,
    evidence::erase_writes,
};
use crate::{
    Grounds, NewDecision, Report, ReportStatus, ShownAction, author_decision, ban, reports, statistics,
};

impl Context<'_> {
    /// Returns the change that bans the author, or `None` if the decision has no ban. If the same ban is in force, the
    /// change has no writes.
    pub(super) async fn ban(&self) -> Result<Option<SanctionChange>> {
        if !self.decision.actions.all().iter().any(|action| action.is_ban()) {
            return Ok(None);
        }
        let (reason, banned_until) = (self.decision.reason.clone(), self.decision.ban_end(self.now));
        let request = BanRequest { reason, banned_until };
        accounts::ban_writes(self.app, self.administrator, self.before.author, request).await.map(Some)
    }

    pub(super) async fn writes(&self, after: &Case, ban: Option<SanctionChange>) -> Result<Vec<Write>> {
        let state = self.post.as_ref().zip(self.state());
        let StateWrites { writes: post_writes, author_check, count } = match state {
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
            statistics::decision_write(self.app, after),
        ];
        writes.extend(post_writes);
        writes.extend(self.evidence_writes(after).await?);
        writes.extend(self.author_decision_writes(after, ban.as_ref().map(|ban| &ban.user)).await?);
        let (ban_writes, ban_counts) = ban.map(|ban| (ban.writes, ban.counts)).unwrap_or_default();
        writes.extend(author_check.filter(|_| ban_writes.is_empty()));
        writes.extend(ban_writes);
        let counts = pending.into_iter().chain(count).chain(ban_counts);
        writes.extend(ledger::statistics::counts_write(after.id.random(), counts));
        if let Some(report) = report {
            let decided = report.decided(after.status, self.administrator.id, self.now);
            let decided = Report { admin_note: self.decision.note.clone(), ..decided };
            writes.extend(reports::decision_writes(report, &decided));
            writes.extend(after.outcome_writes(self.app, report).await?);
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
    async fn evidence_writes(&self, after: &Case) -> Result<Vec<Write>> {
        match after.author == UserId::NONE {
            true => erase_writes(self.app, after).await,
            false => Ok(vec![Write::put(&EvidenceEnd::after(after.id, self.now))]),
        }
    }

    /// Returns the writes that store the decision that the author sees, and notify the author. A ban is a decision
    /// about the user, not about the post.
    async fn author_decision_writes(&self, after: &Case, banned: Option<&User>) -> Result<Vec<Write>> {
        let category = self.decision.report.as_ref().map_or(after.category(), |report| report.category);
        let grounds = Grounds {
            decided_by: Some(self.administrator.id),
            reason: self.decision.reason.as_ref().map(ToString::to_string),
            category,
        };
        let warning = after.decision().and_then(|outcome| outcome.warning.as_ref()).map(ToString::to_string);
        let mut writes = Vec::new();
        if let Some(user) = banned {
            let texts = (after.id, warning.clone().filter(|_| after.post().is_none()));
            writes.extend(ban::imposed_writes(self.app, user, texts, grounds.clone()).await?);
        }
        // In a case about a user, a ban and a warning have the same subject, so the author sees only the ban.
        let mut actions = self.shown_actions(after).into_iter();
        let action = actions.next().filter(|_| after.post().is_some() || banned.is_none());
        writes.extend(match action {
            Some(action) => {
                let new = NewDecision { action, more: actions.collect(), warning, grounds };
                author_decision::new_writes(self.app, after.subject(), new).await?
            }
            None if after.actions().contains(&CaseAction::Dismiss) => {
                author_decision::restored_writes(self.app, after.subject()).await?
            }
            None => Vec::new(),
        });
        Ok(writes)
    }

    /// Returns the actions that the author sees, the strongest first. If the post stays hidden or deleted, begins with
    /// [`ShownAction::Hidden`] or [`ShownAction::Deleted`].
    fn shown_actions(&self, after: &Case) -> Vec<ShownAction> {
        let mut actions = CaseActions::shown_of(after.actions());
        let removal = match after.status {
            ReportStatus::Deleted if !self.is_gone => Some(ShownAction::Deleted),
            ReportStatus::Hidden => Some(ShownAction::Hidden),
            _ => None,
        };
        if let Some(removal) = removal.filter(|removal| !actions.is_empty() && !actions.contains(removal)) {
            actions.insert(0, removal);
        }
        actions
    }
}
