//! Registration, sign-in, refresh and sign-out: the requests that give or end a pair of tokens.

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

/// Open an account
///
/// Assigns the role USER, signs in, and mails a link that confirms the address. A username or an e-mail that
/// is taken, ignoring case, answers 400. With an `Idempotency-Key`, a repeated request gets the same tokens,
/// and the mail is sent unless it was sent before.
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
/// With an e-mail or a username, and the password. A wrong identifier and a wrong password answer
/// the same 401; a banned or locked account answers 403. After 30 failed tries within 5 minutes, from wherever they
/// come and whether they name the e-mail or the username, the account answers 429, but not to an address from which
/// somebody signed in to it within 30 days. A user has at most 20 sessions: the oldest ends.
///
/// An account with a second factor takes `code` too, a code of the authenticator or a recovery code: without it, a right
/// password answers 401 with the code `SECOND_FACTOR_REQUIRED`. Each code signs in once; after 10 wrong ones within an
/// hour the account answers 429.
#[utoipa::path(post, path = "/auth/login", tag = "auth", extensions(("x-status" = json!("live"))),
    request_body(content = Credentials, example = json!({
        "identifier": "ann", "password": "correct horse battery"
    })), responses(
        (status = 200, body = Envelope<TokenPair>),
        (status = 401, description = "`UNAUTHORIZED`: the identifier, the password or the code is wrong; `SECOND_FACTOR_REQUIRED`: the code is missing"),
        (status = 403, description = "`FORBIDDEN`: banned or locked")))]
pub(crate) async fn sign_in(
    State(app): State<App>,
    AnonymousClient(device): AnonymousClient,
    Body(credentials): Body<Credentials>,
) -> Respond<TokenPair> {
    let grant = accounts::sign_in(&app, credentials, &device).await?;
    Ok(Reply::ok(grant.tokens(&app).await?))
}

/// Get the next pair of tokens
///
/// The new tokens carry the present roles and status; a banned or locked account answers 403. A token is
/// valid for one refresh. Within 30 seconds it gives the same successor again, for two tabs that refresh at
/// once; later it answers 401, and the whole session ends. A session ends 180 days after its sign-in, however
/// often it is refreshed.
#[utoipa::path(post, path = "/auth/refresh-token", tag = "auth", extensions(("x-status" = json!("live"))),
    params(("x-refresh-token" = String, Header, description = "The refresh token")),
    responses(
        (status = 200, body = Envelope<TokenPair>),
        (status = 401, description = "`UNAUTHORIZED`: the token is missing, wrong, old or used"),
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
/// Both tokens of the session are invalid at once on every route. A repetition with the same pair changes
/// nothing and answers 200.
#[utoipa::path(post, path = "/auth/logout", tag = "auth", extensions(("x-status" = json!("live"))),
    security(("bearer" = [])),
    params(("x-refresh-token" = String, Header, description = "The refresh token of the same session")),
    responses((status = 200, body = Envelope<LoggedOut>)))]
pub(crate) async fn sign_out(State(app): State<App>, pair: PresentedTokenPair) -> Respond<LoggedOut> {
    sessions::end(&app, pair.id, pair.session).await?;
    Ok(Reply::ok(LoggedOut { logged_out: true }).message("signed out"))
}

/// The answer to a sign-out.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct LoggedOut {
    /// Always true.
    #[schema(example = true)]
    logged_out: bool,
}
