//! Dismisses the case of a post after a granted appeal.

use base::{PostId, ReasonText, UserId};
use platform::{App, Result, Write};
use posts::Moderated;

use super::{Case, CaseAction, EvidenceEnd, Outcome, close::closing_writes, restore, row::key};
use crate::{AnyPost, AuthorDecision, Decider, ReportStatus};

/// Returns the writes that dismiss the case about `id` and all its reports. `hidden` is the post to show again, and the
/// decision that hid the post. `None` leaves the post unchanged. `note` is the note of the appeal's decision.
pub(crate) async fn dismissal_writes(
    app: &App,
    (by, note): (UserId, Option<ReasonText>),
    id: PostId,
    hidden: Option<(&AnyPost, &AuthorDecision)>,
) -> Result<Vec<Write>> {
    let id = Case::id_for(id);
    let case = app.table.get::<Case>(&key(id)).await?;
    let shown = hidden.map(|(post, hidden)| shown_write(app, case.as_ref(), post, hidden.decider));
    let Some(before) = case else { return Ok(shown.into_iter().collect()) };
    let outcome = Outcome::new(ReportStatus::Dismissed, vec![CaseAction::Dismiss], app.now());
    let state = hidden.map(|(post, _)| post.moderated());
    let outcome = Outcome { decided_by: Some(by), before: state, ..outcome };
    let mut writes = closing_writes(app, &before, outcome, note);
    writes.push(Write::put(&EvidenceEnd::after(id, app.now())));
    writes.extend(shown);
    Ok(writes)
}

/// Returns the write that shows a post again after this decider hid the post. If moderators decided the case, the write
/// also reverts the other actions of the case.
fn shown_write(app: &App, case: Option<&Case>, post: &AnyPost, decider: Decider) -> Write {
    match case.filter(|_| decider != Decider::User) {
        Some(case) => {
            let original = restore::original(case, post.moderated());
            post.moderate_write(Moderated { is_hidden: false, deleted_at: None, ..original }, app.now())
        }
        None => post.shown_write(decider).set("moderatedAt", app.now()),
    }
}
