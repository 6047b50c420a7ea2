//! `/auth/password`: changing the password.

use axum::extract::State;
use domain::accounts::{self, PasswordChange};
use platform::App;
use runtime::{AnonymousClient, Caller, Envelope, Input, Reply, Respond};
use serde::Serialize;
use utoipa::ToSchema;

/// Change the password
///
/// Ends all other sessions, revokes all application tokens, and invalidates emailed links. The user gets an email. A
/// wrong current password returns 400 and counts as a failed sign-in attempt.
#[utoipa::path(post, path = "/auth/password", tag = "auth", extensions(("x-status" = json!("extension"))),
    security(("bearer" = [])),
    request_body(content = PasswordChange, example = json!({
        "currentPassword": "correct horse battery", "password": "another horse battery"
    })), responses((status = 200, body = Envelope<PasswordChanged>)))]
pub(crate) async fn change_password(
    State(app): State<App>,
    caller: Caller,
    AnonymousClient(device): AnonymousClient,
    Input { body: change, once }: Input<PasswordChange>,
) -> Respond<PasswordChanged> {
    accounts::change_password(&app, caller.id, caller.session, change, &device, &once).await?;
    Ok(Reply::ok(PasswordChanged { changed: true }))
}

/// The password was changed.
#[derive(Serialize, ToSchema)]
#[schema(as = PasswordChangeResult)]
pub(crate) struct PasswordChanged {
    /// Always true.
    #[schema(example = true)]
    changed: bool,
}
