//! `/admin/login`: sign-in for administrators.

use axum::extract::State;
use domain::accounts::{self, Credentials, tokens::TokenPair};
use platform::App;
use runtime::{AnonymousClient, Envelope, Input, Reply, Respond};

/// Sign in as an administrator
///
/// Works like `/auth/login`, with the same limits. If the account does not have the role ADMIN, returns 403 and does
/// not sign in.
#[utoipa::path(post, path = "/admin/login", tag = "admin",
    extensions(("x-status" = json!("live"))),
    request_body(content = Credentials, example = json!({
        "identifier": "ann", "password": "correct horse battery"
    })),
    responses(
        (status = 200, body = Envelope<TokenPair>),
        (status = 401, description = "`UNAUTHORIZED`: the identifier, the password or the code is wrong. `SECOND_FACTOR_REQUIRED`: the code is missing"),
        (status = 403, description = "`FORBIDDEN`: the account is banned, locked, or not an administrator"),
    ))]
pub(crate) async fn sign_in_admin(
    State(app): State<App>,
    AnonymousClient(device): AnonymousClient,
    Input { body: credentials, .. }: Input<Credentials>,
) -> Respond<TokenPair> {
    let grant = accounts::sign_in_to_administer(&app, credentials, &device).await?;
    Ok(Reply::ok(grant.tokens(&app).await?))
}
