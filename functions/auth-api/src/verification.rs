//! `/auth/verify-email` and `/auth/resend-verify-email`: confirming the email address.

use axum::extract::State;
use domain::accounts::{self, mailed_tokens::Token};
use platform::App;
use runtime::{AnonymousClient, Caller, Empty, Envelope, Input, Reply, Respond};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// Email the confirmation link again
///
/// The link works for 24 hours. Earlier links stay valid. No email is sent if the address is already confirmed.
#[utoipa::path(post, path = "/auth/resend-verify-email", tag = "auth", extensions(("x-status" = json!("live"))),
    security(("bearer" = [])), responses((status = 200, body = Envelope<Sent>)))]
pub(crate) async fn resend_verification_email(
    State(app): State<App>,
    caller: Caller,
    Input { once, .. }: Input<Empty>,
) -> Respond<Sent> {
    let sent = accounts::resend_verification(&app, caller.id, &once).await?;
    let message = if sent { "an email is on its way" } else { "the address is already confirmed" };
    Ok(Reply::ok(Sent { sent }).message(message))
}

/// Confirm the email address with the token from the email
///
/// A token works once, within 24 hours. An unknown, used or expired token returns 400.
#[utoipa::path(post, path = "/auth/verify-email", tag = "auth", extensions(("x-status" = json!("live"))),
    request_body(content = MailedLink, example = json!({ "token": "q5t0Zc7oZl0Yv1dJ3mXnB8uQ2rS4wT6yA9eK1gH5iLo" })),
    responses((status = 200, body = Envelope<Verified>)))]
pub(crate) async fn verify_email(
    State(app): State<App>,
    client: AnonymousClient,
    Input { body: MailedLink { token }, once }: Input<MailedLink>,
) -> Respond<Verified> {
    client.rate_limit(&app, "verify-email", token.expose()).await?;
    accounts::verify(&app, &token, &once).await?;
    Ok(Reply::ok(Verified { verified: true }))
}

/// Token from the emailed link.
#[derive(Deserialize, ToSchema)]
#[schema(as = EmailVerificationToken)]
pub(crate) struct MailedLink {
    /// Token in the link.
    token: Token,
}

/// Whether the confirmation email is sent.
#[derive(Serialize, ToSchema)]
#[schema(as = VerificationEmail)]
pub(crate) struct Sent {
    /// False if the address is already confirmed.
    sent: bool,
}

/// The address was confirmed.
#[derive(Serialize, ToSchema)]
#[schema(as = EmailVerification)]
pub(crate) struct Verified {
    /// Always true.
    #[schema(example = true)]
    verified: bool,
}
