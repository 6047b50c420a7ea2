//! A circle's energy: its HP and EXP, and when it next loses HP or is purged.

use base::{due::Due, ids::CircleId};
use platform::{
    App, Result,
    table::{Index, Key, Row, Write},
    time::{HOUR_SECONDS, Time},
};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{
    EnergyChanged, Level, NO_CIRCLE, Stage, circle,
    discover_sort::{DiscoverPosition, DiscoverSort},
};

/// How long members are not notified of the same stage again.
const QUIET_SECONDS: i64 = 24 * HOUR_SECONDS;
/// How long the rows of a dead circle are kept.
const PURGED_AFTER_SECONDS: i64 = 24 * HOUR_SECONDS;

/// A circle's energy. Its level, maximum HP and hourly drain follow from its EXP, which never falls.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Energy {
    /// The circle.
    pub circle: CircleId,
    /// HP, from 0 to [`Level::max_hp`].
    pub hp: i64,
    /// EXP, from 0.
    pub exp: i64,
    /// The highest HP that it ever had.
    pub peak_hp: i64,
    /// The time of the circle's creation.
    pub born_at: Time,
    /// The full hour up to which the hourly drain is paid; none before the first.
    pub last_drain_at: Option<Time>,
    /// The time of the newest post or comment.
    pub last_post_at: Option<Time>,
    /// The time of its death; none while it lives.
    pub died_at: Option<Time>,
    /// The number of changes so far. A change is written only over the version that it was computed from.
    pub version: i64,
    /// When its members were last notified of a worse stage.
    pub notified: Notified,
}

/// When a circle's members were last notified of each stage.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Notified {
    /// That it is sick.
    pub sick: Option<Time>,
    /// That it is dying.
    pub dying: Option<Time>,
}

/// What is published to members when it changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Condition {
    /// The circle's stage of life.
    pub stage: Stage,
    /// Its level, 1 to 5.
    pub level: u8,
}

/// A circle's energy, as clients see it.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct EnergyView {
    /// Its HP.
    #[schema(example = 470)]
    pub current: i64,
    /// The most HP that it can have.
    #[schema(example = 500)]
    pub max: i64,
    /// HP in percent of the maximum, rounded down.
    #[schema(example = 94)]
    pub percent: i64,
    /// Its level, 1 to 5.
    #[schema(example = 1)]
    pub level: u8,
    /// Its EXP.
    #[schema(example = 42)]
    pub exp: i64,
    /// EXP missing to the next level; null at the highest.
    #[schema(example = 158)]
    pub exp_to_next: Option<i64>,
    /// Its stage of life.
    pub stage: Stage,
    /// Whether it has reached the highest level.
    pub status_peak: bool,
    /// HP lost in an hour.
    #[schema(example = 10)]
    pub drain_rate: i64,
    /// The full hour of the last drain; null before the first.
    pub last_drain_at: Option<Time>,
    /// RFC 3339 time of the newest post or comment.
    pub last_post_at: Option<Time>,
}

impl Energy {
    /// The energy of a circle that is created now: all the HP of level 1.
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

    /// The energy with a note that its members are notified now, where its stage is worse than it was and they were not
    /// notified of it within a day: a circle that swings around a threshold is told of once.
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

    /// Whether its members are notified of its stage, which was another one before.
    pub(super) fn notifies(&self, before: &Self) -> bool {
        self.notified != before.notified || self.died_at.is_some()
    }

    /// The level that its EXP reaches.
    pub fn level(&self) -> Level {
        Level::of(self.exp)
    }

    /// The most HP that it can have.
    pub fn max_hp(&self) -> i64 {
        self.level().max_hp
    }

    /// The stage of life that its HP mean.
    pub fn stage(&self) -> Stage {
        Stage::of(self.hp, self.max_hp())
    }

    /// Its stage and level.
    pub fn condition(&self) -> Condition {
        Condition { stage: self.stage(), level: self.level().number }
    }

    /// The full hour at which it next loses HP.
    pub fn next_drain_at(&self) -> Time {
        self.last_drain_at.unwrap_or(self.born_at).hour().plus_seconds(HOUR_SECONDS)
    }

    /// The full hour at which it dies if nothing saves it.
    pub fn dies_at(&self) -> Time {
        let drains = (self.hp - 1).max(0) / self.level().drain_per_hour;
        self.next_drain_at().plus_seconds(drains * HOUR_SECONDS)
    }

    /// Returns its place among those that are dying; none when it is not.
    pub(super) fn dying(&self) -> Option<DiscoverPosition> {
        let is_dying = self.stage() == Stage::Dying && self.died_at.is_none();
        is_dying.then(|| DiscoverPosition { at: self.dies_at(), circle: self.circle })
    }

    /// The work that is next due, and its time.
    pub fn due(&self) -> (Due, Time) {
        match self.died_at {
            None => (Due::Drain, self.next_drain_at()),
            Some(died_at) => (Due::Purge, died_at.plus_seconds(PURGED_AFTER_SECONDS)),
        }
    }

    /// The energy as clients see it.
    pub fn view(&self) -> EnergyView {
        let level = self.level();
        EnergyView {
            current: self.hp,
            max: level.max_hp,
            percent: self.hp * 100 / level.max_hp,
            level: level.number,
            exp: self.exp,
            exp_to_next: level.next().map(|it| it.exp - self.exp),
            stage: self.stage(),
            status_peak: level.is_peak(),
            drain_rate: level.drain_per_hour,
            last_drain_at: self.last_drain_at,
            last_post_at: self.last_post_at,
        }
    }

    /// The event that the circle's condition was another one before.
    pub(super) fn changed(&self, before: Condition, now: Time) -> EnergyChanged {
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

    /// Fails the transaction when the energy changed since it was read.
    pub(super) fn check_unchanged_write(&self) -> Write {
        Write::check(energy_key(self.circle)).equals("version", self.version).into()
    }

    /// Sets all that a change may change. Fails when the energy changed since `version` was read.
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
/// [`platform::Error::NotFound`] when there is no such circle, or it died.
pub async fn energy(app: &App, circle: CircleId) -> Result<Energy> {
    let found: Option<Energy> = app.table.get(&energy_key(circle)).await?;
    found.filter(|it| it.died_at.is_none()).ok_or(NO_CIRCLE)
}

/// Sets the time of the newest post. Fails with [`NO_CIRCLE`] when the circle died.
pub(super) fn last_post_write(circle: CircleId, at: Time) -> Write {
    Write::update(energy_key(circle)).set("lastPostAt", at).exists().lacks("diedAt").or(NO_CIRCLE)
}

/// The key of a circle's energy.
pub fn energy_key(circle: CircleId) -> Key {
    Key::new(circle::partition(circle), "ENERGY")
}

/// `CIRCLE#id / ENERGY`, gsi3 `DUE#DRAIN#shard` or, once dead, `DUE#PURGE#shard` / due time and circle;
/// while it is dying gsi1 `DYING#shard / death and circle`
impl Row for Energy {
    fn key(&self) -> Key {
        energy_key(self.circle)
    }

    fn indexes(&self) -> Vec<(Index, Key)> {
        let (due, at) = self.due();
        let dying = self.dying().map(|it| DiscoverSort::Dying.index_key(it));
        [(Index::Gsi3, due.index_key(self.circle, at))].into_iter().chain(dying).collect()
    }
}
