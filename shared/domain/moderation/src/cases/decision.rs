//! Decisions about cases: the request body, and the internal type.

use accounts::TEMP_BAN_SECONDS;
use base::ReasonText;
use platform::{Error, Result, Time};
use serde::Deserialize;
use utoipa::ToSchema;

use super::action::{CaseAction, CaseActions};
use crate::reports::Report;

/// A decision about a case.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CaseDecision {
    /// The actions to take. At most one of `hide` and `delete`, and at most one of `temp-ban` and `ban`. `dismiss`
    /// cannot be combined with other actions.
    pub actions: CaseActions,
    /// The reason shown to the author.
    pub reason: ReasonText,
    /// A note, visible only to moderators.
    pub note: Option<ReasonText>,
    /// The warning to the author. Required if the actions contain `warn`, otherwise not allowed.
    pub warning: Option<ReasonText>,
    /// The end of the ban. Allowed only with the action `temp-ban`. Default: in 7 days.
    pub banned_until: Option<Time>,
    /// Whether to refuse the decision if the case is already decided. Default false: the new decision replaces the
    /// earlier one.
    #[serde(default)]
    pub pending_only: bool,
}

/// A decision from the routes for cases or from the routes for reports.
#[derive(Clone, Debug)]
pub(crate) struct Decision {
    pub(crate) actions: CaseActions,
    pub(crate) reason: Option<ReasonText>,
    pub(crate) note: Option<ReasonText>,
    pub(crate) warning: Option<ReasonText>,
    pub(crate) banned_until: Option<Time>,
    pub(crate) pending_only: bool,
    /// The report whose route made the decision. Its status changes immediately. `None` if the route of the case made
    /// the decision.
    pub(crate) report: Option<Report>,
}

impl CaseDecision {
    /// Checks that `warning` and `bannedUntil` fit the actions.
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
        let CaseDecision { actions, reason, note, warning, banned_until, pending_only } = decision;
        Self { actions, reason: Some(reason), note, warning, banned_until, pending_only, report: None }
    }
}
