//! A circle's energy: its HP and EXP, and the time of its next drain or purge.

use base::{CircleId, Due};
use platform::{App, HOUR_SECONDS, Index, Key, Result, Row, Time, Write};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{DiscoverPosition, DiscoverSort, EnergyChanged, Level, NO_CIRCLE, Stage, circle};

/// Minimum time between two notifications that the circle is in the same stage.
const QUIET_SECONDS: i64 = 24 * HOUR_SECONDS;
/// Time between a circle's death and the deletion of its rows.
const PURGE_DELAY_SECONDS: i64 = 24 * HOUR_SECONDS;

/// A circle's energy. The EXP determine the level, the maximum HP and the hourly loss of HP. EXP decrease only if an
/// edit lowers the score of a post.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Energy {
    /// The circle with this energy.
    pub circle: CircleId,
    /// HP, from 0 to [`Level::max_hp`].
    pub hp: i64,
    /// EXP, from 0.
    pub exp: i64,
    /// The highest HP so far.
    pub peak_hp: i64,
    /// The time of the circle's creation.
    pub born_at: Time,
    /// The full hour of the last drain, or `None` before the first drain.
    pub last_drain_at: Option<Time>,
    /// The time of the newest post or comment.
    pub last_post_at: Option<Time>,
    /// The time of the circle's death, or `None` while the circle lives.
    pub died_at: Option<Time>,
    /// The number of changes so far. A change is written only if the stored version has not changed since the read.
    pub version: i64,
    /// The times when members were last notified of a worse stage.
    pub notified: Notified,
}

/// The times when a circle's members were last notified that the circle is sick or dying.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Notified {
    sick: Option<Time>,
    dying: Option<Time>,
}

/// A circle's stage and level. If the stage or level changes, an event is published to the circle's members.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Condition {
    stage: Stage,
    level: u8,
}

/// A circle's energy in responses.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = CircleEnergy)]
#[serde(rename_all = "camelCase")]
pub struct EnergyView {
    /// Current HP.
    #[schema(example = 470)]
    pub current: i64,
    /// Maximum HP.
    #[schema(example = 500)]
    pub max: i64,
    /// HP in percent of the maximum, rounded down.
    #[schema(example = 94)]
    pub percent: i64,
    /// The circle's level, 1 to 5.
    #[schema(example = 1)]
    pub level: u8,
    /// The circle's EXP.
    #[schema(example = 42)]
    pub exp: i64,
    /// EXP needed to reach the next level. Null at the highest level.
    #[schema(example = 158)]
    pub exp_to_next: Option<i64>,
    /// The circle's stage of life.
    pub stage: Stage,
    /// Whether the circle has reached the highest level.
    pub status_peak: bool,
    /// HP lost per hour.
    #[schema(example = 10)]
    pub drain_rate: i64,
    /// The full hour of the last drain, as an RFC 3339 time. Null before the first drain.
    pub last_drain_at: Option<Time>,
    /// RFC 3339 time of the newest post or comment.
    pub last_post_at: Option<Time>,
}

impl Energy {
    /// Returns the energy of a new circle, which starts with the maximum HP of level 1.
    pub fn new(circle: CircleId, now: Time) -> Self {
        let hp = Level::of(0).max_hp;
        Self {
            circle,
            hp,
            exp: 0,
            peak_hp: hp,
            born_at: now,
            last_drain_at: None,
            last_post_at: None,
            died_at: None,
            version: 0,
            notified: Notified::default(),
        }
    }

    /// Returns this energy with updated notification times. If the stage is worse than `before`, sets this stage's time
    /// to `now`, but at most once a day.
    pub(super) fn notifying(self, before: Stage, now: Time) -> Self {
        let stage = self.stage();
        let is_new =
            |at: Option<Time>| stage != before && at.is_none_or(|at| at.plus_seconds(QUIET_SECONDS) <= now);
        let Notified { sick, dying } = self.notified;
        let notified = match stage {
            Stage::Sick if before == Stage::Healthy && is_new(sick) => Notified { sick: Some(now), dying },
            Stage::Dying if is_new(dying) => Notified { sick, dying: Some(now) },
            _ => self.notified,
        };
        Self { notified, ..self }
    }

    /// Returns whether members must be notified of the change from `before` to this energy.
    pub(super) fn notifies(&self, before: &Self) -> bool {
        self.notified != before.notified || self.died_at.is_some()
    }

    /// Returns the circle's level, which depends on its EXP.
    pub fn level(&self) -> Level {
        Level::of(self.exp)
    }

    /// Returns the maximum HP of the circle's level.
    pub fn max_hp(&self) -> i64 {
        self.level().max_hp
    }

    /// Returns the circle's stage, which depends on its HP.
    pub fn stage(&self) -> Stage {
        Stage::of(self.hp, self.max_hp())
    }

    pub(super) fn condition(&self) -> Condition {
        Condition { stage: self.stage(), level: self.level().number }
    }

    /// Returns the full hour of the next drain.
    pub(super) fn next_drain_at(&self) -> Time {
        self.last_drain_at.unwrap_or(self.born_at).hour().plus_seconds(HOUR_SECONDS)
    }

    /// Returns the full hour at which the circle dies if only drains change its HP.
    fn dies_at(&self) -> Time {
        let drains = (self.hp - 1).max(0) / self.level().drain_per_hour;
        self.next_drain_at().plus_seconds(drains * HOUR_SECONDS)
    }

    /// Returns the circle's position in the list of dying circles, or `None` if the circle is not dying.
    pub(super) fn dying_position(&self) -> Option<DiscoverPosition> {
        let is_dying = self.stage() == Stage::Dying && self.died_at.is_none();
        is_dying.then(|| DiscoverPosition { at: self.dies_at(), circle: self.circle })
    }

    /// Returns the next scheduled work (a drain or the purge) and its time.
    pub(super) fn due(&self) -> (Due, Time) {
        match self.died_at {
            None => (Due::Drain, self.next_drain_at()),
            Some(died_at) => (Due::Purge, died_at.plus_seconds(PURGE_DELAY_SECONDS)),
        }
    }

    /// Returns the energy for a response.
    pub fn view(&self) -> EnergyView {
        let level = self.level();
        EnergyView {
            current: self.hp,
            max: level.max_hp,
            percent: self.hp * 100 / level.max_hp,
            level: level.number,
            exp: self.exp,
            exp_to_next: level.next().map(|next| next.exp - self.exp),
            stage: self.stage(),
            status_peak: level.is_peak(),
            drain_rate: level.drain_per_hour,
            last_drain_at: self.last_drain_at,
            last_post_at: self.last_post_at,
        }
    }

    pub(super) fn changed_event(&self, before: Condition, now: Time) -> EnergyChanged {
        EnergyChanged {
            circle_id: self.circle,
            previous_stage: before.stage,
            stage: self.stage(),
            previous_level: before.level,
            level: self.level().number,
            current: self.hp,
            max: self.max_hp(),
            created_at: now,
        }
    }

    /// Returns the check that fails the transaction if the energy changed after it was read.
    pub(super) fn check_unchanged_write(&self) -> Write {
        Write::check(energy_key(self.circle)).equals("version", self.version).into()
    }

    /// Returns the write that sets all fields that a [`super::Change`] can affect. The write fails if the stored
    /// version is not `version`.
    pub(super) fn change_write(&self, version: i64) -> Write {
        Write::reindex(self)
            .set("hp", self.hp)
            .set("exp", self.exp)
            .set("peakHp", self.peak_hp)
            .set_or_remove("lastDrainAt", self.last_drain_at)
            .set_or_remove("diedAt", self.died_at)
            .set("notified", self.notified)
            .set("version", self.version)
            .equals("version", version)
    }
}

/// Returns the energy of a living circle.
///
/// # Errors
/// Fails with [`platform::Error::NotFound`] if the circle does not exist or is dead.
pub async fn energy(app: &App, circle: CircleId) -> Result<Energy> {
    let found: Option<Energy> = app.table.get(&energy_key(circle)).await?;
    found.filter(|energy| energy.died_at.is_none()).ok_or(NO_CIRCLE)
}

/// Returns the write that sets the time of the newest post. The write fails with [`NO_CIRCLE`] if the circle is dead.
pub(super) fn last_post_write(circle: CircleId, at: Time) -> Write {
    Write::update(energy_key(circle)).set("lastPostAt", at).exists().lacks("diedAt").or(NO_CIRCLE)
}

/// Returns the key of a circle's energy.
pub fn energy_key(circle: CircleId) -> Key {
    Key::new(circle::partition(circle), "ENERGY")
}

/// `CIRCLE#id / ENERGY`
///
/// - gsi1 `DYING#shard / death and circle`, while the circle is dying
/// - gsi3 `DUE#DRAIN#shard / due time and circle`, while the circle lives
/// - gsi3 `DUE#PURGE#shard / due time and circle`, once the circle is dead
impl Row for Energy {
    fn key(&self) -> Key {
        energy_key(self.circle)
    }

    fn indexes(&self) -> Vec<(Index, Key)> {
        let (due, at) = self.due();
        let dying = self.dying_position().map(|position| DiscoverSort::Dying.index_key(position));
        [(Index::Gsi3, due.index_key(self.circle, at))].into_iter().chain(dying).collect()
    }
}
