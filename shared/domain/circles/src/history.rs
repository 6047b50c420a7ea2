//! A circle's HP over time, as data for a chart.

use base::{ChangeId, CircleId, first_id, time_of};
use platform::{App, Error, HOUR_SECONDS, Query, Result, Time};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::{Energy, EnergyEntry, EnergyReason, Level, Stage, circle, energy, entry};

const DAYS_MAX: u8 = 30;
const HOURS_PER_DAY: i64 = 24;

/// The requested period.
#[derive(Clone, Copy, Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct HistoryQuery {
    /// The number of days. Default 7, maximum 30.
    #[serde(default)]
    #[param(value_type = Option<u8>, default = 7, minimum = 1, maximum = 30)]
    pub days: Days,
}

/// A number of days, 1 to 30.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(try_from = "String")]
pub struct Days(u8);

impl Default for Days {
    fn default() -> Self {
        Self(7)
    }
}

impl TryFrom<String> for Days {
    type Error = &'static str;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        let days = text.parse().ok().filter(|days| (1..=DAYS_MAX).contains(days));
        days.map(Self).ok_or("must be a whole number from 1 to 30")
    }
}

/// A circle's HP at one moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct EnergyPoint {
    /// RFC 3339 time of the point.
    pub at: Time,
    /// HP at that time.
    #[schema(example = 470)]
    pub hp: i64,
    /// Maximum HP at that time.
    #[schema(example = 500)]
    pub max: i64,
    /// The circle's stage of life at that time.
    pub stage: Stage,
}

/// A circle's HP over time.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct EnergyHistory {
    /// The points, oldest first. There is one point after each hourly drain, and one for the current time. The points
    /// of a new circle begin with its creation.
    pub points: Vec<EnergyPoint>,
}

/// Returns a circle's HP after each hourly drain of the period, and its current HP.
///
/// # Errors
/// Fails with [`Error::NotFound`] if the circle does not exist or is dead.
pub async fn energy_history(app: &App, id: CircleId, query: HistoryQuery) -> Result<EnergyHistory> {
    let hours = i64::from(query.days.0) * HOURS_PER_DAY;
    let from = app.now().hour().plus_seconds(-hours * HOUR_SECONDS);
    let (energy, drains) = futures::try_join!(energy::energy(app, id), drains(app, id, from, hours))?;
    let born = (energy.born_at >= from).then(|| EnergyPoint::born(&energy));
    let drained = drains.iter().map(EnergyPoint::drained);
    let points = born.into_iter().chain(drained).chain([EnergyPoint::of(app.now(), energy.hp, energy.exp)]);
    Ok(EnergyHistory { points: points.collect() })
}

/// Returns the log entries of the drains in the `hours` hours after `from`, oldest first.
async fn drains(app: &App, id: CircleId, from: Time, hours: i64) -> Result<Vec<EnergyEntry>> {
    let prefix = entry::prefix(EnergyReason::Drain);
    let low: ChangeId = first_id(from);
    let query =
        Query::partition(circle::partition(id)).between(format!("{prefix}{low}"), format!("{prefix}~"));
    let rows = usize::try_from(hours + 1).map_err(Error::internal)?;
    app.table.query(&query.limit(rows)).await
}

impl EnergyPoint {
    fn of(at: Time, hp: i64, exp: i64) -> Self {
        let max = Level::of(exp).max_hp;
        Self { at, hp, max, stage: Stage::of(hp, max) }
    }

    /// Returns the point for the creation of a circle, which starts with the maximum HP of level 1.
    fn born(energy: &Energy) -> Self {
        Self::of(energy.born_at, Level::of(0).max_hp, 0)
    }

    /// Returns the point after an hourly drain. Its time is the hour at which the drain was due, even if the drain ran
    /// late.
    fn drained(entry: &EnergyEntry) -> Self {
        Self::of(time_of(entry.id), entry.hp, entry.exp)
    }
}
