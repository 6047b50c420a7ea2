//! The members of a circle.

use axum::extract::State;
use domain::{
    CircleId, UserId,
    circles::{self, Appointment, Left, MemberView},
    people::UserRef,
};
use platform::{App, Cursor};
use runtime::{
    Caller, Empty, Envelope, Input, List, ListEnvelope, Path, Reply, Respond, RespondList, UserCursor,
};

/// List the members of a circle
///
/// Returns members, oldest account first. Leaves out members that the caller blocks, and members that block the caller.
#[utoipa::path(get, path = "/circles/{publicId}/members", tag = "circles",
    extensions(("x-status" = json!("extension"))), security((), ("bearer" = []), ("token" = ["read"])), params(("publicId" = CircleId, Path,), Cursor<UserId>),
    responses((status = 200, body = ListEnvelope<MemberView>)))]
pub(crate) async fn list_circle_members(
    State(app): State<App>,
    caller: Option<Caller>,
    Path(circle): Path<CircleId>,
    UserCursor(cursor): UserCursor,
) -> RespondList<MemberView> {
    let viewer = caller.map(|caller| caller.id);
    Ok(List(circles::members(&app, viewer, circle, cursor).await?))
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
/// Requires OWNER or ADMIN. Returns 403 for the OWNER. Only the OWNER can remove an ADMIN. The member's posts stay. The
/// user can request to join again. Joining again earns no EXP.
#[utoipa::path(delete, path = "/circles/{publicId}/members/{userId}", tag = "circles",
    extensions(("x-status" = json!("extension"))),
    security(("bearer" = []), ("token" = ["write:circles"])), params(("publicId" = CircleId, Path,), ("userId" = UserRef, Path,)),
    responses((status = 200, body = Envelope<Left>)))]
pub(crate) async fn remove_circle_member(
    State(app): State<App>,
    caller: Caller,
    Path((circle, user)): Path<(CircleId, UserId)>,
    Input { once, .. }: Input<Empty>,
) -> Respond<Left> {
    Ok(Reply::ok(circles::remove(&app, caller.id, circle, user, &once).await?))
}
