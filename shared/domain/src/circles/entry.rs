//! The log of a circle's energy.

use platform::{
    table::{Key, Row},
    time::Time,
};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::circle;
use crate::ids::{ChangeId, CircleId, UserId};

/// Why a circle's energy changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum EnergyReason {
    /// A post was judged.
    PostQuality,
    /// Somebody joined for the first time.
    MemberJoin,
    /// It was saved.
    CprSurvived,
    /// Somebody gave karma.
    KarmaSacrifice,
    /// An hour went by, or several.
    Drain,
}

/// A line of a circle's log: what really changed. All `hpDelta` and the first HP sum up to the HP.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct EnergyEntry {
    /// The change.
    pub id: ChangeId,
    /// Of which circle.
    pub circle: CircleId,
    /// Why.
    pub reason: EnergyReason,
    /// HP gained or lost.
    pub hp_delta: i64,
    /// EXP gained.
    pub exp_delta: i64,
    /// Whose doing it was.
    pub user_id: Option<UserId>,
    /// When it was applied.
    pub created_at: Time,
}

/// What the sort keys of the log's lines of a kind begin with.
pub(super) fn prefix(reason: EnergyReason) -> &'static str {
    match reason {
        EnergyReason::Drain => "DRAIN#",
        _ => "EXP#",
    }
}

/// `CIRCLE#id / EXP#change`, a drain `CIRCLE#id / DRAIN#change`
impl Row for EnergyEntry {
    fn key(&self) -> Key {
        Key::new(circle::pk(self.circle), format!("{}{}", prefix(self.reason), self.id))
    }
}
