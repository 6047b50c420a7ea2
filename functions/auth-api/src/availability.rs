//! `/auth/validate`: whether an e-mail or a username is free.

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
/// A text that is not an e-mail address answers 400.
#[utoipa::path(post, path = "/auth/validate/email", tag = "auth", extensions(("x-status" = json!("live"))),
    request_body(content = EmailQuery, example = json!({ "email": "ann@example.com" })),
    responses((status = 200, body = Envelope<Availability>)))]
pub(crate) async fn check_email(
    State(app): State<App>,
    client: AnonymousClient,
    Body(EmailQuery { email }): Body<EmailQuery>,
) -> Respond<Availability> {
    client.rate_limit(&app, "validate-email", &email.to_string()).await?;
    let available = unique::email_is_free(&app, &email).await?;
    Ok(Reply::ok(Availability { available }))
}

/// Ask whether a username is free
///
/// A text that cannot be a username answers 400. A reserved username is not available.
#[utoipa::path(post, path = "/auth/validate/username", tag = "auth", extensions(("x-status" = json!("live"))),
    request_body(content = UsernameQuery, example = json!({ "username": "ann" })),
    responses((status = 200, body = Envelope<Availability>)))]
pub(crate) async fn check_username(
    State(app): State<App>,
    client: AnonymousClient,
    Body(UsernameQuery { username }): Body<UsernameQuery>,
) -> Respond<Availability> {
    client.rate_limit(&app, "validate-username", &username.lower()).await?;
    let available = match username.allowed() {
        Some(username) => unique::username_is_free(&app, &username).await?,
        None => false,
    };
    Ok(Reply::ok(Availability { available }))
}

/// The e-mail to look up.
#[derive(Deserialize, ToSchema)]
pub(crate) struct EmailQuery {
    /// The e-mail, compared ignoring case.
    email: Email,
}

/// The username to look up.
#[derive(Deserialize, ToSchema)]
pub(crate) struct UsernameQuery {
    /// The username, compared ignoring case.
    username: RequestedUsername,
}

/// Whether an e-mail or a username is free.
#[derive(Serialize, ToSchema)]
pub(crate) struct Availability {
    /// True when nobody has it and it is not reserved.
    available: bool,
}
