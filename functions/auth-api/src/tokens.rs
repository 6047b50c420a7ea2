//! Registration, sign-in, refresh and sign-out: the requests that issue or revoke token pairs.

use axum::extract::State;
use domain::accounts::{self, Credentials, Registration, sessions, tokens::TokenPair, tries};
use platform::App;
use runtime::{
    AnonymousClient, Empty, Envelope, Input, Reply, Respond,
    caller::{PresentedTokenPair, RefreshToken},
};
use serde::Serialize;
use utoipa::ToSchema;

/// Register an account
///
/// Creates an account with the role USER, signs in, and emails a link to confirm the address. Returns 400 if the
/// username or the email address is taken. The comparison ignores case. Repeating the request with the same
/// `Idempotency-Key` returns the same tokens. The email is sent only once.
#[utoipa::path(post, path = "/auth/register", tag = "auth", extensions(("x-status" = json!("live"))),
    request_body(content = Registration, example = json!({
        "name": "Ann Nguyen", "username": "ann", "email": "ann@example.com", "password": "correct horse battery"
    })), responses((status = 201, body = Envelope<TokenPair>)))]
pub(crate) async fn register_account(
    State(app): State<App>,
    client: AnonymousClient,
    Input { body, once }: Input<Registration>,
) -> Respond<TokenPair> {
    client.rate_limit(&app, "register", &body.email.to_string()).await?;
    tries::count_registration(&app, &client.0).await?;
    let grant = accounts::register(&app, &once, body, &client.0).await?;
    Ok(Reply::created(grant.tokens(&app).await?))
}

/// Sign in
///
/// Requires an email address or a username, and the password. A wrong identifier and a wrong password return the same
/// 401. A banned or locked account returns 403. For a ban, the message has the reason and the end, and the header
/// `x-appeal-token` has a token for an appeal (`POST /me/moderation/{postId}/appeal`). After 30 attempts with an
/// identifier within 5 minutes, an IP address gets 429. After 30 failed attempts for an account from all IP addresses
/// together, even the right password returns 401. IP addresses from which the user signed in within the last 30 days
/// are exempt. A user can have at most 20 sessions. Another sign-in ends the oldest session.
///
/// An account with a second factor also requires `code`: a code from the authenticator, or a recovery code. If only
/// `code` is missing, returns 401 with the error code `SECOND_FACTOR_REQUIRED`. Each code works once. After 10 wrong
/// codes within an hour, sign-ins to the account return 429.
#[utoipa::path(post, path = "/auth/login", tag = "auth", extensions(("x-status" = json!("live"))),
    request_body(content = Credentials, example = json!({
        "identifier": "ann", "password": "correct horse battery"
    })), responses(
        (status = 200, body = Envelope<TokenPair>),
        (status = 401, description = "`UNAUTHORIZED`: the identifier, the password or the code is wrong. `SECOND_FACTOR_REQUIRED`: the code is missing"),
        (status = 403, description = "`FORBIDDEN`: the account is banned or locked")))]
pub(crate) async fn sign_in(
    State(app): State<App>,
    AnonymousClient(device): AnonymousClient,
    Input { body: credentials, .. }: Input<Credentials>,
) -> Respond<TokenPair> {
    let grant = accounts::sign_in(&app, credentials, &device).await?;
    Ok(Reply::ok(grant.tokens(&app).await?))
}

/// Refresh the token pair
///
/// The new tokens have the current roles and status. A banned or locked account returns 403. A refresh token works
/// once. If two tabs refresh at the same time with the same token, both get the same new tokens. Using a token again
/// more than 30 seconds after its first use returns 401 and ends the session. A session ends 180 days after its
/// sign-in, even if it is refreshed.
#[utoipa::path(post, path = "/auth/refresh-token", tag = "auth", extensions(("x-status" = json!("live"))),
    params(("x-refresh-token" = String, Header, description = "The refresh token")),
    responses(
        (status = 200, body = Envelope<TokenPair>),
        (status = 401, description = "`UNAUTHORIZED`: the token is missing, invalid, expired or used"),
        (status = 403, description = "`FORBIDDEN`: the account is banned or locked")))]
pub(crate) async fn refresh_tokens(
    State(app): State<App>,
    RefreshToken(claims): RefreshToken,
    _: Input<Empty>,
) -> Respond<TokenPair> {
    let grant = sessions::refresh(&app, &claims).await?;
    Ok(Reply::ok(grant.tokens(&app).await?))
}

/// Sign out
///
/// Invalidates both tokens of the session immediately. Repeating the request with the same tokens has no effect and
/// returns 200.
#[utoipa::path(post, path = "/auth/logout", tag = "auth", extensions(("x-status" = json!("live"))),
    security(("bearer" = [])),
    params(("x-refresh-token" = String, Header, description = "The refresh token of the same session")),
    responses((status = 200, body = Envelope<LoggedOut>)))]
pub(crate) async fn sign_out(
    State(app): State<App>,
    pair: PresentedTokenPair,
    _: Input<Empty>,
) -> Respond<LoggedOut> {
    sessions::sign_out(&app, pair.id, pair.session).await?;
    Ok(Reply::ok(LoggedOut { logged_out: true }).message("signed out"))
}

/// The session was ended.
#[derive(Serialize, ToSchema)]
#[schema(as = SignOutResult)]
#[serde(rename_all = "camelCase")]
pub(crate) struct LoggedOut {
    /// Always true.
    #[schema(example = true)]
    logged_out: bool,
}
