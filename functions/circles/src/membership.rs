//! Coming in by asking, and leaving.

use axum::extract::State;
use domain::{
    circles::{self, Asking, JoinRequestView, Left, Response},
    ids::{CircleId, UserId},
};
use platform::{App, page::Cursor};
use runtime::{
    caller::Caller,
    http::{Body, Envelope, Keyed, List, ListEnvelope, Path, Query, Reply, Respond, RespondList},
};

/// Ask to join a circle
///
/// 400 for a member, for who is invited, and while an earlier request waits; after a rejection it may be asked
/// again. 403 where a block stands between the owner and the caller. A circle has at most 1,000 members.
#[utoipa::path(post, path = "/circles/{publicId}/join-request", tag = "circles",
    extensions(("x-status" = json!("extension"))),
    security(("bearer" = [])), params(("publicId" = CircleId, Path,)),
    responses((status = 201, body = Envelope<JoinRequestView>)))]
pub(crate) async fn create_join_request(
    State(app): State<App>,
    caller: Caller,
    Path(circle): Path<CircleId>,
    Keyed(once): Keyed,
) -> Respond<JoinRequestView> {
    Ok(Reply::created(circles::ask(&app, caller.id, circle, &once).await?))
}

/// List who asks to join a circle
///
/// Requests that wait, the newest first. For members with the permission `ACCEPT_USE_JOIN`: OWNER and ADMIN.
#[utoipa::path(get, path = "/circle/{publicId}/manage/join-requests", tag = "circles",
    extensions(("x-status" = json!("extension"))),
    security(("bearer" = [])), params(("publicId" = CircleId, Path,), Cursor<UserId>),
    responses((status = 200, body = ListEnvelope<Asking>)))]
pub(crate) async fn list_join_requests(
    State(app): State<App>,
    caller: Caller,
    Path(circle): Path<CircleId>,
    Query(cursor): Query<Cursor<UserId>>,
) -> RespondList<Asking> {
    Ok(List(circles::asking(&app, caller.id, circle, cursor).await?))
}

/// InvitationAnswer who asks to join a circle
///
/// With the permission `ACCEPT_USE_JOIN`, which OWNER and ADMIN have. `requestId` or `userId`; a user's id in
/// either form. 404 where they never asked, 400 when the request is not pending. Somebody who comes in for the
/// first time brings the circle 5 EXP.
#[utoipa::path(post, path = "/circle/{publicId}/manage/join-request/respond", tag = "circles",
    extensions(("x-status" = json!("live"))),
    security(("bearer" = [])), params(("publicId" = CircleId, Path,)),
    request_body(content = Response,
        example = json!({"requestId": "01KGB5T9G0A1B2C3D4E5F6G7H9", "action": "ACCEPT"})),
    responses((status = 200, body = Envelope<JoinRequestView>)))]
pub(crate) async fn answer_join_request(
    State(app): State<App>,
    caller: Caller,
    Path(circle): Path<CircleId>,
    Body(response): Body<Response>,
) -> Respond<JoinRequestView> {
    Ok(Reply::ok(circles::respond(&app, caller.id, circle, response).await?))
}

/// Leave a circle
///
/// 403 for who is not in it, and for its OWNER while others are. Nothing that was written is lost.
#[utoipa::path(post, path = "/circles/{publicId}/leave", tag = "circles",
    extensions(("x-status" = json!("extension"))),
    security(("bearer" = [])), params(("publicId" = CircleId, Path,)),
    responses((status = 200, body = Envelope<Left>)))]
pub(crate) async fn leave_circle(
    State(app): State<App>,
    caller: Caller,
    Path(circle): Path<CircleId>,
) -> Respond<Left> {
    Ok(Reply::ok(circles::leave(&app, caller.id, circle).await?))
}
