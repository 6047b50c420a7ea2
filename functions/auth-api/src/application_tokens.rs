//! `/auth/tokens`: application tokens.

use axum::extract::State;
use domain::{
    accounts::application_tokens::{self, ApplicationToken, ApplicationTokenRequest, NewApplicationToken},
    ids::ApplicationTokenId,
};
use platform::App;
use runtime::{
    caller::Caller,
    http::{Create, Envelope, Path, Reply, Respond},
};
use serde::Serialize;
use utoipa::ToSchema;

/// Issue an application token
///
/// For a program that acts for the caller. Its text is shown once, and sent as `Authorization: Bearer …`. It opens the
/// operations whose `security` names one of its scopes, as far as the caller may do them, and no other: 403 names the
/// scope that is missing. It has the limits of a session, and ends at `expiresAt`, a year from now at the latest, or with
/// the caller's sessions: by a ban, a lock, a change of roles or a new password. A user has at most 20. Only an
/// administrator has `admin:` scopes: others get 403.
#[utoipa::path(post, path = "/auth/tokens", tag = "auth", extensions(("x-status" = json!("extension"))),
    security(("bearer" = [])),
    request_body(content = ApplicationTokenRequest, example = json!({
        "name": "Weather bot", "scopes": ["read", "write:posts"]
    })), responses((status = 201, body = Envelope<NewApplicationToken>)))]
pub(crate) async fn issue_application_token(
    State(app): State<App>,
    caller: Caller,
    Create { body, once }: Create<ApplicationTokenRequest>,
) -> Respond<NewApplicationToken> {
    Ok(Reply::created(application_tokens::issue(&app, &once, caller.into(), body).await?))
}

/// List one's application tokens
///
/// The live ones, newest first, without their texts.
#[utoipa::path(get, path = "/auth/tokens", tag = "auth", extensions(("x-status" = json!("extension"))),
    security(("bearer" = [])), responses((status = 200, body = Envelope<Vec<ApplicationToken>>)))]
pub(crate) async fn list_application_tokens(
    State(app): State<App>,
    caller: Caller,
) -> Respond<Vec<ApplicationToken>> {
    Ok(Reply::ok(application_tokens::list(&app, caller.id).await?))
}

/// End an application token
///
/// It opens nothing from that moment on. One that does not exist or belongs to another user answers 404.
#[utoipa::path(delete, path = "/auth/tokens/{id}", tag = "auth", extensions(("x-status" = json!("extension"))),
    security(("bearer" = [])), params(("id" = ApplicationTokenId, Path, description = "The token's id")),
    responses((status = 200, body = Envelope<TokenEnded>)))]
pub(crate) async fn end_application_token(
    State(app): State<App>,
    caller: Caller,
    Path(token): Path<ApplicationTokenId>,
) -> Respond<TokenEnded> {
    application_tokens::end(&app, caller.id, token).await?;
    Ok(Reply::ok(TokenEnded { ended: true }))
}

/// The answer to an application token that was ended.
#[derive(Serialize, ToSchema)]
pub(crate) struct TokenEnded {
    /// Always true.
    #[schema(example = true)]
    ended: bool,
}
