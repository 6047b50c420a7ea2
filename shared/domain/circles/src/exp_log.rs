//! The log of a circle's EXP.

use base::ids::{ChangeId, CircleId, UserId};
use platform::{
    App, Result,
    page::{Page, Take},
    table::Query,
    time::Time,
};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::{EnergyEntry, EnergyReason, circle, energy, entry};

/// The page of the log that is requested.
#[derive(Clone, Copy, Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct LogQuery {
    /// The number of lines, at most 100; 20 by default. `take` is another name for it.
    #[serde(default, alias = "take")]
    #[param(value_type = Option<u8>, default = 20, minimum = 1)]
    pub limit: Take,
    /// The `nextCursor` of the page before. `after` is another name for it.
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
    /// HP gained; lost when negative.
    #[schema(example = 0)]
    pub hp_delta: i64,
    /// What caused it.
    pub reason: EnergyReason,
    /// RFC 3339 time of the change.
    pub created_at: Time,
    /// The user who caused it.
    pub user_id: Option<UserId>,
}

/// A page of the log.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Log {
    /// The lines, newest first.
    pub logs: Vec<LogLine>,
    /// The `cursor` of the next page; null on the last.
    pub next_cursor: Option<String>,
}

/// Returns a page of a circle's log, newest first, without the hourly drain.
///
/// # Errors
/// [`platform::Error::NotFound`] when there is no such circle, or it died.
pub async fn exp_log(app: &App, circle: CircleId, query: LogQuery) -> Result<Log> {
    let (_, entries) = futures::try_join!(energy::energy(app, circle), entries(app, circle, query))?;
    let Page { rows, after } = Page::cut(entries, query.limit, |it| it.id.to_string());
    Ok(Log { logs: rows.into_iter().map(LogLine::from).collect(), next_cursor: after })
}

/// Returns the entries of a page and one more, which shows that there is a next page.
async fn entries(app: &App, circle: CircleId, query: LogQuery) -> Result<Vec<EnergyEntry>> {
    let prefix = entry::prefix(EnergyReason::PostQuality);
    let high = query.cursor.map_or_else(|| format!("{prefix}~"), |it| format!("{prefix}{it}"));
    let range = Query::partition(circle::partition(circle)).between(prefix, high).newest_first();
    // BETWEEN includes both ends, so the cursor's own entry is among the results.
    let mut entries: Vec<EnergyEntry> = app.table.query(&range.limit(query.limit.rows() + 2)).await?;
    entries.retain(|it| Some(it.id) != query.cursor);
    entries.truncate(query.limit.rows() + 1);
    Ok(entries)
}

impl From<EnergyEntry> for LogLine {
    fn from(entry: EnergyEntry) -> Self {
        let EnergyEntry { exp_delta, hp_delta, reason, created_at, user_id, .. } = entry;
        Self { exp_delta, hp_delta, reason, created_at, user_id }
    }
}
