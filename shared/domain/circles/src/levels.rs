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
        for (exp, level) in [
            (0, 1),
            (199, 1),
            (200, 2),
            (499, 2),
            (500, 3),
            (999, 3),
            (1000, 4),
            (1999, 4),
            (2000, 5),
            (9999, 5),
        ] {
            assert_eq!(Level::of(exp).number, level, "{exp} EXP");
        }
        assert!(Level::of(2000).is_peak() && !Level::of(1999).is_peak());
    }

    #[test]
    fn stages_change_at_30_and_10_percent_without_rounding() {
        use Stage::{Dead, Dying, Healthy, Sick};
        for (hp, max_hp, stage) in [
            (500, 500, Healthy),
            (151, 500, Healthy),
            (150, 500, Sick),
            (50, 500, Sick),
            (49, 500, Dying),
            (1, 500, Dying),
            (0, 500, Dead),
            (196, 650, Healthy),
            (195, 650, Sick),
            (65, 650, Sick),
            (64, 650, Dying),
            (286, 950, Healthy),
            (285, 950, Sick),
            (94, 950, Dying),
        ] {
            assert_eq!(Stage::of(hp, max_hp), stage, "{hp} of {max_hp}");
        }
    }
}
