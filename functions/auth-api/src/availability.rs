//! `/auth/validate`: checks whether an email address or a username is available.

use axum::extract::State;
use domain::people::{Email, addresses, unique, users::RequestedUsername};
use platform::App;
use runtime::{AnonymousClient, Envelope, Input, Reply, Respond};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// Check whether an email address is available
///
/// Returns 400 if the text is not an email address.
#[utoipa::path(post, path = "/auth/validate/email", tag = "auth", extensions(("x-status" = json!("live"))),
    request_body(content = EmailQuery, example = json!({ "email": "ann@example.com" })),
    responses((status = 200, body = Envelope<Availability>)))]
pub(crate) async fn check_email(
    State(app): State<App>,
    client: AnonymousClient,
    Input { body: EmailQuery { email }, .. }: Input<EmailQuery>,
) -> Respond<Availability> {
    client.rate_limit(&app, "validate-email", &email.to_string()).await?;
    let available = addresses::is_free(&app, &email).await?;
    Ok(Reply::ok(Availability { available }))
}

/// Check whether a username is available
///
/// Returns 400 if the text cannot be a username. A reserved username is not available.
#[utoipa::path(post, path = "/auth/validate/username", tag = "auth", extensions(("x-status" = json!("live"))),
    request_body(content = UsernameQuery, example = json!({ "username": "ann" })),
    responses((status = 200, body = Envelope<Availability>)))]
pub(crate) async fn check_username(
    State(app): State<App>,
    client: AnonymousClient,
    Input { body: UsernameQuery { username }, .. }: Input<UsernameQuery>,
) -> Respond<Availability> {
    client.rate_limit(&app, "validate-username", &username.lower()).await?;
    let available = match username.allowed() {
        Some(username) => unique::username_is_free(&app, &username).await?,
        None => false,
    };
    Ok(Reply::ok(Availability { available }))
}

/// The email address whose availability to check.
#[derive(Deserialize, ToSchema)]
pub(crate) struct EmailQuery {
    /// Email address. Case is ignored.
    email: Email,
}

/// The username to look up.
#[derive(Deserialize, ToSchema)]
pub(crate) struct UsernameQuery {
    /// Username. Case is ignored.
    username: RequestedUsername,
}

/// Whether an email address or a username is available.
#[derive(Serialize, ToSchema)]
pub(crate) struct Availability {
    /// True if the address or username is neither taken nor reserved.
    available: bool,
}
