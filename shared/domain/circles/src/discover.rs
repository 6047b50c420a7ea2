//! Lists for discovering circles: the newest, the most active, and the dying.
//!
//! A new circle is listed immediately. Writing a post does not update the lists. Instead, the job that removes HP every
//! hour records each circle's last activity. A dying circle is listed by the hour at which it dies unless it gains HP.
//! This hour is an index key of the energy row.

use base::CircleId;
use futures::future::try_join_all;
use platform::{
    App, Cursor, Error, FillingPage, HOUR_SECONDS, Index, Key, Page, Query, Result, Row, Take, Time, Write,
};
use serde::{Deserialize, Serialize};
use utoipa::IntoParams;

use super::{
    Circle, CircleView, Energy, Stage, circle,
    discover_sort::{DiscoverAfter, DiscoverPosition, DiscoverSort, SHARDS},
    energy_key,
    list::views_of,
};

/// Lifetime of the activity row. A circle without activity is dead before the row expires.
const LIFETIME_SECONDS: i64 = 30 * 24 * HOUR_SECONDS;

/// The requested page of circles.
#[derive(Clone, Copy, Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct DiscoverQuery {
    /// `new` (the default), `active` or `dying`. A cursor is valid only for the same `sort`.
    #[serde(default)]
    #[param(inline, value_type = Option<DiscoverSort>)]
    pub sort: DiscoverSort,
    /// Number of rows to return.
    #[serde(default)]
    #[param(value_type = Option<u8>, default = 20, minimum = 1)]
    pub take: Take,
    /// Position of the last row before the page.
    #[param(value_type = Option<String>)]
    pub after: Option<DiscoverAfter>,
}

/// The times at which a circle was founded and last active.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Activity {
    circle: CircleId,
    born_at: Time,
    /// The time of the newest post, or of the founding if there is no post.
    at: Time,
}

/// Returns the write that creates the activity row of a new circle.
pub(super) fn founded_write(circle: CircleId, born_at: Time) -> Write {
    Write::create(&Activity { circle, born_at, at: born_at })
}

/// Writes the time of a circle's last activity, unless an earlier run of the hourly job has already written it.
pub(super) async fn record_activity(app: &App, energy: &Energy) -> Result<()> {
    let at = energy.last_post_at.unwrap_or(energy.born_at);
    let since = energy.last_drain_at.unwrap_or(energy.born_at).plus_seconds(-HOUR_SECONDS);
    if at < since || energy.died_at.is_some() {
        return Ok(());
    }
    app.table.write(Write::put(&Activity { circle: energy.circle, born_at: energy.born_at, at })).await
}

/// Returns a page of living circles in the requested order, as a non-member sees them. The times of their last activity
/// may be up to an hour old.
pub async fn discover(app: &App, query: DiscoverQuery) -> Result<Page<CircleView>> {
    let DiscoverQuery { sort, take, after } = query;
    let after = match after {
        Some(DiscoverAfter::Circle(circle)) => Some(sort.position_of(app, circle).await?),
        Some(DiscoverAfter::Position(position)) => Some(position),
        None => None,
    };
    let mut page = FillingPage::new(Cursor { take, after });
    while let Some(Cursor { take, after }) = page.to_read() {
        let positions = sort.positions(app, after, take.rows() + 1).await?;
        let (last, read) = (positions.last().copied(), positions.len());
        page.add(views_at(app, sort, positions).await?, last, read);
    }
    Ok(page.page(|(position, _)| position.to_string()).map(|(_, view)| view))
}

/// Returns the views of the living circles at `positions`. The list of dying circles omits circles that are no longer
/// dying.
async fn views_at(
    app: &App,
    sort: DiscoverSort,
    positions: Vec<DiscoverPosition>,
) -> Result<Vec<(DiscoverPosition, CircleView)>> {
    let ids: Vec<_> = positions.iter().map(|position| position.circle).collect();
    let mut views = views_of(app, &ids, Circle::is_alive, |_| None).await?;
    let is_shown = |view: &CircleView| sort != DiscoverSort::Dying || view.stage == Stage::Dying;
    Ok(positions
        .into_iter()
        .filter_map(|position| Some((position, views.remove(&position.circle).filter(is_shown)?)))
        .collect())
}

impl DiscoverSort {
    /// Returns the position of a circle in the list with this order. Fails with [`Error::Invalid`] if the circle is not
    /// in the list.
    async fn position_of(self, app: &App, circle: CircleId) -> Result<DiscoverPosition> {
        let position = match self {
            Self::Dying => {
                let energy = app.table.get::<Energy>(&energy_key(circle)).await?;
                energy.and_then(|energy| energy.dying_position())
            }
            _ => app.table.get::<Activity>(&key(circle)).await?.map(|activity| activity.position(self)),
        };
        position.ok_or(Error::invalid("after", "must be a circle in this list"))
    }

    /// Returns the first `rows` positions after `after`, merged from all shards.
    async fn positions(
        self,
        app: &App,
        after: Option<DiscoverPosition>,
        rows: usize,
    ) -> Result<Vec<DiscoverPosition>> {
        let shards = (0..SHARDS).map(|shard| self.positions_in(app, shard, after, rows));
        let mut positions: Vec<_> = try_join_all(shards).await?.into_iter().flatten().collect();
        positions.sort_unstable();
        if self.is_newest_first() {
            positions.reverse();
        }
        positions.truncate(rows);
        Ok(positions)
    }

    async fn positions_in(
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
                let energies = app.table.query::<Energy>(&query).await?;
                Ok(energies.iter().filter_map(Energy::dying_position).collect())
            }
            _ => {
                let activities = app.table.query::<Activity>(&query).await?;
                Ok(activities.iter().map(|activity| activity.position(self)).collect())
            }
        }
    }
}

impl Activity {
    fn position(&self, sort: DiscoverSort) -> DiscoverPosition {
        let at = if sort == DiscoverSort::New { self.born_at } else { self.at };
        DiscoverPosition { at, circle: self.circle }
    }
}

fn key(circle: CircleId) -> Key {
    Key::new(circle::partition(circle), "ACTIVITY")
}

/// `CIRCLE#id / ACTIVITY`, kept for a month after the last activity
///
/// - gsi1 `NEW#shard / founding and circle`
/// - gsi2 `ACTIVE#shard / last activity and circle`
impl Row for Activity {
    fn key(&self) -> Key {
        key(self.circle)
    }

    fn indexes(&self) -> Vec<(Index, Key)> {
        [DiscoverSort::New, DiscoverSort::Active].map(|sort| sort.index_key(self.position(sort))).into()
    }

    fn expires(&self) -> Option<Time> {
        Some(self.at.plus_seconds(LIFETIME_SECONDS))
    }
}
