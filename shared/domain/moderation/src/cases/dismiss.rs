//! Dismisses the case of a post after a granted appeal.

use base::ids::{CaseId, UserId};
use platform::{App, Result, table::Write};
use ulid::Ulid;

use super::{
    action::CaseAction,
    close::closing_writes,
    evidence::EvidenceEnd,
    row::{Case, Outcome, key},
};
use crate::{any_post::AnyPost, reports::ReportStatus};

/// Returns the writes that dismiss the case of a post and all reports of the post. Returns no writes if the post was
/// not reported.
pub(crate) async fn dismissal_writes(app: &App, by: UserId, post: &AnyPost) -> Result<Vec<Write>> {
    let id = CaseId::from(Ulid::from(post.id()));
    let Some(before) = app.table.get::<Case>(&key(id)).await? else { return Ok(Vec::new()) };
    let outcome = Outcome::new(ReportStatus::Dismissed, vec![CaseAction::Dismiss], app.now());
    let outcome = Outcome { decided_by: Some(by), before: Some(post.moderated()), ..outcome };
    let mut writes = closing_writes(app, &before, outcome);
    writes.push(Write::put(&EvidenceEnd::after(id, app.now())));
    Ok(writes)
}
