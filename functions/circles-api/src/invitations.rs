//! Invitations to circles.

use axum::extract::State;
use domain::{
    CircleId, Position,
    circles::{self, InvitationDraft, InvitationView},
    people::UserRef,
};
use platform::{App, Cursor};
use runtime::{Caller, Empty, Envelope, Input, List, ListEnvelope, Path, Query, Reply, Respond, RespondList};

/// List the caller's invitations
///
/// Returns pending invitations, newest first. Omits invitations to dead and deleted circles.
#[utoipa::path(get, path = "/circles/invitations", tag = "circles",
    extensions(("x-status" = json!("extension"))),
    security(("bearer" = []), ("token" = ["read"])), params(Cursor<Position>),
    responses((status = 200, body = ListEnvelope<InvitationView>)))]
pub(crate) async fn list_circle_invitations(
    State(app): State<App>,
    caller: Caller,
    Query(cursor): Query<Cursor<Position>>,
) -> RespondList<InvitationView> {
    Ok(List(circles::invitations(&app, caller.id, cursor).await?))
}

/// Invite a user to a circle
///
/// The user joins the circle by accepting the invitation. Requires the permission `ACCEPT_USE_JOIN`, which OWNER and
/// ADMIN have. Returns 400 if the user is a member or banned, or has a pending invitation or join request. Returns 403
/// if a block exists between the caller and the user.
#[utoipa::path(post, path = "/circles/{publicId}/invitations", tag = "circles",
    extensions(("x-status" = json!("extension"))),
    security(("bearer" = []), ("token" = ["write:circles"])), params(("publicId" = CircleId, Path,)),
    request_body(content = InvitationDraft, example = json!({"username": "bob"})),
    responses((status = 201, body = Envelope<InvitationView>)))]
pub(crate) async fn create_circle_invitation(
    State(app): State<App>,
    caller: Caller,
    Path(circle): Path<CircleId>,
    draft: Input<InvitationDraft>,
) -> Respond<InvitationView> {
    Ok(Reply::created(circles::invite(&app, caller.id, circle, draft.body, &draft.once).await?))
}

/// Accept an invitation to a circle
///
/// Returns 404 if no invitation is pending. The circle earns 5 EXP if the user joins it for the first time.
#[utoipa::path(post, path = "/circles/{publicId}/invitations/accept", tag = "circles",
    extensions(("x-status" = json!("extension"))),
    security(("bearer" = []), ("token" = ["write:circles"])), params(("publicId" = CircleId, Path,)),
    responses((status = 200, body = Envelope<InvitationView>)))]
pub(crate) async fn accept_circle_invitation(
    State(app): State<App>,
    caller: Caller,
    Path(circle): Path<CircleId>,
    Input { once, .. }: Input<Empty>,
) -> Respond<InvitationView> {
    Ok(Reply::ok(circles::accept(&app, caller.id, circle, &once).await?))
}

/// Decline an invitation to a circle
///
/// Returns 404 if no invitation is pending. The caller can be invited again.
#[utoipa::path(post, path = "/circles/{publicId}/invitations/decline", tag = "circles",
    extensions(("x-status" = json!("extension"))),
    security(("bearer" = []), ("token" = ["write:circles"])), params(("publicId" = CircleId, Path,)),
    responses((status = 200, body = Envelope<InvitationView>)))]
pub(crate) async fn decline_circle_invitation(
    State(app): State<App>,
    caller: Caller,
    Path(circle): Path<CircleId>,
    Input { once, .. }: Input<Empty>,
) -> Respond<InvitationView> {
    Ok(Reply::ok(circles::decline(&app, caller.id, circle, &once).await?))
}

/// Revoke an invitation to a circle
///
/// Only the inviter and the circle's OWNER can revoke an invitation. Other callers get 403. Returns 404 if no
/// invitation is pending.
#[utoipa::path(delete, path = "/circles/{publicId}/invitations/{username}", tag = "circles",
    extensions(("x-status" = json!("extension"))),
    security(("bearer" = []), ("token" = ["write:circles"])),
    params(("publicId" = CircleId, Path,), ("username" = UserRef, Path,)),
    responses((status = 200, body = Envelope<InvitationView>)))]
pub(crate) async fn revoke_circle_invitation(
    State(app): State<App>,
    caller: Caller,
    Path((circle, username)): Path<(CircleId, UserRef)>,
    Input { once, .. }: Input<Empty>,
) -> Respond<InvitationView> {
    Ok(Reply::ok(circles::revoke(&app, caller.id, circle, &username, &once).await?))
}
