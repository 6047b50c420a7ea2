//! `/auth/email`: changing the e-mail address.

use axum::extract::State;
use domain::accounts::{self, EmailChange, mailed_tokens::Token};
use platform::App;
use runtime::{
    anonymous_client::AnonymousClient,
    caller::Caller,
    http::{Body, Envelope, Reply, Respond},
};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// Ask for another e-mail address
///
/// Mails a link to the new address, which works once, for 24 hours, and a notice to the present one. Nothing changes
/// until the link is followed. A wrong password answers 400 and counts as a failed try to sign in; so does, as at the
/// registration, an address that is taken.
#[utoipa::path(post, path = "/auth/email", tag = "auth", extensions(("x-status" = json!("extension"))),
    security(("bearer" = [])),
    request_body(content = EmailChange, example = json!({
        "password": "correct horse battery", "email": "ann@example.org"
    })), responses((status = 200, body = Envelope<EmailChangeRequested>)))]
pub(crate) async fn request_email_change(
    State(app): State<App>,
    caller: Caller,
    AnonymousClient(device): AnonymousClient,
    Body(change): Body<EmailChange>,
) -> Respond<EmailChangeRequested> {
    accounts::ask_for_email_change(&app, caller.id, change, &device).await?;
    Ok(Reply::ok(EmailChangeRequested { requested: true }).message("a mail is on its way to the new address"))
}

/// Confirm the new e-mail address with the token of the mail
///
/// The address is confirmed with it, the one before is free, and links that were mailed to it are worthless. A token
/// works once, for 24 hours, until the password or the address is changed; any other answers 400, and so does an address
/// that somebody else has taken meanwhile.
#[utoipa::path(post, path = "/auth/email/confirm", tag = "auth", extensions(("x-status" = json!("extension"))),
    request_body(content = NewAddressLink, example = json!({ "token": "q5t0Zc7oZl0Yv1dJ3mXnB8uQ2rS4wT6yA9eK1gH5iLo" })),
    responses((status = 200, body = Envelope<EmailChanged>)))]
pub(crate) async fn confirm_email_change(
    State(app): State<App>,
    client: AnonymousClient,
    Body(NewAddressLink { token }): Body<NewAddressLink>,
) -> Respond<EmailChanged> {
    client.rate_limit(&app, "confirm-email", token.expose()).await?;
    accounts::confirm_email_change(&app, &token).await?;
    Ok(Reply::ok(EmailChanged { changed: true }))
}

/// The token of the link in the mail to the new address.
#[derive(Deserialize, ToSchema)]
pub(crate) struct NewAddressLink {
    /// The token of the link.
    token: Token,
}

/// The answer to a request for another address.
#[derive(Serialize, ToSchema)]
pub(crate) struct EmailChangeRequested {
    /// Always true.
    #[schema(example = true)]
    requested: bool,
}

/// The answer to a changed address.
#[derive(Serialize, ToSchema)]
pub(crate) struct EmailChanged {
    /// Always true.
    #[schema(example = true)]
    changed: bool,
}
