//! Join requests, and leaving.

use axum::extract::State;
use domain::{
    circles::{self, JoinRequestView, JoinResponse, Left, PendingJoinRequest},
    ids::{CircleId, UserId},
};
use platform::{App, page::Cursor};
use runtime::{
    caller::Caller,
    http::{Body, Envelope, Keyed, List, ListEnvelope, Path, Query, Reply, Respond, RespondList},
};

/// Request to join a circle
///
/// 400 for a member, and for a user whose invitation or request is pending; after a rejection a user may request again.
/// 403 where a block stands between the owner and the caller, and for a user whom the circle bans. A circle has at most
/// 1,000 members.
#[utoipa::path(post, path = "/circles/{publicId}/join-request", tag = "circles",
    extensions(("x-status" = json!("extension"))),
    security(("bearer" = []), ("token" = ["write:circles"])), params(("publicId" = CircleId, Path,)),
    responses((status = 201, body = Envelope<JoinRequestView>)))]
pub(crate) async fn create_join_request(
    State(app): State<App>,
    caller: Caller,
    Path(circle): Path<CircleId>,
    Keyed(once): Keyed,
) -> Respond<JoinRequestView> {
    Ok(Reply::created(circles::request_join(&app, caller.id, circle, &once).await?))
}

/// Take a join request back
///
/// 404 without a pending request. The caller may ask again.
#[utoipa::path(delete, path = "/circles/{publicId}/join-request", tag = "circles",
    extensions(("x-status" = json!("extension"))),
    security(("bearer" = []), ("token" = ["write:circles"])), params(("publicId" = CircleId, Path,)),
    responses((status = 200, body = Envelope<JoinRequestView>)))]
pub(crate) async fn withdraw_join_request(
    State(app): State<App>,
    caller: Caller,
    Path(circle): Path<CircleId>,
) -> Respond<JoinRequestView> {
    Ok(Reply::ok(circles::withdraw_request(&app, caller.id, circle).await?))
}

/// List the join requests of a circle
///
/// Pending requests, the newest first. For members with the permission `ACCEPT_USE_JOIN`: OWNER and ADMIN.
#[utoipa::path(get, path = "/circle/{publicId}/manage/join-requests", tag = "circles",
    extensions(("x-status" = json!("extension"))),
    security(("bearer" = []), ("token" = ["read"])), params(("publicId" = CircleId, Path,), Cursor<UserId>),
    responses((status = 200, body = ListEnvelope<PendingJoinRequest>)))]
pub(crate) async fn list_join_requests(
    State(app): State<App>,
    caller: Caller,
    Path(circle): Path<CircleId>,
    Query(cursor): Query<Cursor<UserId>>,
) -> RespondList<PendingJoinRequest> {
    Ok(List(circles::pending_requests(&app, caller.id, circle, cursor).await?))
}

/// Answer a request to join a circle
///
/// Requires the permission `ACCEPT_USE_JOIN`, which OWNER and ADMIN have. The body names the request by `requestId`
/// or `userId`; both are the id of the user, in either form. 404 when there is no request, 400 when it is not
/// pending. A user who joins for the first time brings the circle 5 EXP.
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
    Body(response): Body<JoinResponse>,
) -> Respond<JoinRequestView> {
    Ok(Reply::ok(circles::respond(&app, caller.id, circle, response).await?))
}

/// Leave a circle
///
/// 403 for a caller who is not a member, and for the OWNER while there are other members. Posts stay.
#[utoipa::path(post, path = "/circles/{publicId}/leave", tag = "circles",
    extensions(("x-status" = json!("extension"))),
    security(("bearer" = []), ("token" = ["write:circles"])), params(("publicId" = CircleId, Path,)),
    responses((status = 200, body = Envelope<Left>)))]
pub(crate) async fn leave_circle(
    State(app): State<App>,
    caller: Caller,
    Path(circle): Path<CircleId>,
) -> Respond<Left> {
    Ok(Reply::ok(circles::leave(&app, caller.id, circle).await?))
}
