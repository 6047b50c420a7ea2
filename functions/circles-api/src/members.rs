//! The members of a circle.

use axum::extract::State;
use domain::{
    circles::{self, Appointment, Left, MemberView},
    ids::{CircleId, UserId},
};
use platform::{App, page::Cursor};
use runtime::{
    caller::Caller,
    http::{Empty, Envelope, Input, List, ListEnvelope, Path, Query, Reply, Respond, RespondList},
};

/// List the members of a circle
///
/// Returns members, oldest account first.
#[utoipa::path(get, path = "/circles/{publicId}/members", tag = "circles",
    extensions(("x-status" = json!("extension"))), params(("publicId" = CircleId, Path,), Cursor<UserId>),
    responses((status = 200, body = ListEnvelope<MemberView>)))]
pub(crate) async fn list_circle_members(
    State(app): State<App>,
    Path(circle): Path<CircleId>,
    Query(cursor): Query<Cursor<UserId>>,
) -> RespondList<MemberView> {
    Ok(List(circles::members(&app, circle, cursor).await?))
}

/// Change a member's role
///
/// Owner only. If a member becomes OWNER, the circle is transferred to that member, and the caller becomes ADMIN.
#[utoipa::path(patch, path = "/circles/{publicId}/members", tag = "circles",
    extensions(("x-status" = json!("extension"))),
    security(("bearer" = []), ("token" = ["write:circles"])), params(("publicId" = CircleId, Path,)),
    request_body(content = Appointment, example = json!({"username": "bob", "role": "ADMIN"})),
    responses((status = 200, body = Envelope<MemberView>)))]
pub(crate) async fn appoint_circle_member(
    State(app): State<App>,
    caller: Caller,
    Path(circle): Path<CircleId>,
    Input { body: request, .. }: Input<Appointment>,
) -> Respond<MemberView> {
    Ok(Reply::ok(circles::appoint(&app, caller.id, circle, request).await?))
}

/// Remove a member from a circle
///
/// Requires OWNER or ADMIN. Returns 403 if the member is the OWNER, or if the member is an ADMIN and the caller is not
/// the OWNER. The member's posts stay. The user can request to join again. The circle earns no EXP if the user joins
/// again.
#[utoipa::path(delete, path = "/circles/{publicId}/members/{userId}", tag = "circles",
    extensions(("x-status" = json!("extension"))),
    security(("bearer" = []), ("token" = ["write:circles"])), params(("publicId" = CircleId, Path,), ("userId" = UserId, Path,)),
    responses((status = 200, body = Envelope<Left>)))]
pub(crate) async fn remove_circle_member(
    State(app): State<App>,
    caller: Caller,
    Path((circle, user)): Path<(CircleId, UserId)>,
    Input { once, .. }: Input<Empty>,
) -> Respond<Left> {
    Ok(Reply::ok(circles::remove(&app, caller.id, circle, user, &once).await?))
}
