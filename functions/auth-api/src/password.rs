//! `/auth/password`: changing the password.

use axum::extract::State;
use domain::accounts::{self, PasswordChange};
use platform::App;
use runtime::{
    anonymous_client::AnonymousClient,
    caller::Caller,
    http::{Body, Envelope, Reply, Respond},
};
use serde::Serialize;
use utoipa::ToSchema;

/// Change the password
///
/// Ends all other sessions, all application tokens, and the links that were mailed before; a mail tells of it. A wrong
/// current password answers 400 and counts as a failed try to sign in.
#[utoipa::path(post, path = "/auth/password", tag = "auth", extensions(("x-status" = json!("extension"))),
    security(("bearer" = [])),
    request_body(content = PasswordChange, example = json!({
        "currentPassword": "correct horse battery", "password": "another horse battery"
    })), responses((status = 200, body = Envelope<PasswordChanged>)))]
pub(crate) async fn change_password(
    State(app): State<App>,
    caller: Caller,
    AnonymousClient(device): AnonymousClient,
    Body(change): Body<PasswordChange>,
) -> Respond<PasswordChanged> {
    accounts::change_password(&app, caller.id, caller.session, change, &device).await?;
    Ok(Reply::ok(PasswordChanged { changed: true }))
}

/// The answer to a changed password.
#[derive(Serialize, ToSchema)]
pub(crate) struct PasswordChanged {
    /// Always true.
    #[schema(example = true)]
    changed: bool,
}
