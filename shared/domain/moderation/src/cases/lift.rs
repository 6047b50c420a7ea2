//! Records in a case that the ban of its decision was lifted before its end.

use base::{CaseId, ReasonText, UserId};
use platform::{App, Result, Time, Write};

use super::{Case, CaseEvent, CaseEventKind, Outcome, row::key};

/// Returns the writes that record the end of a ban in its case. `ban` consists of the case and the time of the ban.
/// `note` is the note of the appeal's decision. Returns no writes without a case, or if a later decision replaced the
/// ban.
pub(crate) async fn lifted_writes(
    app: &App,
    ban: Option<(CaseId, Time)>,
    (by, note): (UserId, Option<ReasonText>),
) -> Result<Vec<Write>> {
    let Some((case, banned_at)) = ban else { return Ok(Vec::new()) };
    let Some(before) = app.table.get::<Case>(&key(case)).await? else { return Ok(Vec::new()) };
    let Some(outcome) = before.outcome.clone().filter(|outcome| outcome.banned_at == Some(banned_at)) else {
        return Ok(Vec::new());
    };
    let outcome = Outcome { lifted_at: Some(app.now()), ..outcome };
    let after = Case { outcome: Some(outcome), ..before.clone() };
    let event = CaseEvent::new(app, case, CaseEventKind::BanLifted, by);
    let event = CaseEvent { text: note, ..event };
    Ok(vec![after.replace_write(&before), event.create_write()])
}
