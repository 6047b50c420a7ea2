//! A circle's energy, and the log of energy changes.

use axum::{extract::State, http::header::CACHE_CONTROL, response::IntoResponse};
use domain::{
    CircleId,
    circles::{self, EnergyHistory, EnergyView, HistoryQuery, Log, LogQuery},
};
use platform::App;
use runtime::{Envelope, Path, Query, Reply, Respond, Result};

/// Read a circle's energy
///
/// The stage is `Healthy` above 30% of the maximum HP, `Sick` from 10% to 30%, and `Dying` below 10%. The circle loses
/// `drainRate` HP at every full hour (UTC) and dies at 0. Returns 404 for a dead circle, which is listed in the museum.
/// The response is never cached. Members get `energy:changed` on the channel `presence-circle-{publicId}` when the
/// stage or level changes.
#[utoipa::path(get, path = "/circles/{publicId}/energy", tag = "circles",
    extensions(("x-status" = json!("proposed"))), params(("publicId" = CircleId, Path,)),
    responses((status = 200, body = Envelope<EnergyView>,
        headers(("cache-control" = String, description = "`no-store`")))))]
pub(crate) async fn get_circle_energy(
    State(app): State<App>,
    Path(circle): Path<CircleId>,
) -> Result<impl IntoResponse> {
    let energy = circles::energy(&app, circle).await?;
    Ok(([(CACHE_CONTROL, "no-store")], Reply::ok(energy.view())))
}

/// List the changes to a circle's EXP
///
/// Returns changes, newest first. A circle gains EXP from judged posts, from new members (5 EXP), from CPRs that saved
/// it, and from karma. Each row also has its change in HP. The hourly drain is not listed.
#[utoipa::path(get, path = "/circles/{publicId}/exp-log", tag = "circles",
    extensions(("x-status" = json!("proposed"))), params(("publicId" = CircleId, Path,), LogQuery),
    responses((status = 200, body = Envelope<Log>)))]
pub(crate) async fn get_circle_exp_log(
    State(app): State<App>,
    Path(circle): Path<CircleId>,
    Query(query): Query<LogQuery>,
) -> Respond<Log> {
    Ok(Reply::ok(circles::exp_log(&app, circle, query).await?))
}

/// Read a circle's HP over time
///
/// Returns points for a line chart, oldest first: one after each full hour's drain, and one for the current time. In
/// the chart, `hp` divided by `max` is the height, and `stage` is the color. If the drains of two hours were applied
/// together, the first hour has no point. The client connects the points across such gaps. If the circle was created
/// within the requested period, the first point is its creation.
#[utoipa::path(get, path = "/circles/{publicId}/energy/history", tag = "circles",
    extensions(("x-status" = json!("extension"))), params(("publicId" = CircleId, Path,), HistoryQuery),
    responses((status = 200, body = Envelope<EnergyHistory>)))]
pub(crate) async fn get_circle_energy_history(
    State(app): State<App>,
    Path(circle): Path<CircleId>,
    Query(query): Query<HistoryQuery>,
) -> Respond<EnergyHistory> {
    Ok(Reply::ok(circles::energy_history(&app, circle, query).await?))
}
