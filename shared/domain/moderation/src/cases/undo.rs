//! Undoes the latest decision about a case.

use accounts::SanctionChange;
use base::{CaseId, UserId};
use ledger::audit::{self, AuditAction};
use people::Administrator;
use platform::{App, Error, Once, Result, Write};

use super::{
    Case, CaseAction, CaseEvent, CaseEventKind, CaseView, EvidenceEnd, Outcome,
    apply::{StateWrites, announced_as_hidden, state_writes},
    check::check_may_decide,
    restore,
};
use crate::{Grounds, NewDecision, ReportStatus, ShownAction, author_decision, ban};

/// Undoes the decision about a case, and reopens the case. Restores the post's earlier state, its counters, and its
/// places in lists. Lifts a ban that the decision imposed. A sent warning is not withdrawn. If the author deleted the
/// post meanwhile, it stays deleted.
///
/// # Errors
/// - Fails with [`Error::NotFound`] if the case does not exist.
/// - Fails with [`Error::Invalid`] if the case is not decided. Also fails if the post is a repost and its author has
///   reposted the original again.
/// - Fails with [`Error::Forbidden`] for the same callers as [`super::decide()`].
pub async fn undo(app: &App, administrator: &Administrator, id: CaseId, once: &Once) -> Result<CaseView> {
    let undone = once.run_with(app, administrator.id, async || {
        let before = super::find(app, id).await?;
        let outcome = before.decision().ok_or(Error::Invalid("this case is not decided".into()))?;
        check_may_decide(app, administrator, &before, &outcome.all_actions).await?;
        let lifting = match outcome.banned_at {
            Some(at) => {
                let ban = (before.author, at);
                ban::lift_writes(app, administrator, ban, outcome.reason.as_ref()).await?
            }
            None => None,
        };
        let unbanned = lifting.as_ref().map(|lifting| lifting.user.clone());
        let (writes, case) = undo_writes(app, administrator, &before, outcome, lifting).await?;
        Ok((writes, case, unbanned))
    });
    let (case, unbanned) = undone.await?;
    if let Some(user) = unbanned.flatten() {
        accounts::finish_sanction(app, administrator.id, &user).await?;
    }
    super::detail::view(app, case).await
}

async fn undo_writes(
    app: &App,
    administrator: &Administrator,
    before: &Case,
    outcome: &Outcome,
    lifting: Option<SanctionChange>,
) -> Result<(Vec<Write>, Case)> {
    let post = restore::find_post(app, before).await?;
    let is_gone = restore::is_gone(app, before, post.as_ref()).await?;
    let restored = post.filter(|_| !is_gone).map(|post| {
        let state = restore::original(before, post.moderated());
        (post, state)
    });
    let StateWrites { writes: post_writes, author_check, count } = match &restored {
        Some((post, state)) => state_writes(app, post, *state, app.now()).await?,
        None => StateWrites::none(),
    };
    let after = Case { status: ReportStatus::Pending, outcome: None, deleted_at: None, ..before.clone() };
    let record = audit::record_write(app, administrator.id, AuditAction::UndoDecision, before.id, None);
    let record = record.then(&after.settle_chore());
    let record = match &restored {
        Some((post, state)) if state.is_hidden => announced_as_hidden(app, post.then_republish(record), post),
        Some((post, _)) => post.then_republish(record),
        None => record,
    };
    let event = CaseEvent::new(app, before.id, CaseEventKind::Undone, administrator.id);
    let mut writes = vec![after.replace_write(before), record, event.create_write()];
    writes.extend(post_writes);
    let (lift_writes, lift_counts) = lifting.map(|change| (change.writes, change.counts)).unwrap_or_default();
    writes.extend(author_check.filter(|_| lift_writes.is_empty()));
    writes.extend(lift_writes);
    let counts = count.into_iter().chain(lift_counts);
    writes.extend(ledger::statistics::counts_write(before.id.random(), counts));
    if before.author == UserId::NONE {
        writes.push(Write::put(&EvidenceEnd::after(before.id, app.now())));
    }
    let is_hidden = restored.is_some_and(|(_, state)| state.is_hidden);
    writes.extend(author_decision_writes(app, administrator, before, outcome, is_hidden).await?);
    // If the case is about a user, `author_decision_writes` already ends the decision about the ban.
    let banned_at = outcome.banned_at.filter(|_| before.post().is_some());
    writes.extend(ban::end_writes(app, before.author, banned_at).await?);
    Ok((writes, after))
}

/// Returns the writes that update the decision that the author sees. If the undo hides the post again, stores a
/// decision that the author can appeal.
async fn author_decision_writes(
    app: &App,
    administrator: &Administrator,
    case: &Case,
    outcome: &Outcome,
    is_hidden: bool,
) -> Result<Vec<Write>> {
    match (is_hidden, outcome.actions.contains(&CaseAction::Dismiss)) {
        (true, _) => {
            let (decided_by, category) = (Some(administrator.id), case.category());
            let grounds = Grounds { decided_by, reason: None, category };
            let new = NewDecision { action: ShownAction::Hidden, more: Vec::new(), warning: None, grounds };
            author_decision::new_writes(app, case.subject(), new).await
        }
        (false, false) => author_decision::restored_writes(app, case.subject()).await,
        (false, true) => Ok(Vec::new()),
    }
}
