//! `/pusher`: authorizes subscriptions to realtime channels.

use axum::{Json, extract::State};
use domain::realtime::pusher::{self, Authorization, Subscription};
use platform::App;
use runtime::{Result, caller::Caller, http::FormOrJson};
use serde::Serialize;
use utoipa::ToSchema;
use utoipa_axum::{router::OpenApiRouter, routes};

/// The routes of this function.
pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(authorize_channel))
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

/// Authorize a realtime subscription
///
/// For a Pusher client's `authEndpoint`. The body is form data or JSON, whatever its content type says.
/// Allowed are `private-user-{own id}`, `presence-user-{own id}`, `private-chat-{group}` of the caller's groups
/// and `presence-circle-{circle}` of the caller's circles. Where the network has no push provider, there is nothing
/// to subscribe to: 404.
///
/// Events of a circle's channel: `energy:changed` `{circleId, previousStage, stage, previousLevel, level, current,
/// max, createdAt}` when its stage or its level changes; `cpr:started` `{circleId, sessionId, postId,
/// targetComments, expiresAt}`; `cpr:resolved` `{circleId, sessionId, success, createdAt}`. An event may come
/// twice.
#[utoipa::path(post, path = "/pusher/auth", tag = "realtime", extensions(("x-status" = json!("live"))),
    security(("bearer" = [])),
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
