//! `/auth/forgot-password` and `/auth/reset-password`.

use axum::extract::State;
use domain::{
    accounts::{self, NewSecret},
    people::users::Email,
};
use platform::App;
use runtime::{
    anonymous_client::AnonymousClient,
    http::{Body, Envelope, Reply, Respond},
};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// Mail a link to set a new password
///
/// The answer is the same, after the same work, whether or not an account has this e-mail. The link works
/// once, for an hour.
#[utoipa::path(post, path = "/auth/forgot-password", tag = "auth", extensions(("x-status" = json!("live"))),
    request_body(content = ForgottenPassword, example = json!({ "email": "ann@example.com" })),
    responses((status = 200, body = Envelope<Requested>)))]
pub(crate) async fn request_password_reset(
    State(app): State<App>,
    client: AnonymousClient,
    Body(ForgottenPassword { email }): Body<ForgottenPassword>,
) -> Respond<Requested> {
    client.rate_limit(&app, "forgot-password", &email.to_string()).await?;
    accounts::ask_for_reset(&app, &email).await?;
    Ok(Reply::ok(Requested { requested: true }).message("if somebody has this e-mail, a mail is on its way"))
}

/// Ask whether a reset token is valid
///
/// Always answers `valid: true`, so that nobody can probe for tokens. `POST /auth/reset-password` checks the
/// token.
#[utoipa::path(get, path = "/auth/reset-password/validate", tag = "auth", extensions(("x-status" = json!("live"))),
    params(("token" = Option<String>, Query, description = "The token of the mail")),
    responses((status = 200, body = Envelope<Valid>)))]
pub(crate) async fn validate_reset_token() -> Respond<Valid> {
    Ok(Reply::ok(Valid { valid: true }))
}

/// Set a new password with the token of the mail
///
/// Ends every session of the account. A token works once, for an hour; an unknown, used or expired one
/// answers 400.
#[utoipa::path(post, path = "/auth/reset-password", tag = "auth", extensions(("x-status" = json!("live"))),
    request_body(content = NewSecret, example = json!({
        "token": "q5t0Zc7oZl0Yv1dJ3mXnB8uQ2rS4wT6yA9eK1gH5iLo", "password": "another horse battery"
    })), responses((status = 200, body = Envelope<Changed>)))]
pub(crate) async fn reset_password(
    State(app): State<App>,
    client: AnonymousClient,
    Body(request): Body<NewSecret>,
) -> Respond<Changed> {
    client.rate_limit(&app, "reset-password", request.token.expose()).await?;
    accounts::reset(&app, request).await?;
    Ok(Reply::ok(Changed { reset: true }))
}

/// A request for a reset mail.
#[derive(Deserialize, ToSchema)]
pub(crate) struct ForgottenPassword {
    /// The e-mail address of the account.
    email: Email,
}

/// The answer to a request for a reset mail.
#[derive(Serialize, ToSchema)]
pub(crate) struct Requested {
    /// Always true.
    #[schema(example = true)]
    requested: bool,
}

/// The answer about any token.
#[derive(Serialize, ToSchema)]
pub(crate) struct Valid {
    /// Always true.
    #[schema(example = true)]
    valid: bool,
}

/// The answer to a new password.
#[derive(Serialize, ToSchema)]
pub(crate) struct Changed {
    /// Always true.
    #[schema(example = true)]
    reset: bool,
}
