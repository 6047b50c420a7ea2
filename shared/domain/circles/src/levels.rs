//! A circle's level depends on its EXP, and its stage on its HP.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

const SICK_PERCENT: i64 = 30;
const DYING_PERCENT: i64 = 10;

/// A level of a circle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Level {
    /// The level's number, 1 to 5.
    pub number: u8,
    /// Minimum EXP of the level.
    pub exp: i64,
    /// Maximum HP.
    pub max_hp: i64,
    /// HP lost per hour.
    pub drain_per_hour: i64,
}

/// All levels, lowest first.
const LEVELS: [Level; 5] = [
    Level { number: 1, exp: 0, max_hp: 500, drain_per_hour: 10 },
    Level { number: 2, exp: 200, max_hp: 650, drain_per_hour: 9 },
    Level { number: 3, exp: 500, max_hp: 800, drain_per_hour: 8 },
    Level { number: 4, exp: 1000, max_hp: 950, drain_per_hour: 7 },
    Level { number: 5, exp: 2000, max_hp: 1000, drain_per_hour: 6 },
];

impl Level {
    /// Returns the level of a circle with `exp` EXP.
    pub fn of(exp: i64) -> Self {
        LEVELS.into_iter().rev().find(|level| level.exp <= exp).unwrap_or(LEVELS[0])
    }

    /// Returns the next level, or `None` for the highest level.
    pub fn next(self) -> Option<Self> {
        LEVELS.into_iter().find(|level| level.number > self.number)
    }

    /// Returns the maximum number of CPRs of a circle per ISO week.
    pub fn cprs_per_week(self) -> i64 {
        match self.number {
            1 => 0,
            2 => 1,
            _ => 2,
        }
    }

    /// Returns whether this is the highest level.
    pub fn is_peak(self) -> bool {
        self.next().is_none()
    }
}

/// A circle's stage of life, which depends on its HP as a percentage of the maximum HP.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[schema(as = CircleStage)]
pub enum Stage {
    /// More than 30 % of the maximum HP.
    Healthy,
    /// 10 % to 30 % of the maximum HP.
    Sick,
    /// Less than 10 % of the maximum HP. A CPR can start.
    Dying,
    /// 0 HP.
    Dead,
}

impl Stage {
    /// Returns the stage for `hp` of `max_hp`. Does not round the percentage.
    pub fn of(hp: i64, max_hp: i64) -> Self {
        match hp * 100 {
            percents if percents > SICK_PERCENT * max_hp => Self::Healthy,
            percents if percents >= DYING_PERCENT * max_hp => Self::Sick,
            _ if hp > 0 => Self::Dying,
            _ => Self::Dead,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_level_starts_exactly_at_its_minimum_exp() {
        for (level, exps) in
            [(1, [0, 199]), (2, [200, 499]), (3, [500, 999]), (4, [1000, 1999]), (5, [2000, 9999])]
        {
            for exp in exps {
                assert_eq!(Level::of(exp).number, level, "{exp} EXP");
            }
        }
        assert!(Level::of(2000).is_peak() && !Level::of(1999).is_peak());
    }

    #[test]
    fn stages_change_at_30_and_10_percent_without_rounding() {
        use Stage::{Dead, Dying, Healthy, Sick};
        for (max_hp, healthy, sick) in [(500, 151, 50), (650, 196, 65), (950, 286, 95)] {
            for (stage, lowest, highest) in
                [(Healthy, healthy, max_hp), (Sick, sick, healthy - 1), (Dying, 1, sick - 1), (Dead, 0, 0)]
            {
                for hp in [lowest, highest] {
                    assert_eq!(Stage::of(hp, max_hp), stage, "{hp} of {max_hp}");
                }
            }
        }
    }
}
