//! Registration, sign-in, refresh and sign-out: the requests that issue or revoke token pairs.

use axum::extract::State;
use domain::accounts::{self, Credentials, Registration, sessions, tokens::TokenPair};
use platform::App;
use runtime::{
    anonymous_client::AnonymousClient,
    caller::{PresentedTokenPair, RefreshToken},
    http::{Body, Create, Envelope, Reply, Respond},
};
use serde::Serialize;
use utoipa::ToSchema;

/// Register an account
///
/// Assigns the role USER, signs in, and mails a link that confirms the address. Returns 400 if the username or the
/// email address is taken, ignoring case. Repeating the request with its `Idempotency-Key` returns the same tokens. It
/// sends the mail only if it was not sent yet.
#[utoipa::path(post, path = "/auth/register", tag = "auth", extensions(("x-status" = json!("live"))),
    request_body(content = Registration, example = json!({
        "name": "Ann Nguyen", "username": "ann", "email": "ann@example.com", "password": "correct horse battery"
    })), responses((status = 201, body = Envelope<TokenPair>)))]
pub(crate) async fn register_account(
    State(app): State<App>,
    client: AnonymousClient,
    Create { body, once }: Create<Registration>,
) -> Respond<TokenPair> {
    client.rate_limit(&app, "register", &body.email.to_string()).await?;
    let grant = accounts::register(&app, &once, body, &client.0).await?;
    Ok(Reply::created(grant.tokens(&app).await?))
}

/// Sign in
///
/// Takes an email address or a username, and the password. A wrong identifier and a wrong password return the same 401.
/// A banned or locked account returns 403. After 30 failed attempts within 5 minutes the account returns 429, whatever
/// their addresses and identifiers. Addresses from which the user signed in within the last 30 days are exempt. A user
/// can have at most 20 sessions. Another sign-in ends the oldest one.
///
/// An account with a second factor also requires `code`: a code of the authenticator, or a recovery code. Without it, a
/// correct password returns 401 with the code `SECOND_FACTOR_REQUIRED`. Each code works once. After 10 wrong codes
/// within an hour the account returns 429.
#[utoipa::path(post, path = "/auth/login", tag = "auth", extensions(("x-status" = json!("live"))),
    request_body(content = Credentials, example = json!({
        "identifier": "ann", "password": "correct horse battery"
    })), responses(
        (status = 200, body = Envelope<TokenPair>),
        (status = 401, description = "`UNAUTHORIZED`: the identifier, the password or the code is wrong. `SECOND_FACTOR_REQUIRED`: the code is missing"),
        (status = 403, description = "`FORBIDDEN`: banned or locked")))]
pub(crate) async fn sign_in(
    State(app): State<App>,
    AnonymousClient(device): AnonymousClient,
    Body(credentials): Body<Credentials>,
) -> Respond<TokenPair> {
    let grant = accounts::sign_in(&app, credentials, &device).await?;
    Ok(Reply::ok(grant.tokens(&app).await?))
}

/// Refresh the token pair
///
/// The new tokens carry the current roles and status. A banned or locked account returns 403. A refresh token works
/// once. Within 30 seconds, reusing it returns the same successor, for two tabs that refresh at once. Later it returns
/// 401 and ends the session. A session ends 180 days after its sign-in, even if it is refreshed.
#[utoipa::path(post, path = "/auth/refresh-token", tag = "auth", extensions(("x-status" = json!("live"))),
    params(("x-refresh-token" = String, Header, description = "The refresh token")),
    responses(
        (status = 200, body = Envelope<TokenPair>),
        (status = 401, description = "`UNAUTHORIZED`: the token is missing, invalid, expired or used"),
        (status = 403, description = "`FORBIDDEN`: banned or locked")))]
pub(crate) async fn refresh_tokens(
    State(app): State<App>,
    RefreshToken(claims): RefreshToken,
) -> Respond<TokenPair> {
    let grant = sessions::refresh(&app, &claims).await?;
    Ok(Reply::ok(grant.tokens(&app).await?))
}

/// Sign out
///
/// Invalidates both tokens of the session immediately. Repeating with the same pair has no effect and returns 200.
#[utoipa::path(post, path = "/auth/logout", tag = "auth", extensions(("x-status" = json!("live"))),
    security(("bearer" = [])),
    params(("x-refresh-token" = String, Header, description = "The refresh token of the same session")),
    responses((status = 200, body = Envelope<LoggedOut>)))]
pub(crate) async fn sign_out(State(app): State<App>, pair: PresentedTokenPair) -> Respond<LoggedOut> {
    sessions::end(&app, pair.id, pair.session).await?;
    Ok(Reply::ok(LoggedOut { logged_out: true }).message("signed out"))
}

/// The session was ended.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct LoggedOut {
    /// Always true.
    #[schema(example = true)]
    logged_out: bool,
}
