//! The row that logs a change to a circle's HP and EXP.

use base::{ChangeId, CircleId, UserId};
use platform::{Key, Row, Time};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::circle;

/// The cause of a change to a circle's energy.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum EnergyReason {
    /// A post was judged.
    PostQuality,
    /// A user joined for the first time.
    MemberJoin,
    /// A CPR saved the circle.
    CprSurvived,
    /// A member gave karma.
    KarmaSacrifice,
    /// One or more full hours passed.
    Drain,
    /// The owner deleted the circle, or its last member left.
    Deleted,
}

/// A log entry with the effect of a change. A circle's current HP are its initial HP plus the sum of all `hp_delta`.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct EnergyEntry {
    pub(super) id: ChangeId,
    pub(super) circle: CircleId,
    /// The cause of the change.
    pub reason: EnergyReason,
    /// Number of HP that the circle gained. Negative for a loss.
    pub hp_delta: i64,
    /// Number of EXP that the circle gained. Negative if an edit lowered the score of a post.
    pub exp_delta: i64,
    /// HP after the change.
    pub(super) hp: i64,
    /// EXP after the change.
    pub(super) exp: i64,
    /// The user who caused the change, or `None` if no user did, or if the account was deleted.
    pub(super) user_id: Option<UserId>,
    pub(super) created_at: Time,
}

/// Returns the prefix of the sort keys of entries with this reason.
pub(super) fn prefix(reason: EnergyReason) -> &'static str {
    match reason {
        EnergyReason::Drain => "DRAIN#",
        _ => "EXP#",
    }
}

/// `CIRCLE#id / EXP#change`, for a drain `CIRCLE#id / DRAIN#change`
impl Row for EnergyEntry {
    fn key(&self) -> Key {
        Key::new(circle::partition(self.circle), format!("{}{}", prefix(self.reason), self.id))
    }
}
