//! `/auth/email`: changing the email address.

use axum::extract::State;
use domain::accounts::{self, EmailChange, mailed_tokens::Token};
use platform::App;
use runtime::{AnonymousClient, Caller, Envelope, Input, Reply, Respond};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// Request a new email address
///
/// Sends a link to the new address, and a notice to the current address. The link works once, within 24 hours. The
/// current address stays in use until the change is confirmed. Requires the password or a code. A wrong password or
/// code returns 400 and counts as a failed attempt. Returns 400 if the new address is taken, or is already the user's
/// address.
#[utoipa::path(post, path = "/auth/email", tag = "auth", extensions(("x-status" = json!("extension"))),
    security(("bearer" = [])),
    request_body(content = EmailChange, example = json!({
        "password": "correct horse battery", "email": "ann@example.org"
    })), responses((status = 200, body = Envelope<EmailChangeRequested>)))]
pub(crate) async fn request_email_change(
    State(app): State<App>,
    caller: Caller,
    AnonymousClient(device): AnonymousClient,
    Input { body: change, once }: Input<EmailChange>,
) -> Respond<EmailChangeRequested> {
    accounts::request_email_change(&app, caller.into(), change, &device, &once).await?;
    Ok(Reply::ok(EmailChangeRequested { requested: true })
        .message("an email is on its way to the new address"))
}

/// Confirm the new email address with the token from the email
///
/// The account then has the new address, which counts as confirmed. The previous address becomes available, and links
/// sent to it become invalid. A token works once, within 24 hours, and only until the password or the address changes.
/// Returns 400 for an invalid token, and if another account took the new address in the meantime.
#[utoipa::path(post, path = "/auth/email/confirm", tag = "auth", extensions(("x-status" = json!("extension"))),
    request_body(content = NewAddressLink, example = json!({ "token": "q5t0Zc7oZl0Yv1dJ3mXnB8uQ2rS4wT6yA9eK1gH5iLo" })),
    responses((status = 200, body = Envelope<EmailChanged>)))]
pub(crate) async fn confirm_email_change(
    State(app): State<App>,
    client: AnonymousClient,
    Input { body: NewAddressLink { token }, once }: Input<NewAddressLink>,
) -> Respond<EmailChanged> {
    client.rate_limit(&app, "confirm-email", token.expose()).await?;
    accounts::confirm_email_change(&app, &token, &once).await?;
    Ok(Reply::ok(EmailChanged { changed: true }))
}

/// Token from the email to the new address.
#[derive(Deserialize, ToSchema)]
#[schema(as = EmailChangeToken)]
pub(crate) struct NewAddressLink {
    /// Token in the link.
    token: Token,
}

/// The change was requested.
#[derive(Serialize, ToSchema)]
#[schema(as = EmailChangeRequestResult)]
pub(crate) struct EmailChangeRequested {
    /// Always true.
    #[schema(example = true)]
    requested: bool,
}

/// The address was changed.
#[derive(Serialize, ToSchema)]
#[schema(as = EmailChangeResult)]
pub(crate) struct EmailChanged {
    /// Always true.
    #[schema(example = true)]
    changed: bool,
}
