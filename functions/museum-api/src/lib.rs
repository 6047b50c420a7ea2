//! `/museum`: the stones, which are memorials of dead circles.

use axum::extract::State;
use domain::{
    StoneId,
    circles::museum::{self, MuseumQuery, Stone},
};
use platform::App;
use runtime::{
    Caller, Envelope, List, ListEnvelope, Path, Query, Reply, Respond, RespondList, Routes, routes,
};

/// Returns this Lambda function's HTTP routes.
pub fn routes() -> Routes {
    routes![list_museum_items, get_museum_item]
}

/// List the stones of the museum
///
/// Featured circles, which reached level 4, come first, then all other circles. Within both groups, the latest death
/// comes first. With `sort=longestLived`, the circle with the longest life comes first.
#[utoipa::path(get, path = "/museum", tag = "museum",
    extensions(("x-status" = json!("live"))), security(("bearer" = []), ("token" = ["read"])), params(MuseumQuery),
    responses((status = 200, body = ListEnvelope<Stone>)))]
pub(crate) async fn list_museum_items(
    State(app): State<App>,
    _: Caller,
    Query(query): Query<MuseumQuery>,
) -> RespondList<Stone> {
    Ok(List(museum::list(&app, query).await?))
}

/// Read a stone of the museum
///
/// A stone is the memorial of a dead circle. It has the circle's lifetime, highest HP and level, best posts, and the
/// members who gave karma.
#[utoipa::path(get, path = "/museum/{publicId}", tag = "museum",
    extensions(("x-status" = json!("live"))), security(("bearer" = []), ("token" = ["read"])),
    params(("publicId" = StoneId, Path,)), responses((status = 200, body = Envelope<Stone>)))]
pub(crate) async fn get_museum_item(
    State(app): State<App>,
    _: Caller,
    Path(id): Path<StoneId>,
) -> Respond<Stone> {
    Ok(Reply::ok(museum::find(&app, id).await?))
}
