//! `/pusher`: authorizes subscriptions to realtime channels, and authenticates connections.

use axum::{Json, extract::State};
use domain::realtime::pusher::{self, Authentication, Authorization, Connection, Subscription};
use platform::App;
use runtime::{Caller, FormOrJson, Result, Routes, routes};
use serde::Serialize;
use utoipa::ToSchema;

/// Returns this Lambda function's HTTP routes.
pub fn routes() -> Routes {
    routes![authorize_channel, authenticate_user]
}

/// A success response. For Pusher clients, the top level repeats the fields of `data`.
#[derive(Serialize, ToSchema)]
#[schema(as = ChannelAuthorizationAnswer)]
struct AuthorizationAnswer {
    /// Always true.
    #[schema(example = true)]
    success: bool,
    /// Authorization of the subscription.
    data: Authorization,
    #[serde(flatten)]
    for_client: Authorization,
}

/// A success response. For Pusher clients, the top level repeats the fields of `data`.
#[derive(Serialize, ToSchema)]
#[schema(as = RealtimeAuthenticationAnswer)]
struct AuthenticationAnswer {
    /// Always true.
    #[schema(example = true)]
    success: bool,
    /// Authentication of the connection.
    data: Authentication,
    #[serde(flatten)]
    for_client: Authentication,
}

/// Authorize a realtime subscription
///
/// A Pusher client calls this operation as its `authEndpoint`. The body is form data or JSON, regardless of its content
/// type. The allowed channels are `private-user-{own id}`, `presence-user-{own id}`, `private-chat-{group}` for the
/// caller's groups, and `presence-circle-{circle}` for the caller's circles. Returns 404 if no push provider is
/// configured.
///
/// The channel of a private group is refused if a block exists between its members. The channel of a crowd (a group of
/// 3 or more) is refused if the caller blocks a member. The caller then gets the crowd's messages on `private-user-{own
/// id}`. On a circle's channel, the name of a member is omitted if a block exists between that member and another
/// member.
///
/// A circle's channel carries these events:
///
/// - `energy:changed`: the circle's stage or level changed. The data is `{circleId, previousStage, stage,
///   previousLevel, level, current, max, createdAt}`.
/// - `cpr:started`: a CPR started. The data is `{circleId, sessionId, postId, targetComments, expiresAt}`.
/// - `cpr:resolved`: a CPR ended. The data is `{circleId, sessionId, success, createdAt}`.
///
/// An event can arrive twice.
#[utoipa::path(post, path = "/pusher/auth", tag = "realtime", extensions(("x-status" = json!("live"))),
    security(("bearer" = []), ("token" = ["read"])),
    request_body(content = Subscription, example = json!({
        "socket_id": "1234.1234", "channel_name": "private-user-01KGB5T9G0A1B2C3D4E5F6G7H8"
    })),
    responses(
        (status = 200, body = AuthorizationAnswer),
        (status = 404, description = "`NOT_FOUND`: no push provider is configured")))]
async fn authorize_channel(
    State(app): State<App>,
    caller: Caller,
    FormOrJson(request): FormOrJson<Subscription>,
) -> Result<Json<AuthorizationAnswer>> {
    let data = pusher::authorize(&app, caller.id, request).await?;
    Ok(Json(AuthorizationAnswer { success: true, for_client: data.clone(), data }))
}

/// Authenticate a realtime connection
///
/// A Pusher client calls this operation as its `userAuthentication` endpoint, from `signin()`. The body is form data or
/// JSON, regardless of its content type. `user_data` has the caller's user ID. All authenticated connections of a user are
/// closed when a session of the user ends, or when the user blocks another user. They are also closed when the user
/// leaves a group or circle, or is removed or banned from it. Clients with an active session must then reconnect.
/// Connections that are not authenticated stay open. Returns 404 if no push provider is configured.
#[utoipa::path(post, path = "/pusher/user-auth", tag = "realtime", extensions(("x-status" = json!("extension"))),
    security(("bearer" = []), ("token" = ["read"])),
    request_body(content = Connection, example = json!({ "socket_id": "1234.1234" })),
    responses(
        (status = 200, body = AuthenticationAnswer),
        (status = 404, description = "`NOT_FOUND`: no push provider is configured")))]
async fn authenticate_user(
    State(app): State<App>,
    caller: Caller,
    FormOrJson(request): FormOrJson<Connection>,
) -> Result<Json<AuthenticationAnswer>> {
    let data = pusher::authenticate(&app, caller.id, request).await?;
    Ok(Json(AuthenticationAnswer { success: true, for_client: data.clone(), data }))
}
