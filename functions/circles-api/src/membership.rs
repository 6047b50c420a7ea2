//! Join requests, and leaving a circle.

use axum::extract::State;
use domain::{
    CircleId, UserId,
    circles::{self, JoinRequestView, JoinResponse, Left, PendingJoinRequest},
};
use platform::{App, Cursor};
use runtime::{
    Caller, Empty, Envelope, Input, List, ListEnvelope, Path, Reply, Respond, RespondList, UserCursor,
};

/// Request to join a circle
///
/// Returns 400 if the caller is a member, or has a pending request or invitation. After a rejection, the caller can
/// send a new request. Returns 403 if the caller is banned, or if a block exists between the caller and the owner. A
/// circle can have at most 1,000 members.
#[utoipa::path(post, path = "/circles/{publicId}/join-request", tag = "circles",
    extensions(("x-status" = json!("extension"))),
    security(("bearer" = []), ("token" = ["write:circles"])), params(("publicId" = CircleId, Path,)),
    responses((status = 201, body = Envelope<JoinRequestView>)))]
pub(crate) async fn create_join_request(
    State(app): State<App>,
    caller: Caller,
    Path(circle): Path<CircleId>,
    Input { once, .. }: Input<Empty>,
) -> Respond<JoinRequestView> {
    Ok(Reply::created(circles::request_join(&app, caller.id, circle, &once).await?))
}

/// Withdraw a join request
///
/// Returns 404 if no request is pending. The caller can send a new request later.
#[utoipa::path(delete, path = "/circles/{publicId}/join-request", tag = "circles",
    extensions(("x-status" = json!("extension"))),
    security(("bearer" = []), ("token" = ["write:circles"])), params(("publicId" = CircleId, Path,)),
    responses((status = 200, body = Envelope<JoinRequestView>)))]
pub(crate) async fn withdraw_join_request(
    State(app): State<App>,
    caller: Caller,
    Path(circle): Path<CircleId>,
    Input { once, .. }: Input<Empty>,
) -> Respond<JoinRequestView> {
    Ok(Reply::ok(circles::withdraw_request(&app, caller.id, circle, &once).await?))
}

/// List the join requests of a circle
///
/// Returns pending requests, newest first. Requires the permission `ACCEPT_USE_JOIN`, which OWNER and ADMIN have.
#[utoipa::path(get, path = "/circle/{publicId}/manage/join-requests", tag = "circles",
    extensions(("x-status" = json!("extension"))),
    security(("bearer" = []), ("token" = ["read"])), params(("publicId" = CircleId, Path,), Cursor<UserId>),
    responses((status = 200, body = ListEnvelope<PendingJoinRequest>)))]
pub(crate) async fn list_join_requests(
    State(app): State<App>,
    caller: Caller,
    Path(circle): Path<CircleId>,
    UserCursor(cursor): UserCursor,
) -> RespondList<PendingJoinRequest> {
    Ok(List(circles::pending_requests(&app, caller.id, circle, cursor).await?))
}

/// Accept or reject a join request
///
/// Requires the permission `ACCEPT_USE_JOIN`, which OWNER and ADMIN have. `requestId` or `userId` names the user who
/// sent the request. Either field accepts a username, a public ID or an internal ID. Returns 404 if the user sent no
/// request, and 400 if the request is not pending. The circle earns 5 EXP if the user joins it for the first time.
#[utoipa::path(post, path = "/circle/{publicId}/manage/join-request/respond", tag = "circles",
    extensions(("x-status" = json!("live"))),
    security(("bearer" = []), ("token" = ["write:circles"])), params(("publicId" = CircleId, Path,)),
    request_body(content = JoinResponse,
        example = json!({"requestId": "01KGB5T9G0A1B2C3D4E5F6G7H9", "action": "ACCEPT"})),
    responses((status = 200, body = Envelope<JoinRequestView>)))]
pub(crate) async fn answer_join_request(
    State(app): State<App>,
    caller: Caller,
    Path(circle): Path<CircleId>,
    Input { body: response, once }: Input<JoinResponse>,
) -> Respond<JoinRequestView> {
    Ok(Reply::ok(circles::respond(&app, caller.id, circle, response, &once).await?))
}

/// Leave a circle
///
/// Returns 403 if the caller is not a member. The caller's posts stay. If the caller is the OWNER, the longest-standing
/// ADMIN becomes the OWNER, or else the longest-standing member, and is notified. Members with an active account come
/// first. If the caller is the last member, the circle is closed: it returns 404 and gets no stone in the museum.
#[utoipa::path(post, path = "/circles/{publicId}/leave", tag = "circles",
    extensions(("x-status" = json!("extension"))),
    security(("bearer" = []), ("token" = ["write:circles"])), params(("publicId" = CircleId, Path,)),
    responses((status = 200, body = Envelope<Left>)))]
pub(crate) async fn leave_circle(
    State(app): State<App>,
    caller: Caller,
    Path(circle): Path<CircleId>,
    Input { once, .. }: Input<Empty>,
) -> Respond<Left> {
    Ok(Reply::ok(circles::leave(&app, caller.id, circle, &once).await?))
}
