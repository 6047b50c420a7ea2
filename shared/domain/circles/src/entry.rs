//! The row of a change in the log of a circle's energy.

use base::ids::{ChangeId, CircleId, UserId};
use platform::{
    table::{Key, Row},
    time::Time,
};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::circle;

/// Why a circle's energy changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum EnergyReason {
    /// A post was judged.
    PostQuality,
    /// A user joined for the first time.
    MemberJoin,
    /// A CPR saved it.
    CprSurvived,
    /// A member gave karma.
    KarmaSacrifice,
    /// One or more full hours passed.
    Drain,
    /// Its owner deleted it.
    Deleted,
}

/// A log entry: what a change did. The first HP and all `hpDelta` sum up to the present HP.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct EnergyEntry {
    /// The id of the change.
    pub id: ChangeId,
    /// The circle.
    pub circle: CircleId,
    /// What caused it.
    pub reason: EnergyReason,
    /// HP gained; lost when negative.
    pub hp_delta: i64,
    /// EXP gained.
    pub exp_delta: i64,
    /// HP after the change.
    pub hp: i64,
    /// EXP after the change.
    pub exp: i64,
    /// The user who caused it.
    pub user_id: Option<UserId>,
    /// The time at which it was applied.
    pub created_at: Time,
}

/// The prefix of the sort keys of entries with this reason.
pub(super) fn prefix(reason: EnergyReason) -> &'static str {
    match reason {
        EnergyReason::Drain => "DRAIN#",
        _ => "EXP#",
    }
}

/// `CIRCLE#id / EXP#change`, a drain `CIRCLE#id / DRAIN#change`
impl Row for EnergyEntry {
    fn key(&self) -> Key {
        Key::new(circle::partition(self.circle), format!("{}{}", prefix(self.reason), self.id))
    }
}
