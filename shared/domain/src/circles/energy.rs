//! A circle's energy: HP, EXP, and when it is next due to lose some, or to be purged.

use platform::{
    App, Result,
    table::{Index, Key, Row},
    time::{HOUR_SECONDS, Time},
};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{Circle, Level, NO_CIRCLE, Stage, circle};
use crate::ids::CircleId;

/// Partitions that circles which fall due are spread over. Never lower it: circles keep their shard.
pub const DUE_SHARDS: u8 = 8;
/// How long the rows of a dead circle stay.
const PURGED_AFTER_SECONDS: i64 = 24 * HOUR_SECONDS;

/// A circle's energy. Level, the most HP and the drain follow from its EXP, which never fall.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Energy {
    /// Whose it is.
    pub circle: CircleId,
    /// HP, from 0 to [`Level::max_hp`].
    pub hp: i64,
    /// EXP.
    pub exp: i64,
    /// HP at their highest.
    pub peak_hp: i64,
    /// Since when it lives.
    pub born_at: Time,
    /// The hour up to which it has lost what it loses by the hour; none before the first.
    pub last_drain_at: Option<Time>,
    /// When somebody last wrote in it.
    pub last_post_at: Option<Time>,
    /// When it died.
    pub died_at: Option<Time>,
    /// Changes so far; each is written under the one before.
    pub version: i64,
    /// How it was when its members were last published, where a drain changed that and they were not published yet.
    #[serde(default, rename = "untold")]
    pub unpublished: Option<Condition>,
}

/// What members are published of when it changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Condition {
    /// How the circle is doing.
    pub stage: Stage,
    /// Its level, 1 to 5.
    pub level: u8,
}

/// What a circle may be due for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Due {
    /// To lose the HP of an hour.
    Drain,
    /// To be purged, having died.
    Purge,
    /// For its CPR to end.
    Cpr,
}

/// A circle's energy, as clients see it.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct EnergyView {
    /// HP.
    #[schema(example = 470)]
    pub current: i64,
    /// The most HP it can have.
    #[schema(example = 500)]
    pub max: i64,
    /// HP in percent of that, rounded down.
    #[schema(example = 94)]
    pub percent: i64,
    /// 1 to 5.
    #[schema(example = 1)]
    pub level: u8,
    /// EXP.
    #[schema(example = 42)]
    pub exp: i64,
    /// EXP missing to the next level; null at the highest.
    #[schema(example = 158)]
    pub exp_to_next: Option<i64>,
    /// How it is doing.
    pub stage: Stage,
    /// Whether it has reached the highest level.
    pub status_peak: bool,
    /// HP lost in an hour.
    #[schema(example = 10)]
    pub drain_rate: i64,
    /// The hour at which it last lost some; null before the first.
    pub last_drain_at: Option<Time>,
    /// When somebody last wrote in it.
    pub last_post_at: Option<Time>,
}

impl Energy {
    /// That of a circle that is born now: all the HP of level 1.
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
            unpublished: None,
        }
    }

    /// Its level.
    pub fn level(&self) -> Level {
        Level::of(self.exp)
    }

    /// The most HP it can have.
    pub fn max_hp(&self) -> i64 {
        self.level().max_hp
    }

    /// How it is doing.
    pub fn stage(&self) -> Stage {
        Stage::of(self.hp, self.max_hp())
    }

    /// What members are published of when it changes.
    pub fn condition(&self) -> Condition {
        Condition { stage: self.stage(), level: self.level().number }
    }

    /// The full hour at which it next loses HP.
    pub fn next_drain_at(&self) -> Time {
        self.last_drain_at.unwrap_or(self.born_at).hour().plus_seconds(HOUR_SECONDS)
    }

    /// For what it is due, and when: while its members are to be published what a drain did, for that drain.
    pub fn due(&self) -> (Due, Time) {
        match (self.unpublished, self.died_at) {
            (Some(_), _) => (Due::Drain, self.last_drain_at.unwrap_or(self.born_at)),
            (None, None) => (Due::Drain, self.next_drain_at()),
            (None, Some(died_at)) => (Due::Purge, died_at.plus_seconds(PURGED_AFTER_SECONDS)),
        }
    }

    /// As clients see it.
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
}

impl Due {
    /// The partition of the index where a shard's circles stand, soonest first: `time#circle`.
    pub fn partition(self, shard: u8) -> String {
        match self {
            Self::Drain => format!("DUE#DRAIN#{shard}"),
            Self::Purge => format!("DUE#PURGE#{shard}"),
            Self::Cpr => format!("DUE#CPR#{shard}"),
        }
    }

    /// Where a circle stands there.
    pub fn place(self, circle: CircleId, at: Time) -> Key {
        let shard = (circle.random() % u128::from(DUE_SHARDS)) as u8;
        Key::new(self.partition(shard), format!("{at}#{circle}"))
    }

    /// The sort key below which a shard's circles are due by `now`.
    pub fn bound(now: Time) -> String {
        // What is due at this very millisecond sorts before it.
        format!("{now}#~")
    }
}

/// All shards.
pub fn due_shards() -> impl Iterator<Item = u8> {
    0..DUE_SHARDS
}

/// A living circle's energy. 1 call, 1 RRU.
///
/// # Errors
/// [`platform::Error::NotFound`] for no such circle, or one that died.
pub async fn energy(app: &App, circle: CircleId) -> Result<Energy> {
    let found: Option<Energy> = app.table.get(&energy_key(circle)).await?;
    found.filter(|it| it.died_at.is_none()).ok_or(NO_CIRCLE)
}

/// A living circle and its energy. 1 call, 2 RRU.
///
/// # Errors
/// [`platform::Error::NotFound`] for no such circle, or one that died.
pub async fn life(app: &App, circle: CircleId) -> Result<(Circle, Energy)> {
    let (key, energy_key) = (circle::key(circle), energy_key(circle));
    let mut found = app.table.get_together(&[key.clone(), energy_key.clone()]).await?;
    let circle = found.take::<Circle>(&key)?.filter(Circle::lives).ok_or(NO_CIRCLE)?;
    Ok((circle, found.take(&energy_key)?.ok_or(NO_CIRCLE)?))
}

/// Where a circle's energy is.
pub fn energy_key(circle: CircleId) -> Key {
    Key::new(circle::pk(circle), "ENERGY")
}

/// `CIRCLE#id / ENERGY`, gsi3 `DUE#DRAIN#shard` or, once dead, `DUE#PURGE#shard` / due time and circle
impl Row for Energy {
    fn key(&self) -> Key {
        energy_key(self.circle)
    }

    fn indexes(&self) -> Vec<(Index, Key)> {
        let (due, at) = self.due();
        vec![(Index::Gsi3, due.place(self.circle, at))]
    }
}
