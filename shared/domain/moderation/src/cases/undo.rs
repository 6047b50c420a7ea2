//! Undoes the latest decision about a case.

use accounts::SuspensionRequest;
use base::ids::CaseId;
use ledger::audit::{self, AuditAction};
use people::users::{self, Administrator, Status};
use platform::{
    App,
    error::{Error, Result},
    idempotency::Once,
    table::Write,
};

use super::{
    action::{CaseAction, CaseActions},
    apply::{StateWrites, announce_hiding, state_writes},
    check::check_may_decide,
    history::{CaseEvent, CaseEventKind},
    row::{Case, Outcome},
    view::CaseView,
};
use crate::{any_post::AnyPost, enforcement, reports::ReportStatus};

/// Undoes the decision about a case, and opens the case again. The post gets its state before the decision, with its
/// counts and lists. A ban by the decision is lifted. A warning stays sent. If the author deleted the post meanwhile, it
/// stays deleted.
///
/// # Errors
/// - Fails with [`Error::NotFound`] if the case does not exist.
/// - Fails with [`Error::Invalid`] if the case is not decided, or if the author has reposted the original again.
/// - Fails with [`Error::Forbidden`] as [`super::decide`] does.
pub async fn undo(app: &App, administrator: &Administrator, id: CaseId, once: &Once) -> Result<CaseView> {
    let undone = once.run(app, administrator.id, async || {
        let before = super::find(app, id).await?;
        let outcome = before.decision().ok_or(Error::Invalid("this case is not decided".into()))?;
        let actions = CaseActions::of(&outcome.actions);
        check_may_decide(app, administrator, &before, &actions).await?;
        lift_ban(app, administrator, &before, outcome).await?;
        undo_writes(app, administrator, &before, outcome).await
    });
    super::detail::view(app, undone.await?).await
}

/// Lifts the ban of a decision if it is still in force.
async fn lift_ban(app: &App, administrator: &Administrator, case: &Case, outcome: &Outcome) -> Result<()> {
    if !outcome.actions.iter().any(|action| action.is_ban()) {
        return Ok(());
    }
    let user = users::find(app, case.author).await?;
    match user.filter(|user| user.status == Status::Banned && user.standing_reason == outcome.reason) {
        Some(user) => {
            let request = SuspensionRequest { reason: outcome.reason.clone() };
            accounts::unlock(app, administrator, user.id, request).await.map(drop)
        }
        None => Ok(()),
    }
}

async fn undo_writes(
    app: &App,
    administrator: &Administrator,
    before: &Case,
    outcome: &Outcome,
) -> Result<(Vec<Write>, Case)> {
    let after = Case { status: ReportStatus::Pending, outcome: None, ..before.clone() };
    let post = match before.post() {
        Some(post) => AnyPost::find(app, post).await?,
        None => None,
    };
    let post = post.filter(|post| !post.is_deleted() || before.has_deleted(post));
    let changed = post.as_ref().zip(outcome.before);
    let StateWrites { writes: post_writes, total } = match changed {
        Some((post, state)) => state_writes(app, post, state).await?,
        None => StateWrites::none(),
    };
    let record = audit::record_write(app, administrator.id, AuditAction::UndoDecision, before.id, None);
    let record = record.then(&after.settle_chore());
    let record = match changed {
        Some((post, state)) => announce_hiding(app, post.then_republish(record), post, state.is_hidden),
        None => record,
    };
    let event = CaseEvent::new(app, before.id, CaseEventKind::Undone, administrator.id);
    let mut writes = vec![after.replace_write(before), record, event.create_write()];
    writes.extend(post_writes);
    writes.extend(ledger::statistics::counts_write(before.id.random(), total));
    if !outcome.actions.contains(&CaseAction::Dismiss) {
        writes.extend(enforcement::restored_writes(app, before.subject()).await?);
    }
    Ok((writes, after))
}
