//! Signing in.

use base::ids::UserId;
use ledger::security::{self, SecurityEvent};
use platform::{
    App,
    error::{Error, Result},
    table::Write,
};
use serde::Deserialize;
use utoipa::ToSchema;

use crate::{
    passwords::TypedPassword,
    second_factor::{self, Code, UsedCode},
    sessions::{self, Session},
    tokens::Grant,
    tries::{self, Device, FailedTries, KnownAddress},
};
use people::{
    unique,
    users::{self, User},
};

const MAX_BYTES: usize = 254;
const WRONG_CREDENTIALS: Error = Error::Unauthenticated("the identifier or the password is wrong");
const WRONG_CODE: Error = Error::Unauthenticated("the code is wrong or was used");
const ACCOUNT_CHANGED: Error = Error::Unauthenticated("the account has just changed: sign in again");

/// An e-mail or a username in lower case, which may be unknown.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[schema(value_type = String, max_length = 254, example = "ann@example.com")]
#[serde(try_from = "String")]
pub struct Identifier(String);

impl TryFrom<String> for Identifier {
    type Error = &'static str;

    fn try_from(text: String) -> Result<Self, &'static str> {
        let text = text.trim().to_lowercase();
        let fits = (1..=MAX_BYTES).contains(&text.len());
        fits.then_some(Self(text)).ok_or("must be an e-mail or a username")
    }
}

/// A request to sign in.
#[derive(Clone, Debug, Deserialize, ToSchema)]
pub struct Credentials {
    /// The e-mail or the username; `email` and `username` are accepted as names of this field.
    #[serde(alias = "email", alias = "username")]
    pub identifier: Identifier,
    /// The password.
    pub password: TypedPassword,
    /// A code of the authenticator or a recovery code, where the account has a second factor.
    #[serde(default)]
    pub code: Option<Code>,
}

/// Signs in: opens a session, and ends the oldest one of more than 20.
///
/// An unknown identifier costs the same reads and the same hashing as a known one. The session is written
/// only while the account is as it was read, so a reset, a ban or a change of roles at the same time leaves
/// no session behind.
///
/// # Errors
/// [`Error::Unauthenticated`] when the identifier, the password or the code is wrong; [`Error::Forbidden`] for a
/// banned or locked account; [`Error::SecondFactorRequired`] for a right password without a code that it takes;
/// [`Error::LimitReached`] after too many tries.
pub async fn sign_in(app: &App, credentials: Credentials, device: &Device) -> Result<Grant> {
    let found = authenticate(app, credentials, device).await?;
    open(app, found, device).await
}

/// Signs an administrator in.
///
/// # Errors
/// Those of [`sign_in`]; [`Error::Forbidden`] also when the user is not an administrator.
pub async fn sign_in_to_administer(app: &App, credentials: Credentials, device: &Device) -> Result<Grant> {
    let found = authenticate(app, credentials, device).await?;
    if !found.user.is_admin() {
        security::log(SecurityEvent::SignInRefused, found.user.id, "no administrator");
        return Err(Error::Forbidden("only administrators may do this".into()));
    }
    open(app, found, device).await
}

/// Somebody with the right password.
struct Authenticated {
    user: User,
    tries: FailedTries,
    known: Option<KnownAddress>,
    code: Option<Code>,
}

/// Returns the user with these credentials. The e-mail and the username are tried as one account.
async fn authenticate(app: &App, credentials: Credentials, device: &Device) -> Result<Authenticated> {
    let Credentials { identifier, password, code } = credentials;
    let (id, ()) = futures::try_join!(find(app, &identifier), tries::count_address(app, device))?;
    let account = id.map_or(identifier.0, |it| it.to_string());
    let Attempted { user, tries, known } = attempt(app, &account, id, device).await?;
    let matches = password.matches(user.as_ref().map(|it| it.password_hash.clone())).await?;
    let Some(user) = user.filter(|_| matches) else {
        security::log(SecurityEvent::SignInRefused, id, "wrong credentials");
        return Err(WRONG_CREDENTIALS);
    };
    if user.check_active().is_err() {
        security::log(SecurityEvent::SignInRefused, user.id, "banned or locked");
    }
    user.check_active()?;
    Ok(Authenticated { user, tries, known, code })
}

/// A try that the limits allow, at an account that may be nobody's.
pub(super) struct Attempted {
    pub(super) user: Option<User>,
    pub(super) tries: FailedTries,
    known: Option<KnownAddress>,
}

/// Counts a try, and reads the account. A known address is not held to the failed tries of others.
pub(super) async fn attempt(
    app: &App,
    account: &str,
    id: Option<UserId>,
    device: &Device,
) -> Result<Attempted> {
    let id = id.unwrap_or_else(|| UserId::random_at(app, app.now()));
    let (user_key, tries) = (users::key(id), FailedTries::at(app, account, id, device).await?);
    let keys = [user_key.clone(), tries.known_key().clone()];
    let both = tries::count_both(app, device, "login", account);
    let (mut rows, failed, ()) = futures::try_join!(app.table.get_together(&keys), tries.count(app), both)?;
    let known = rows.take::<KnownAddress>(tries.known_key())?.filter(|it| it.lasts(app));
    if known.is_none() {
        failed.enforce()?;
    }
    Ok(Attempted { user: rows.take(&user_key)?, tries, known })
}

async fn open(app: &App, found: Authenticated, device: &Device) -> Result<Grant> {
    let Authenticated { user, tries, known, code } = found;
    let used = check_second_factor(app, &user, code, &tries).await?;
    let (code_write, counted) = used.map(UsedCode::into_write).unzip();
    let session = Session::open(app, &user, device.user_agent.as_deref());
    let session = Session { second_factor: counted.is_some(), ..session };
    let session = sessions::count_opening(app, session).await?;
    let writes = [check_unchanged(&user), Write::create(&session)].into_iter().chain(code_write);
    app.table.transact(writes.chain(tries.remember_write(app, known)).collect()).await?;
    futures::try_join!(sessions::end_oldest(app, user.id), tries.take_back(app))?;
    let how = if counted.is_some() { "with the password and a code" } else { "with the password" };
    if let Some(counted) = counted {
        counted.take_back(app).await?;
    }
    security::log(SecurityEvent::SignedIn, user.id, how);
    Ok(session.grant(&user))
}

/// Checks the code of somebody who has a second factor. To ask which one it is to be is no failed try.
async fn check_second_factor(
    app: &App,
    user: &User,
    code: Option<Code>,
    tries: &FailedTries,
) -> Result<Option<UsedCode>> {
    match (user.second_factor_at, code) {
        (None, _) => Ok(None),
        (Some(_), Some(code)) => second_factor::use_code(app, user.id, &code, || WRONG_CODE).await.map(Some),
        (Some(_), None) => {
            tries.take_back(app).await?;
            Err(Error::SecondFactorRequired)
        }
    }
}

async fn find(app: &App, identifier: &Identifier) -> Result<Option<UserId>> {
    match identifier.0.contains('@') {
        true => unique::find_by_email(app, &identifier.0).await,
        false => unique::find_by_username(app, &identifier.0).await,
    }
}

/// Returns the check that an account is as it was read: what opens it is written only then.
pub(super) fn check_unchanged(user: &User) -> Write {
    let check = Write::check(users::key(user.id)).equals("passwordHash", &user.password_hash);
    let check = check.equals("status", user.status).equals("roles", &user.roles);
    check.is_still("secondFactorAt", user.second_factor_at).or(ACCOUNT_CHANGED).into()
}
