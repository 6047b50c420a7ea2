//! `/auth/tokens`: application tokens.

use axum::extract::State;
use domain::{
    ApplicationTokenId,
    accounts::application_tokens::{self, ApplicationToken, ApplicationTokenRequest, NewApplicationToken},
};
use platform::{App, Page};
use runtime::{
    AnonymousClient, Caller, Empty, Envelope, Input, List, ListEnvelope, Path, Reply, Respond, RespondList,
};
use serde::Serialize;
use utoipa::ToSchema;

/// Issue an application token
///
/// The token is for a program that acts for the caller. The token's text is returned only once. Send the text as
/// `Authorization: Bearer …`. In this document, `x-scopes` of an operation names the required scope. Without that
/// scope, the operation returns 403 and the message names the scope. A token never has more permissions than the
/// caller, and has the rate limits of a session.
///
/// Requires a confirmed email address, and the password or a code. The user gets an email.
///
/// The token expires at `expiresAt`, at most a year from now. A ban, a lock, a change of roles or a new password
/// revokes it earlier. A user can have at most 20 tokens. Only administrators can request `admin:` scopes. Other users
/// get 403.
#[utoipa::path(post, path = "/auth/tokens", tag = "auth", extensions(("x-status" = json!("extension"))),
    security(("bearer" = [])),
    request_body(content = ApplicationTokenRequest, example = json!({
        "name": "Weather bot", "scopes": ["read", "write:posts"], "password": "correct horse battery"
    })), responses((status = 201, body = Envelope<NewApplicationToken>)))]
pub(crate) async fn issue_application_token(
    State(app): State<App>,
    caller: Caller,
    AnonymousClient(device): AnonymousClient,
    Input { body, once }: Input<ApplicationTokenRequest>,
) -> Respond<NewApplicationToken> {
    Ok(Reply::created(application_tokens::issue(&app, &once, caller.into(), body, &device).await?))
}

/// List the caller's application tokens
///
/// Returns the valid tokens, newest first. The response does not contain the secret texts of the tokens.
#[utoipa::path(get, path = "/auth/tokens", tag = "auth", extensions(("x-status" = json!("extension"))),
    security(("bearer" = [])), responses((status = 200, body = ListEnvelope<ApplicationToken>)))]
pub(crate) async fn list_application_tokens(
    State(app): State<App>,
    caller: Caller,
) -> RespondList<ApplicationToken> {
    Ok(List(Page { rows: application_tokens::list(&app, caller.id).await?, after: None }))
}

/// Revoke an application token
///
/// Revokes the token immediately. Returns 404 if the token does not exist or belongs to another user.
#[utoipa::path(delete, path = "/auth/tokens/{id}", tag = "auth", extensions(("x-status" = json!("extension"))),
    security(("bearer" = [])), params(("id" = ApplicationTokenId, Path, description = "ID of the token")),
    responses((status = 200, body = Envelope<TokenEnded>)))]
pub(crate) async fn end_application_token(
    State(app): State<App>,
    caller: Caller,
    Path(token): Path<ApplicationTokenId>,
    Input { once, .. }: Input<Empty>,
) -> Respond<TokenEnded> {
    application_tokens::end(&app, caller.id, token, &once).await?;
    Ok(Reply::ok(TokenEnded { ended: true }))
}

/// The application token was revoked.
#[derive(Serialize, ToSchema)]
#[schema(as = ApplicationTokenRevocation)]
pub(crate) struct TokenEnded {
    /// Always true.
    #[schema(example = true)]
    ended: bool,
}
