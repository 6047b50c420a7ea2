//! `/pusher`: authorizes subscriptions to realtime channels, and says whose a connection is.

use axum::{Json, extract::State};
use domain::realtime::pusher::{self, Authentication, Authorization, Connection, Subscription};
use platform::App;
use runtime::{Result, caller::Caller, http::FormOrJson, http::Routes, routes};
use serde::Serialize;
use utoipa::ToSchema;

/// The routes of this function.
pub fn routes() -> Routes {
    routes![authorize_channel, authenticate_user,]
}

/// The envelope with the fields of the authorization beside it, which a Pusher client reads.
#[derive(Serialize, ToSchema)]
struct AuthorizationAnswer {
    /// Always true.
    #[schema(example = true)]
    success: bool,
    /// The authorization.
    data: Authorization,
    #[serde(flatten)]
    for_client: Authorization,
}

/// The envelope with the fields of the authentication beside it, which a Pusher client reads.
#[derive(Serialize, ToSchema)]
struct AuthenticationAnswer {
    /// Always true.
    #[schema(example = true)]
    success: bool,
    /// The authentication.
    data: Authentication,
    #[serde(flatten)]
    for_client: Authentication,
}

/// Authorize a realtime subscription
///
/// For a Pusher client's `authEndpoint`. The body is form data or JSON, whatever its content type says.
/// Allowed are `private-user-{own id}`, `presence-user-{own id}`, `private-chat-{group}` of the caller's groups
/// and `presence-circle-{circle}` of the caller's circles. Where the network has no push provider, there is nothing
/// to subscribe to: 404.
///
/// The channel of a private group that a block closes is refused, and that of a crowd to whoever blocks a member: its
/// messages come on their own channel. In a circle, whom a block separates from another member is present without a
/// name.
///
/// Events of a circle's channel: `energy:changed` `{circleId, previousStage, stage, previousLevel, level, current,
/// max, createdAt}` when its stage or its level changes; `cpr:started` `{circleId, sessionId, postId,
/// targetComments, expiresAt}`; `cpr:resolved` `{circleId, sessionId, success, createdAt}`. An event may come
/// twice.
#[utoipa::path(post, path = "/pusher/auth", tag = "realtime", extensions(("x-status" = json!("live"))),
    security(("bearer" = []), ("token" = ["read"])),
    request_body(content = Subscription, example = json!({
        "socket_id": "1234.1234", "channel_name": "private-user-01KGB5T9G0A1B2C3D4E5F6G7H8"
    })),
    responses(
        (status = 200, body = AuthorizationAnswer),
        (status = 404, description = "`NOT_FOUND`: the network has no push provider")))]
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
/// For a Pusher client's `userAuthentication` endpoint, called by `signin()`. The body is form data or JSON, whatever its
/// content type says. `user_data` has the caller's user id. All connections of the caller that were authenticated end
/// when one of their sessions is signed out, with a ban, a lock or a new password, and when they block somebody: a client
/// whose session lives connects again. Others end when the client ends them. 404 where the network has no push provider.
#[utoipa::path(post, path = "/pusher/user-auth", tag = "realtime", extensions(("x-status" = json!("extension"))),
    security(("bearer" = []), ("token" = ["read"])),
    request_body(content = Connection, example = json!({ "socket_id": "1234.1234" })),
    responses(
        (status = 200, body = AuthenticationAnswer),
        (status = 404, description = "`NOT_FOUND`: the network has no push provider")))]
async fn authenticate_user(
    State(app): State<App>,
    caller: Caller,
    FormOrJson(request): FormOrJson<Connection>,
) -> Result<Json<AuthenticationAnswer>> {
    let data = pusher::authenticate(&app, caller.id, request).await?;
    Ok(Json(AuthenticationAnswer { success: true, for_client: data.clone(), data }))
}
