//! Circles to find: the newest, the most active, and those that die soonest.
//!
//! A new circle is found at once. Being written in writes nothing more: the hourly drain, which looks at each circle
//! anyway, writes down of those in which something happened since the drain before when that was. A circle that is
//! dying lists itself: its energy is in an index then, under the hour of its death, which stays the same while nobody
//! saves it.

use base::ids::CircleId;
use futures::future::try_join_all;
use platform::{
    App,
    error::{Error, Result},
    page::{Cursor, FillingPage, Page, Take},
    table::{Index, Key, Query, Row, Write},
    time::{HOUR_SECONDS, Time},
};
use serde::{Deserialize, Serialize};
use utoipa::IntoParams;

use super::{
    Circle, CircleView, Energy, Stage, circle,
    discover_sort::{DiscoverAfter, DiscoverPosition, DiscoverSort, SHARDS},
    energy_key,
    list::views_of,
};

/// A month in which nothing happened: the circle is dead by then.
const KEPT_SECONDS: i64 = 30 * 24 * HOUR_SECONDS;

/// The page of circles to find that is requested.
#[derive(Clone, Copy, Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct DiscoverQuery {
    /// `new` (the default), `active` or `dying`.
    #[serde(default)]
    #[param(inline, value_type = Option<DiscoverSort>)]
    pub sort: DiscoverSort,
    /// The number of rows: by default 20, at most 100.
    #[serde(default)]
    #[param(value_type = Option<u8>, default = 20, minimum = 1)]
    pub take: Take,
    /// The `after` of the previous page of the same order.
    #[param(value_type = Option<String>)]
    pub after: Option<DiscoverAfter>,
}

/// When something happened in a circle: its founding, or the newest post.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Activity {
    circle: CircleId,
    born_at: Time,
    at: Time,
}

/// Writes down that a circle was founded.
pub(super) fn founded_write(energy: &Energy) -> Write {
    Write::create(&Activity::founded(energy))
}

/// Writes down when something last happened in a circle, if that was since an hour before the last drain.
pub(super) async fn note(app: &App, energy: &Energy) -> Result<()> {
    let at = energy.last_post_at.unwrap_or(energy.born_at);
    let since = energy.last_drain_at.unwrap_or(energy.born_at).plus_seconds(-HOUR_SECONDS);
    if at < since || energy.died_at.is_some() {
        return Ok(());
    }
    app.table.write(Write::put(&Activity { circle: energy.circle, born_at: energy.born_at, at })).await
}

/// Returns a page of the living circles in an order, as somebody sees them who is in none of them. In which one
/// somebody wrote is known within an hour.
pub async fn discover(app: &App, query: DiscoverQuery) -> Result<Page<CircleView>> {
    let DiscoverQuery { sort, take, after } = query;
    let after = match after {
        Some(DiscoverAfter::Circle(circle)) => Some(sort.position_of(app, circle).await?),
        Some(DiscoverAfter::Position(position)) => Some(position),
        None => None,
    };
    let mut page = FillingPage::new(Cursor { take, after });
    while let Some(Cursor { take, after }) = page.to_read() {
        let found = sort.found(app, after, take.rows() + 1).await?;
        let (last, read) = (found.last().copied(), found.len());
        page.add(shown(app, sort, found).await?, last, read);
    }
    Ok(page.page(|(found, _)| found.to_string()).map(|(_, view)| view))
}

/// Returns those that live, and of the dying ones those that still are.
async fn shown(
    app: &App,
    sort: DiscoverSort,
    found: Vec<DiscoverPosition>,
) -> Result<Vec<(DiscoverPosition, CircleView)>> {
    let ids: Vec<_> = found.iter().map(|it| it.circle).collect();
    let mut views = views_of(app, &ids, Circle::lives, |_| None).await?;
    let is_shown = |it: &CircleView| sort != DiscoverSort::Dying || it.stage == Stage::Dying;
    Ok(found.into_iter().filter_map(|it| Some((it, views.remove(&it.circle).filter(is_shown)?))).collect())
}

impl DiscoverSort {
    /// Returns where a circle is in the list.
    async fn position_of(self, app: &App, circle: CircleId) -> Result<DiscoverPosition> {
        let found = match self {
            Self::Dying => app.table.get::<Energy>(&energy_key(circle)).await?.and_then(|it| it.dying()),
            _ => app.table.get::<Activity>(&key(circle)).await?.map(|it| it.found(self)),
        };
        found.ok_or(Error::invalid("after", "must be a circle of this list"))
    }

    /// Returns the next circles of all shards together.
    async fn found(
        self,
        app: &App,
        after: Option<DiscoverPosition>,
        rows: usize,
    ) -> Result<Vec<DiscoverPosition>> {
        let shards = (0..SHARDS).map(|shard| self.found_in(app, shard, after, rows));
        let mut found: Vec<_> = try_join_all(shards).await?.into_iter().flatten().collect();
        found.sort_unstable();
        if self.is_newest_first() {
            found.reverse();
        }
        found.truncate(rows);
        Ok(found)
    }

    async fn found_in(
        self,
        app: &App,
        shard: u8,
        after: Option<DiscoverPosition>,
        rows: usize,
    ) -> Result<Vec<DiscoverPosition>> {
        let query = Query::index(self.index(), self.partition(shard)).limit(rows);
        let query = match self.is_newest_first() {
            true => query.newest_first().before(after),
            false => query.after(after),
        };
        match self {
            Self::Dying => {
                Ok(app.table.query::<Energy>(&query).await?.iter().filter_map(Energy::dying).collect())
            }
            _ => Ok(app.table.query::<Activity>(&query).await?.iter().map(|it| it.found(self)).collect()),
        }
    }
}

impl Activity {
    /// Returns the founding of a circle.
    pub fn founded(energy: &Energy) -> Self {
        Self { circle: energy.circle, born_at: energy.born_at, at: energy.born_at }
    }

    fn found(&self, sort: DiscoverSort) -> DiscoverPosition {
        let at = if sort == DiscoverSort::New { self.born_at } else { self.at };
        DiscoverPosition { at, circle: self.circle }
    }
}

fn key(circle: CircleId) -> Key {
    Key::new(circle::partition(circle), "ACTIVITY")
}

/// `CIRCLE#id / ACTIVITY`, gsi1 `NEW#shard / founding and circle`, gsi2 `ACTIVE#shard / last activity and circle`; swept
/// after a month
impl Row for Activity {
    fn key(&self) -> Key {
        key(self.circle)
    }

    fn indexes(&self) -> Vec<(Index, Key)> {
        [DiscoverSort::New, DiscoverSort::Active].map(|it| it.index_key(self.found(it))).into()
    }

    fn expires(&self) -> Option<Time> {
        Some(self.at.plus_seconds(KEPT_SECONDS))
    }
}
