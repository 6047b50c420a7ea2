//! What people did to a circle's energy, line by line.

use platform::{
    App, Result,
    page::{Page, Take},
    table::Query,
    time::Time,
};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::{EnergyEntry, EnergyReason, circle, energy, entry};
use crate::ids::{ChangeId, CircleId, UserId};

/// Which page.
#[derive(Clone, Copy, Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct LogQuery {
    /// Lines wanted: 20 unless said, 100 at most; `take` is another name for it.
    #[serde(default, alias = "take")]
    #[param(value_type = Option<u8>, default = 20, minimum = 1, maximum = 100)]
    pub limit: Take,
    /// The `nextCursor` of the page before; `after` is another name for it.
    #[serde(alias = "after")]
    #[param(value_type = Option<String>)]
    pub cursor: Option<ChangeId>,
}

/// A line of the log.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct LogLine {
    /// EXP gained.
    #[schema(example = 5)]
    pub exp_delta: i64,
    /// HP gained or lost.
    #[schema(example = 0)]
    pub hp_delta: i64,
    /// Why.
    pub reason: EnergyReason,
    /// When.
    pub created_at: Time,
    /// Whose doing it was.
    pub user_id: Option<UserId>,
}

/// A page of the log.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Log {
    /// The newest first.
    pub logs: Vec<LogLine>,
    /// The `cursor` of the next page; null on the last.
    pub next_cursor: Option<String>,
}

/// A page of what changed a circle's EXP, the newest first; what it lost by the hour is not in it. 2 calls:
/// 1 RRU, and 0.5 for each 4 KB.
///
/// # Errors
/// [`platform::Error::NotFound`] for no such circle, or one that died.
pub async fn exp_log(app: &App, circle: CircleId, query: LogQuery) -> Result<Log> {
    let (_, lines) = futures::try_join!(energy::energy(app, circle), older(app, circle, query))?;
    let Page { rows, after } = Page::cut(lines, query.limit, |it| it.id.to_string());
    Ok(Log { logs: rows.into_iter().map(LogLine::from).collect(), next_cursor: after })
}

/// The lines of a page and one more, which tells whether there is a next.
async fn older(app: &App, circle: CircleId, query: LogQuery) -> Result<Vec<EnergyEntry>> {
    let prefix = entry::prefix(EnergyReason::PostQuality);
    let high = query.cursor.map_or_else(|| format!("{prefix}~"), |it| format!("{prefix}{it}"));
    let range = Query::partition(circle::pk(circle)).between(prefix, high).newest_first();
    // BETWEEN includes both ends: the cursor's own line comes along.
    let mut lines: Vec<EnergyEntry> = app.table.query(&range.limit(query.limit.rows() + 2)).await?;
    lines.retain(|it| Some(it.id) != query.cursor);
    lines.truncate(query.limit.rows() + 1);
    Ok(lines)
}

impl From<EnergyEntry> for LogLine {
    fn from(entry: EnergyEntry) -> Self {
        let EnergyEntry { exp_delta, hp_delta, reason, created_at, user_id, .. } = entry;
        Self { exp_delta, hp_delta, reason, created_at, user_id }
    }
}
