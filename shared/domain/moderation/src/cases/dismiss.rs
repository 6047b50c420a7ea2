//! Dismisses the case of a post after a granted appeal.

use base::ids::{CaseId, UserId};
use platform::{App, Result, outbox::outbox_record_write, table::Write};
use ulid::Ulid;

use super::{
    action::CaseAction,
    evidence::EvidenceEnd,
    history::CaseEvent,
    row::{Case, Outcome, key},
};
use crate::{any_post::AnyPost, reports::ReportStatus};

/// Returns the writes that dismiss the case of a post, and answer its reports. Returns no writes if the post was not
/// reported.
pub(crate) async fn dismissal_writes(app: &App, by: UserId, post: &AnyPost) -> Result<Vec<Write>> {
    let id = CaseId::from(Ulid::from(post.id()));
    let Some(before) = app.table.get::<Case>(&key(id)).await? else { return Ok(Vec::new()) };
    let outcome = Outcome {
        status: ReportStatus::Dismissed,
        actions: vec![CaseAction::Dismiss],
        all_actions: Vec::new(),
        reason: None,
        note: None,
        warning: None,
        banned_until: None,
        banned_at: None,
        decided_by: Some(by),
        decided_at: app.now(),
        before: Some(post.moderated()),
    };
    let event = CaseEvent { by: Some(by), ..CaseEvent::closed(app, id, outcome.actions.clone()) };
    let after = Case { status: outcome.status, outcome: Some(outcome), ..before.clone() };
    let end = EvidenceEnd::after(id, app.now());
    let record = outbox_record_write(app).then(&after.settle_chore());
    Ok(vec![after.replace_write(&before), record, event.create_write(), Write::put(&end)])
}
