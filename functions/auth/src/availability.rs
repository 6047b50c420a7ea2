//! Whether a name can still be had.

use axum::extract::State;
use domain::people::{
    unique,
    users::{Email, RequestedUsername},
};
use platform::App;
use runtime::{
    anonymous_client::AnonymousClient,
    http::{Body, Envelope, Reply, Respond},
};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// Ask whether an e-mail is free
///
/// One that nobody could have answers 400.
#[utoipa::path(
    post,
    path = "/auth/validate/email",
    tag = "auth",
    request_body(content = WantedEmail, example = json!({ "email": "ann@example.com" })),
    responses((status = 200, body = Envelope<Availability>)),
    extensions(("x-status" = json!("live")))
)]
pub(crate) async fn check_email(
    State(app): State<App>,
    client: AnonymousClient,
    Body(WantedEmail { email }): Body<WantedEmail>,
) -> Respond<Availability> {
    client.tries(&app, "validate-email", &email.to_string()).await?;
    let available = unique::email_is_free(&app, &email).await?;
    Ok(Reply::ok(Availability { available }))
}

/// Ask whether a username is free
///
/// One of the wrong shape answers 400; a reserved one is not available.
#[utoipa::path(
    post,
    path = "/auth/validate/username",
    tag = "auth",
    request_body(content = WantedUsername, example = json!({ "username": "ann" })),
    responses((status = 200, body = Envelope<Availability>)),
    extensions(("x-status" = json!("live")))
)]
pub(crate) async fn check_username(
    State(app): State<App>,
    client: AnonymousClient,
    Body(WantedUsername { username }): Body<WantedUsername>,
) -> Respond<Availability> {
    client.tries(&app, "validate-username", &username.lower()).await?;
    let available = match username.allowed() {
        Some(username) => unique::username_is_free(&app, &username).await?,
        None => false,
    };
    Ok(Reply::ok(Availability { available }))
}

/// The e-mail in question.
#[derive(Deserialize, ToSchema)]
pub(crate) struct WantedEmail {
    /// Compared ignoring case.
    email: Email,
}

/// The username in question.
#[derive(Deserialize, ToSchema)]
pub(crate) struct WantedUsername {
    /// Compared ignoring case.
    username: RequestedUsername,
}

/// Whether it can be had.
#[derive(Serialize, ToSchema)]
pub(crate) struct Availability {
    /// Whether nobody has it.
    available: bool,
}
