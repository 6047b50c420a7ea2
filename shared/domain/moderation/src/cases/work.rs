//! The work on a case before its decision: assignment, notes and escalation.

use base::{CaseId, ReasonText, UserId};
use ledger::audit::{self, AuditAction};
use people::UserRef;
use platform::{App, Error, Once, Result, Row, Write, decode::present};
use serde::Deserialize;
use utoipa::ToSchema;

use super::{
    Case, CaseEvent, CaseEventKind, CaseLink, CaseView, Relation, check::check_is_not_about,
    people::find_moderator,
};

/// A request to assign a case.
#[derive(Clone, Debug, Default, Deserialize, ToSchema)]
pub struct CaseAssignment {
    /// The moderator. `null` removes the assignment. Default: the caller.
    #[serde(default, deserialize_with = "present")]
    #[schema(value_type = Option<UserRef>)]
    pub assignee: Option<Option<UserRef>>,
}

/// A note about a case.
#[derive(Clone, Debug, Deserialize, ToSchema)]
pub struct CaseNote {
    /// The note, visible only to moderators.
    pub text: ReasonText,
}

/// Assigns a case to a moderator, or removes the assignment. Has no effect if the assignment does not change.
///
/// # Errors
/// Fails with [`Error::NotFound`] if the case does not exist. Fails with [`Error::Invalid`] if the user is not a
/// moderator, or is the reported user.
pub async fn assign(
    app: &App,
    caller: UserId,
    id: CaseId,
    assignment: CaseAssignment,
    once: &Once,
) -> Result<CaseView> {
    let assignee = match &assignment.assignee {
        None => Some(caller),
        Some(None) => None,
        Some(Some(user)) => Some(find_moderator(app, user).await?),
    };
    let assigned = once.run(app, caller, async || {
        let before = super::find(app, id).await?;
        check_is_not_about(caller, &before)?;
        if assignee == Some(before.author) {
            return Err(Error::invalid("assignee", "must not be the reported user"));
        }
        let after = Case { assignee, ..before.clone() };
        if before.assignee == assignee {
            return Ok((Vec::new(), after));
        }
        let link = |user| CaseLink::new(user, Relation::Assigned, id);
        let event = CaseEvent::new(app, id, CaseEventKind::Assigned, caller);
        let event = CaseEvent { assignee, ..event };
        let record = audit::record_write(app, caller, AuditAction::AssignCase, id, None);
        let mut writes = vec![after.replace_write(&before), event.create_write(), record];
        writes.extend(before.assignee.map(|user| Write::delete(link(user).key()).into()));
        writes.extend(assignee.map(|user| Write::put(&link(user))));
        Ok((writes, after))
    });
    super::detail::view(app, assigned.await?).await
}

/// Writes a note about a case.
///
/// # Errors
/// Fails with [`Error::NotFound`] if the case does not exist.
pub async fn note(app: &App, caller: UserId, id: CaseId, note: CaseNote, once: &Once) -> Result<CaseView> {
    let noted = once.run(app, caller, async || {
        let case = super::find(app, id).await?;
        check_is_not_about(caller, &case)?;
        let event = CaseEvent::new(app, id, CaseEventKind::Noted, caller);
        let record = audit::record_write(app, caller, AuditAction::NoteCase, id, None);
        Ok((vec![CaseEvent { text: Some(note.text.clone()), ..event }.create_write(), record], case))
    });
    super::detail::view(app, noted.await?).await
}

/// Escalates a case, so that only administrators can decide it. Has no effect if the case is already escalated.
///
/// # Errors
/// Fails with [`Error::NotFound`] if the case does not exist. Fails with [`Error::Invalid`] if the case is decided.
pub async fn escalate(app: &App, caller: UserId, id: CaseId, once: &Once) -> Result<CaseView> {
    let escalated = once.run(app, caller, async || {
        let before = super::find(app, id).await?;
        check_is_not_about(caller, &before)?;
        if before.decision().is_some() {
            return Err(Error::Invalid("this case is decided. Undo the decision first.".into()));
        }
        let after = Case { is_escalated: true, ..before.clone() };
        if before.is_escalated {
            return Ok((Vec::new(), after));
        }
        let event = CaseEvent::new(app, id, CaseEventKind::Escalated, caller);
        let record = audit::record_write(app, caller, AuditAction::EscalateCase, id, None);
        Ok((vec![after.replace_write(&before), event.create_write(), record], after))
    });
    super::detail::view(app, escalated.await?).await
}
