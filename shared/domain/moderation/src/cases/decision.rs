//! A decision about a case, as requests make it.

use accounts::TEMP_BAN_SECONDS;
use base::reasons::ReasonText;
use platform::{
    error::{Error, Result},
    time::Time,
};
use serde::Deserialize;
use utoipa::ToSchema;

use super::action::{CaseAction, CaseActions};
use crate::reports::Report;

/// A decision about a case.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CaseDecision {
    /// The actions to take. At most one of `dismiss`, `hide` and `delete`, and at most one of `temp-ban` and `ban`.
    /// `dismiss` stands alone.
    pub actions: CaseActions,
    /// The reason shown to the author.
    pub reason: ReasonText,
    /// A note, visible only to moderators.
    pub note: Option<ReasonText>,
    /// The warning to the author. Required with `warn`, and only allowed with it.
    pub warning: Option<ReasonText>,
    /// The end of the ban. Only allowed with `temp-ban`. Default: in 7 days.
    pub banned_until: Option<Time>,
}

/// A decision, as the routes for cases and for reports make it.
#[derive(Clone, Debug)]
pub(crate) struct Decision {
    pub(crate) actions: CaseActions,
    pub(crate) reason: Option<ReasonText>,
    pub(crate) note: Option<ReasonText>,
    pub(crate) warning: Option<ReasonText>,
    pub(crate) banned_until: Option<Time>,
    /// The decided report, which gets its status at once. `None` if the case was decided as a whole.
    pub(crate) report: Option<Report>,
}

impl CaseDecision {
    /// Checks that the fields belong to the actions.
    pub(super) fn check(&self) -> Result<()> {
        let (warns, bans) = (self.actions.has(CaseAction::Warn), self.actions.has(CaseAction::TempBan));
        match (&self.warning, self.banned_until) {
            (None, _) if warns => Err(Error::invalid("warning", "is required with the action warn")),
            (Some(_), _) if !warns => Err(Error::invalid("warning", "is allowed only with the action warn")),
            (_, Some(_)) if !bans => {
                Err(Error::invalid("bannedUntil", "is allowed only with the action temp-ban"))
            }
            _ => Ok(()),
        }
    }
}

impl Decision {
    /// Returns the end of the ban at `now`. A temporary ban without an end lasts 7 days, and a permanent ban has none.
    pub(super) fn ban_end(&self, now: Time) -> Option<Time> {
        let end = self.banned_until.unwrap_or(now.plus_seconds(TEMP_BAN_SECONDS));
        self.actions.has(CaseAction::TempBan).then_some(end)
    }
}

impl From<CaseDecision> for Decision {
    fn from(decision: CaseDecision) -> Self {
        let CaseDecision { actions, reason, note, warning, banned_until } = decision;
        Self { actions, reason: Some(reason), note, warning, banned_until, report: None }
    }
}
