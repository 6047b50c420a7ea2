//! Signing in.

use platform::{
    App,
    error::{Error, Result},
    table::Write,
};
use serde::Deserialize;
use utoipa::ToSchema;

use crate::{
    accounts::{passwords::TypedPassword, sessions::Session, tokens::Grant},
    ids::UserId,
    people::{
        unique,
        users::{self, User},
    },
};

const MAX_BYTES: usize = 254;
const WRONG_CREDENTIALS: Error = Error::Unauthenticated("the identifier or the password is wrong");
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

impl AsRef<str> for Identifier {
    fn as_ref(&self) -> &str {
        &self.0
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
}

/// Signs in: opens a session. Costs 3 calls, 2 RRU and 4 WRU.
///
/// An unknown identifier costs the same reads and the same hashing as a known one. The session is written
/// only while the account is as it was read, so a reset, a ban or a change of roles at the same time leaves
/// no session behind.
///
/// # Errors
/// [`Error::Unauthenticated`] when the identifier or the password is wrong; [`Error::Forbidden`] for a
/// banned or locked account.
pub async fn sign_in(app: &App, credentials: Credentials, user_agent: Option<&str>) -> Result<Grant> {
    let user = authenticate(app, credentials).await?;
    open(app, &user, user_agent).await
}

/// Signs an administrator in. Costs as much as [`sign_in`].
///
/// # Errors
/// Those of [`sign_in`]; [`Error::Forbidden`] also when the user is not an administrator.
pub async fn sign_in_to_administer(
    app: &App,
    credentials: Credentials,
    user_agent: Option<&str>,
) -> Result<Grant> {
    let user = authenticate(app, credentials).await?;
    if !user.is_admin() {
        return Err(Error::Forbidden("only administrators may do this".into()));
    }
    open(app, &user, user_agent).await
}

/// Returns the user with these credentials.
async fn authenticate(app: &App, credentials: Credentials) -> Result<User> {
    let id = find(app, &credentials.identifier).await?;
    let user = users::find(app, id.unwrap_or_else(|| UserId::random_at(app.now()))).await?;
    let hash = user.as_ref().map(|it| it.password_hash.clone());
    let matches = credentials.password.matches(hash).await?;
    let user = user.filter(|_| matches).ok_or(WRONG_CREDENTIALS)?;
    user.check_active().map(|()| user)
}

async fn open(app: &App, user: &User, user_agent: Option<&str>) -> Result<Grant> {
    let session = Session::open(app, user.id, user_agent);
    app.table.transact(vec![check_unchanged(user), Write::create(&session)]).await?;
    Ok(session.grant(user))
}

async fn find(app: &App, identifier: &Identifier) -> Result<Option<UserId>> {
    match identifier.0.contains('@') {
        true => unique::find_by_email(app, &identifier.0).await,
        false => unique::find_by_username(app, &identifier.0).await,
    }
}

fn check_unchanged(user: &User) -> Write {
    let check = Write::check(users::key(user.id)).equals("passwordHash", &user.password_hash);
    check.equals("status", user.status).equals("roles", &user.roles).or(ACCOUNT_CHANGED).into()
}
