//! Signs users in with a password and a code.

use base::UserId;
use ledger::security::{self, SecurityEvent};
use platform::{App, Error, Result, Write, rate_limit::RateLimitStatus};
use serde::Deserialize;
use utoipa::ToSchema;

use crate::{
    Assertion, Code, Device, Grant, Session, TypedPassword, appeal_token,
    opening::open_session,
    passkeys,
    second_factor::{self, CountedCode},
    sessions,
    tries::{self, FailedAttempts, KnownAddress},
};
use people::{User, addresses, unique, users};

const MAX_BYTES: usize = 254;
const WRONG_CREDENTIALS: Error = Error::Unauthenticated("the identifier or the password is wrong");
const WRONG_CODE: Error = Error::Unauthenticated("the code is wrong or was already used");

/// An email address or a username, in lower case. An account with this identifier need not exist.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[schema(value_type = String, max_length = 254, example = "ann@example.com")]
#[serde(try_from = "String")]
pub struct Identifier(String);

impl TryFrom<String> for Identifier {
    type Error = &'static str;

    fn try_from(text: String) -> Result<Self, &'static str> {
        let text = text.trim().to_lowercase();
        // Users also enter a username with `@`, as in a mention.
        let text = text.strip_prefix('@').unwrap_or(&text).to_owned();
        let fits = (1..=MAX_BYTES).contains(&text.len());
        fits.then_some(Self(text)).ok_or("must be an email address or a username")
    }
}

/// A request to sign in.
#[derive(Clone, Debug, Deserialize, ToSchema)]
pub struct Credentials {
    /// The email address or the username. This field may also be named `email` or `username`.
    #[serde(alias = "email", alias = "username")]
    pub identifier: Identifier,
    /// The password of the account.
    pub password: TypedPassword,
    /// A code from the authenticator, or a recovery code. Required if the account has a second factor.
    #[serde(default)]
    pub code: Option<Code>,
    /// A passkey's response to the options from `POST /auth/passkeys/login/options`. Replaces `code`.
    #[serde(default)]
    pub passkey: Option<Assertion>,
}

/// Signs in a user. Opens a session, and revokes the oldest session if the user has more than 20.
///
/// An unknown identifier causes the same work as a known identifier. The session is opened only if the account has not
/// changed since it was read.
///
/// # Errors
/// Fails with [`Error::Unauthenticated`] if the identifier, the password or the code is wrong. Fails with
/// [`Error::Forbidden`] if the account is banned or locked. Fails with [`Error::SecondFactorRequired`] if the code is
/// missing. Fails with [`Error::LimitReached`] after too many attempts.
pub async fn sign_in(app: &App, credentials: Credentials, device: &Device) -> Result<Grant> {
    let found = authenticate(app, credentials, device).await?;
    open(app, found, device).await
}

/// Signs in an administrator.
///
/// # Errors
/// Fails like [`sign_in`]. Also fails with [`Error::Forbidden`] if the user is not an administrator.
pub async fn sign_in_to_administer(app: &App, credentials: Credentials, device: &Device) -> Result<Grant> {
    let found = authenticate(app, credentials, device).await?;
    if !found.user.is_admin() {
        security::log(SecurityEvent::SignInRefused, found.user.id, "not an administrator");
        return Err(Error::Forbidden("only administrators may do this".into()));
    }
    open(app, found, device).await
}

/// A user whose password was correct.
struct Authenticated {
    user: User,
    attempts: FailedAttempts,
    known: Option<KnownAddress>,
    /// The second factor: a code or a passkey.
    factor: (Option<Code>, Option<Assertion>),
}

/// Returns the user with these credentials.
///
/// Attempts with the email address and attempts with the username count for the same account. If there were too many,
/// the response is the same as for a wrong password. A different response would reveal which username belongs to an
/// address.
async fn authenticate(app: &App, credentials: Credentials, device: &Device) -> Result<Authenticated> {
    let Credentials { identifier, password, code, passkey } = credentials;
    let (id, (), ()) = futures::try_join!(
        find(app, &identifier),
        tries::count_address(app, device),
        tries::count_both(app, device, "login", &identifier.0),
    )?;
    let account = id.map_or(identifier.0, |id| id.to_string());
    let Attempted { user, attempts, known, limited } = attempt(app, &account, id, device).await?;
    let matches = password.matches(user.as_ref().map(|user| user.password_hash.clone())).await?;
    let Some(user) = user.filter(|_| matches && limited.is_none()) else {
        let reason = if limited.is_some() { "too many failed attempts" } else { "wrong credentials" };
        security::log(SecurityEvent::SignInRefused, id, reason);
        return Err(WRONG_CREDENTIALS);
    };
    Ok(Authenticated { user, attempts, known, factor: (code, passkey) })
}

/// A counted sign-in attempt.
pub(super) struct Attempted {
    /// The user, or `None` if the account does not exist.
    pub(super) user: Option<User>,
    pub(super) attempts: FailedAttempts,
    known: Option<KnownAddress>,
    /// The exceeded limit on failed attempts, or `None` if the attempt is allowed.
    pub(super) limited: Option<RateLimitStatus>,
}

/// Counts an attempt, and reads the account. If the request comes from a known address, failed attempts from other
/// addresses do not limit this request.
pub(super) async fn attempt(
    app: &App,
    account: &str,
    id: Option<UserId>,
    device: &Device,
) -> Result<Attempted> {
    let id = id.unwrap_or_else(|| UserId::random_at(app, app.now()));
    let (user_key, attempts) = (users::key(id), FailedAttempts::at(app, account, id, device).await?);
    let keys = [user_key.clone(), attempts.known_key.clone()];
    let (mut rows, failed) = futures::try_join!(app.table.get_together(&keys), attempts.count(app))?;
    let known = rows.take::<KnownAddress>(&attempts.known_key)?.filter(|address| address.is_valid(app));
    let limited = (known.is_none() && failed.is_exceeded()).then_some(failed);
    Ok(Attempted { user: rows.take(&user_key)?, attempts, known, limited })
}

async fn open(app: &App, found: Authenticated, device: &Device) -> Result<Grant> {
    let Authenticated { user, attempts, known, factor } = found;
    let (code_writes, counted) = check_second_factor(app, &user, factor, &attempts).await?.unzip();
    if !user.is_active() {
        app.table.write_all(code_writes.unwrap_or_default()).await?;
        futures::try_join!(attempts.take_back(app), take_back_code(app, counted.flatten()))?;
        return Err(appeal_token::refusal(app, &user).await?);
    }
    let session = Session::open(app, &user, device.user_agent.as_deref());
    let session = Session { second_factor: code_writes.is_some(), ..session };
    let writes = code_writes.into_iter().flatten().chain(attempts.remember_write(app, known)).collect();
    let session = open_session(app, &user, session, writes).await?;
    futures::try_join!(
        sessions::revoke_oldest(app, user.id),
        attempts.take_back(app),
        take_back_code(app, counted.flatten()),
    )?;
    let how =
        if session.second_factor { "with the password and a second factor" } else { "with the password" };
    security::log(SecurityEvent::SignedIn, user.id, how);
    Ok(session.grant(&user))
}

/// Checks the code or passkey of a user with a second factor. Returns the writes that record the use of the code or
/// passkey, and the counted code. A missing code does not count as a failed attempt.
async fn check_second_factor(
    app: &App,
    user: &User,
    factor: (Option<Code>, Option<Assertion>),
    attempts: &FailedAttempts,
) -> Result<Option<(Vec<Write>, Option<CountedCode>)>> {
    match (user.second_factor_at, factor) {
        (None, _) => Ok(None),
        (Some(_), (Some(code), _)) => {
            let used = second_factor::use_code(app, user.id, &code, || WRONG_CODE).await?;
            let (write, counted) = used.into_write();
            Ok(Some((vec![write], Some(counted))))
        }
        (Some(_), (None, Some(passkey))) => {
            Ok(Some((passkeys::used_writes(app, user.id, &passkey).await?, None)))
        }
        (Some(_), (None, None)) => {
            attempts.take_back(app).await?;
            Err(Error::SecondFactorRequired)
        }
    }
}

async fn take_back_code(app: &App, counted: Option<CountedCode>) -> Result<()> {
    match counted {
        Some(code) => code.take_back(app).await,
        None => Ok(()),
    }
}

async fn find(app: &App, identifier: &Identifier) -> Result<Option<UserId>> {
    match identifier.0.contains('@') {
        true => addresses::find_user(app, &identifier.0).await,
        false => unique::find_by_username(app, &identifier.0).await,
    }
}
