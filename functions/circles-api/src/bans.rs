//! Bans from circles.

use axum::extract::State;
use domain::{
    CircleId, UserId,
    circles::{self, Ban, Lifted},
    people::UserRef,
};
use platform::{App, Cursor};
use runtime::{
    Caller, Empty, Envelope, Input, List, ListEnvelope, Path, Reply, Respond, RespondList, UserCursor,
};

/// List the users banned from a circle
///
/// Returns banned users, oldest account first. Requires OWNER or ADMIN.
#[utoipa::path(get, path = "/circles/{publicId}/bans", tag = "circles", extensions(("x-status" = json!("extension"))),
    security(("bearer" = []), ("token" = ["read"])), params(("publicId" = CircleId, Path,), Cursor<UserId>),
    responses((status = 200, body = ListEnvelope<Ban>)))]
pub(crate) async fn list_circle_bans(
    State(app): State<App>,
    caller: Caller,
    Path(circle): Path<CircleId>,
    UserCursor(cursor): UserCursor,
) -> RespondList<Ban> {
    Ok(List(circles::bans(&app, caller.id, circle, cursor).await?))
}

/// Ban a user from a circle
///
/// Requires OWNER or ADMIN. Returns 403 if the user is the OWNER, or if the user is an ADMIN and the caller is not the
/// OWNER. A banned member is removed, and a pending request or invitation of the user is rejected. Until the ban is
/// lifted, a join request by the user returns 403, and an invitation of the user returns 400. Users who were never
/// members can also be banned. The user's posts stay. All authenticated realtime connections of a banned member are
/// closed, because the push provider cannot unsubscribe a connection from one channel. The user gets no more events or
/// notifications of the circle. Repeating the request has no effect.
#[utoipa::path(post, path = "/circles/{publicId}/members/{userId}/ban", tag = "circles",
    extensions(("x-status" = json!("extension"))), security(("bearer" = []), ("token" = ["write:circles"])),
    params(("publicId" = CircleId, Path,), ("userId" = UserRef, Path,)),
    responses((status = 200, body = Envelope<Ban>)))]
pub(crate) async fn ban_from_circle(
    State(app): State<App>,
    caller: Caller,
    Path((circle, user)): Path<(CircleId, UserId)>,
    Input { once, .. }: Input<Empty>,
) -> Respond<Ban> {
    Ok(Reply::ok(circles::ban(&app, caller.id, circle, user, &once).await?))
}

/// Lift a ban from a circle
///
/// Requires OWNER or ADMIN. The user can request to join again. Returns 404 if the user is not banned.
#[utoipa::path(delete, path = "/circles/{publicId}/members/{userId}/ban", tag = "circles",
    extensions(("x-status" = json!("extension"))), security(("bearer" = []), ("token" = ["write:circles"])),
    params(("publicId" = CircleId, Path,), ("userId" = UserRef, Path,)),
    responses((status = 200, body = Envelope<Lifted>)))]
pub(crate) async fn lift_circle_ban(
    State(app): State<App>,
    caller: Caller,
    Path((circle, user)): Path<(CircleId, UserId)>,
    Input { once, .. }: Input<Empty>,
) -> Respond<Lifted> {
    Ok(Reply::ok(circles::lift_ban(&app, caller.id, circle, user, &once).await?))
}
