//! The history of a case: decisions, notes and assignments.

use base::{CaseEventId, CaseId, PublicUserId, ReasonText, UserId};
use platform::{App, Key, Result, Row, Time, Write};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{
    action::CaseAction,
    row::{Case, Outcome, key, partition},
};

/// The kind of a change to a case.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum CaseEventKind {
    /// A decision.
    Decided,
    /// The latest decision was undone.
    Undone,
    /// The case was assigned, or is no longer assigned.
    Assigned,
    /// Only administrators can decide the case from now on.
    Escalated,
    /// A moderator wrote a note.
    Noted,
    /// The ban of the decision was lifted before its end.
    BanLifted,
    /// The author's appeal against the decision was denied.
    AppealDenied,
}

/// A stored change of a case.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct CaseEvent {
    pub(super) case: CaseId,
    pub(super) id: CaseEventId,
    pub(super) kind: CaseEventKind,
    pub(super) actions: Vec<CaseAction>,
    pub(super) text: Option<ReasonText>,
    pub(super) assignee: Option<UserId>,
    pub(super) by: Option<UserId>,
    pub(super) at: Time,
}

/// A change of a case.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = CaseEvent)]
#[serde(rename_all = "camelCase")]
pub struct CaseEventView {
    /// The ID of the change.
    pub id: CaseEventId,
    /// The kind of change.
    pub kind: CaseEventKind,
    /// The actions of a decision. Empty for other kinds.
    pub actions: Vec<CaseAction>,
    /// The moderator's note, or the reason that the post's author sees. Null if there is none.
    pub text: Option<ReasonText>,
    /// The assigned moderator. Null if the assignment was removed, or for other kinds of changes.
    pub assignee: Option<PublicUserId>,
    /// The moderator who changed the case. Null if the case closed because the user was banned or deleted their account.
    pub by: Option<PublicUserId>,
    /// RFC 3339 time of the change.
    pub at: Time,
}

impl CaseEvent {
    /// Returns a change by the user `by` at the current time.
    pub(super) fn new(app: &App, case: CaseId, kind: CaseEventKind, by: UserId) -> Self {
        let at = app.now();
        let id = app.ids.next(at);
        Self { case, id, kind, actions: Vec::new(), text: None, assignee: None, by: Some(by), at }
    }

    /// Returns the history entry of a case that a ban, a granted appeal or an account deletion decided. `note` is the
    /// note of the appeal's decision.
    pub(super) fn closed(app: &App, case: CaseId, outcome: &Outcome, note: Option<ReasonText>) -> Self {
        let event = Self::new(app, case, CaseEventKind::Decided, UserId::NONE);
        Self { actions: outcome.actions.clone(), text: note, by: outcome.decided_by, ..event }
    }

    pub(super) fn create_write(&self) -> Write {
        Write::create(self)
    }
}

/// Returns the writes that record a denied appeal in the history of the case. Returns no writes if the case does not
/// exist, because the judge and other users can hide a post that was never reported.
pub(crate) async fn denied_appeal_writes(
    app: &App,
    case: Option<CaseId>,
    by: UserId,
    note: Option<ReasonText>,
) -> Result<Vec<Write>> {
    let Some(case) = case else { return Ok(Vec::new()) };
    if app.table.get::<Case>(&key(case)).await?.is_none() {
        return Ok(Vec::new());
    }
    let event = CaseEvent::new(app, case, CaseEventKind::AppealDenied, by);
    Ok(vec![CaseEvent { text: note, ..event }.create_write()])
}

impl From<CaseEvent> for CaseEventView {
    fn from(event: CaseEvent) -> Self {
        let CaseEvent { id, kind, actions, text, assignee, by, at, .. } = event;
        let (assignee, by) = (assignee.map(UserId::public), by.map(UserId::public));
        Self { id, kind, actions, text, assignee, by, at }
    }
}

/// The prefix of the sort keys of changes.
pub(super) const PREFIX: &str = "EVENT#";

/// `CASE#id / EVENT#id`
impl Row for CaseEvent {
    fn key(&self) -> Key {
        Key::new(partition(self.case), format!("{PREFIX}{}", self.id))
    }
}
