//! Closes the pending cases about a user who is banned permanently.

use base::{ReasonText, UserId};
use platform::{App, Error, Index, Query, Result, Write, outbox_record_write};

use super::{Case, CaseAction, CaseEvent, EvidenceEnd, Outcome, row::NAMED};
use crate::ReportStatus;

/// Cases per page.
const PAGE_ROWS: usize = 25;

/// Closes the pending cases in a page of the cases about a user. Returns the cursor of the next page. Repeating a page
/// has no effect.
pub async fn close_page(app: &App, user: UserId, after: Option<String>) -> Result<Option<String>> {
    let query = Query::index(Index::Gsi3, user.named()).prefix_from(NAMED, after);
    let cases: Vec<Case> = app.table.query(&query.limit(PAGE_ROWS)).await?;
    for case in cases.iter().filter(|case| case.status == ReportStatus::Pending) {
        close(app, case).await?;
    }
    let last = cases.last().filter(|_| cases.len() == PAGE_ROWS);
    // `!` sorts before all characters of a key, so the next page starts right after this page's last case.
    Ok(last.map(|case| format!("{NAMED}{}!", case.first_report)))
}

/// Closes a case. Ignores a conflict, which means that a moderator decided the case or a new report arrived.
async fn close(app: &App, before: &Case) -> Result<()> {
    let outcome = Outcome::new(ReportStatus::Resolved, vec![CaseAction::Ban], app.now());
    let mut writes = closing_writes(app, before, outcome, None);
    writes.push(Write::put(&EvidenceEnd::after(before.id, app.now())));
    match app.table.transact(writes).await {
        Err(Error::WriteConflict) => Ok(()),
        closed => closed,
    }
}

/// Returns the writes that decide a case because of a ban, an appeal or an account deletion, and settle its reports.
/// `note` is the note of the appeal's decision.
pub(super) fn closing_writes(
    app: &App,
    before: &Case,
    outcome: Outcome,
    note: Option<ReasonText>,
) -> Vec<Write> {
    let event = CaseEvent::closed(app, before.id, &outcome, note);
    let after = Case { status: outcome.status, outcome: Some(outcome), ..before.clone() };
    let record = outbox_record_write(app).then(&after.settle_chore());
    vec![after.replace_write(before), record, event.create_write()]
}
