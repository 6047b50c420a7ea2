//! The log of changes to a circle's EXP and HP.

use base::{ChangeId, CircleId, PublicUserId, UserId};
use platform::{App, Page, Query, Result, Take, Time};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::{EnergyEntry, EnergyReason, circle, energy, entry};

/// The requested page of the log.
#[derive(Clone, Copy, Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct LogQuery {
    /// Number of rows to return. Alias: `take`.
    #[serde(default, alias = "take")]
    #[param(value_type = Option<u8>, default = 20, minimum = 1)]
    pub limit: Take,
    /// Position of the last row before the page. Alias: `after`.
    #[serde(alias = "after")]
    #[param(value_type = Option<String>)]
    pub cursor: Option<ChangeId>,
}

/// A line of the log.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = ExpLogEntry)]
#[serde(rename_all = "camelCase")]
pub struct LogLine {
    /// Number of EXP that the circle gained. Negative if an edit lowered the score of a post.
    #[schema(example = 5)]
    pub exp_delta: i64,
    /// Number of HP that the circle gained. Negative for a loss.
    #[schema(example = 0)]
    pub hp_delta: i64,
    /// The cause of the change.
    pub reason: EnergyReason,
    /// RFC 3339 time of the change.
    pub created_at: Time,
    /// The user who caused the change. Null for a CPR, or if the account was deleted.
    pub user_id: Option<PublicUserId>,
}

/// A page of the log.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = ExpLog)]
#[serde(rename_all = "camelCase")]
pub struct Log {
    /// The lines, newest first.
    pub logs: Vec<LogLine>,
    /// The `cursor` of the next page. Null on the last page.
    pub next_cursor: Option<String>,
}

/// Returns a page of a circle's log, newest first. Omits hourly drains.
///
/// # Errors
/// Fails with [`platform::Error::NotFound`] if the circle does not exist or is dead.
pub async fn exp_log(app: &App, circle: CircleId, query: LogQuery) -> Result<Log> {
    let (_, entries) = futures::try_join!(energy::energy(app, circle), entries(app, circle, query))?;
    let Page { rows, after } = Page::cut(entries, query.limit, |entry| entry.id.to_string());
    Ok(Log { logs: rows.into_iter().map(LogLine::from).collect(), next_cursor: after })
}

/// Returns the entries of a page, plus the first entry of the next page if there is one.
async fn entries(app: &App, circle: CircleId, query: LogQuery) -> Result<Vec<EnergyEntry>> {
    let prefix = entry::prefix(EnergyReason::PostQuality);
    let range = Query::partition(circle::partition(circle)).prefix_before(prefix, query.cursor);
    app.table.query(&range.newest_first().limit(query.limit.rows() + 1)).await
}

impl From<EnergyEntry> for LogLine {
    fn from(entry: EnergyEntry) -> Self {
        let EnergyEntry { exp_delta, hp_delta, reason, created_at, user_id, .. } = entry;
        Self { exp_delta, hp_delta, reason, created_at, user_id: user_id.map(UserId::public) }
    }
}
