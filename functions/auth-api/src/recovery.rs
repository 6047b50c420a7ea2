//! `/auth/forgot-password` and `/auth/reset-password`: resetting a forgotten password.

use axum::extract::State;
use domain::{
    accounts::{self, NewSecret},
    people::Email,
};
use platform::App;
use runtime::{AnonymousClient, Envelope, Input, Reply, Respond};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// Request an email with a link to reset the password
///
/// The response and its timing do not reveal whether an account has this email address. The link works once, within an
/// hour.
#[utoipa::path(post, path = "/auth/forgot-password", tag = "auth", extensions(("x-status" = json!("live"))),
    request_body(content = ForgottenPassword, example = json!({ "email": "ann@example.com" })),
    responses((status = 200, body = Envelope<Requested>)))]
pub(crate) async fn request_password_reset(
    State(app): State<App>,
    client: AnonymousClient,
    Input { body: ForgottenPassword { email }, once }: Input<ForgottenPassword>,
) -> Respond<Requested> {
    client.rate_limit(&app, "forgot-password", &email.to_string()).await?;
    accounts::request_password_reset(&app, &email, &once).await?;
    Ok(Reply::ok(Requested { requested: true })
        .message("if an account has this email address, an email is on its way"))
}

/// Validate a reset token
///
/// Always returns `valid: true`, so the response does not reveal valid tokens. `POST /auth/reset-password` checks the
/// token.
#[utoipa::path(get, path = "/auth/reset-password/validate", tag = "auth", extensions(("x-status" = json!("live"))),
    params(("token" = Option<String>, Query, description = "Token from the email")),
    responses((status = 200, body = Envelope<Valid>)))]
pub(crate) async fn validate_reset_token() -> Respond<Valid> {
    Ok(Reply::ok(Valid { valid: true }))
}

/// Reset the password with the token from the email
///
/// Ends every session of the account. A token works once, within an hour. An unknown, used or expired token returns
/// 400.
///
/// The second factor stays on. With `removeSecondFactor`, it is removed 72 hours later, if the email address is
/// confirmed. Until then, the user gets an email each day. Signing in with a code stops the removal.
#[utoipa::path(post, path = "/auth/reset-password", tag = "auth", extensions(("x-status" = json!("live"))),
    request_body(content = NewSecret, example = json!({
        "token": "q5t0Zc7oZl0Yv1dJ3mXnB8uQ2rS4wT6yA9eK1gH5iLo", "password": "another horse battery"
    })), responses((status = 200, body = Envelope<Changed>)))]
pub(crate) async fn reset_password(
    State(app): State<App>,
    client: AnonymousClient,
    Input { body: request, once }: Input<NewSecret>,
) -> Respond<Changed> {
    client.rate_limit(&app, "reset-password", request.token.expose()).await?;
    accounts::reset(&app, request, &once).await?;
    Ok(Reply::ok(Changed { reset: true }))
}

/// Request for an email with a reset link.
#[derive(Deserialize, ToSchema)]
#[schema(as = PasswordResetRequest)]
pub(crate) struct ForgottenPassword {
    /// Email address of the account.
    email: Email,
}

/// The request was accepted.
#[derive(Serialize, ToSchema)]
#[schema(as = PasswordResetRequestResult)]
pub(crate) struct Requested {
    /// Always true.
    #[schema(example = true)]
    requested: bool,
}

/// Response to every token, valid or not.
#[derive(Serialize, ToSchema)]
#[schema(as = ResetTokenCheck)]
pub(crate) struct Valid {
    /// Always true.
    #[schema(example = true)]
    valid: bool,
}

/// The password was reset.
#[derive(Serialize, ToSchema)]
#[schema(as = PasswordResetResult)]
pub(crate) struct Changed {
    /// Always true.
    #[schema(example = true)]
    reset: bool,
}
