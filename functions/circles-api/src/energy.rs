//! A circle's energy, and the log of its changes.

use axum::{extract::State, http::header::CACHE_CONTROL, response::IntoResponse};
use domain::{
    circles::{self, EnergyHistory, EnergyView, HistoryQuery, Log, LogQuery},
    ids::CircleId,
};
use platform::App;
use runtime::Result;
use runtime::http::{Envelope, Path, Query, Reply, Respond};

/// Read a circle's energy
///
/// `Healthy` above 30 % of the maximum, `Sick` from 10 to 30 %, `Dying` below. It loses `drainRate` HP at every
/// full hour, UTC, and dies at 0: then it is a 404, and in the museum. Never cached. A change of stage or level
/// is published to members on the channel `presence-circle-{publicId}`, as `energy:changed`.
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

/// List the changes of a circle's EXP
///
/// The newest first: judged posts, users who joined for the first time (5 EXP), CPR that saved the circle, and
/// karma that was given, each with its change of HP. The hourly drain is not in the list.
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
/// A series to draw as one line: a point at each full hour after its drain, oldest first, and one for now. `hp` of
/// `max` is the height, `stage` the colour. Hours without a point were drained with the next one: draw across them. A
/// circle that is younger than the series begins with its birth.
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
