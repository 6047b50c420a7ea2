//! Application tokens. With a token, a program can act for a user without signing in. The token's scopes limit the
//! operations.
//!
//! A token's row is a session with a name, scopes and the hash of a secret. The secret itself is never stored. Revoking
//! all sessions of a user also revokes the user's tokens.

use base::{ApplicationTokenId, UserId};
use ledger::security::{self, SecurityEvent};
use people::{User, users};
use platform::{App, Error, HOUR_SECONDS, Key, Once, Result, Row, Time, Write, mac};
use serde::{Deserialize, Serialize};
use tokio::sync::OnceCell;
use ulid::Ulid;
use utoipa::ToSchema;

use super::{
    Assertion, Code, Device, Notice, NoticeKind, Proof, Proven, Session, SessionOwner, TypedPassword, bearer,
    check_confirmed, check_proof, opening,
    scopes::Scope,
    sessions::{self, Application, ApplicationName},
};

/// HKDF label of the key that computes the secrets of application tokens.
const LABEL: &str = "application-token";
/// Maximum number of live tokens per user.
const TOKENS_MAX: usize = 20;
/// A token is valid for at most one year.
const LIFETIME_MAX_SECONDS: i64 = 365 * 24 * HOUR_SECONDS;

/// A request for an application token.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ApplicationTokenRequest {
    /// The name that the user gave the application.
    pub name: ApplicationName,
    /// The scopes of the token. At least one is required.
    pub scopes: Scopes,
    /// The time at which the token expires, at most 1 year from now. The default is 1 year from now.
    pub expires_at: Option<Time>,
    /// The password. Required unless `code` is present.
    #[serde(default)]
    pub password: Option<TypedPassword>,
    /// A code from the authenticator, or a recovery code. Replaces the password if the session was opened with a second
    /// factor.
    #[serde(default)]
    pub code: Option<Code>,
    /// A passkey's response to the options from `POST /auth/passkeys/login/options`. Replaces the password if the
    /// session was opened with a second factor.
    #[serde(default)]
    pub passkey: Option<Assertion>,
}

/// Scopes of a token. There is at least one scope, and no duplicates.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[schema(as = TokenScopes, value_type = Vec<Scope>, min_items = 1)]
#[serde(try_from = "Vec<Scope>")]
pub struct Scopes(Vec<Scope>);

impl TryFrom<Vec<Scope>> for Scopes {
    type Error = &'static str;

    fn try_from(mut scopes: Vec<Scope>) -> Result<Self, &'static str> {
        scopes.sort_unstable();
        scopes.dedup();
        if scopes.is_empty() { Err("must have at least one scope") } else { Ok(Self(scopes)) }
    }
}

/// An application token without its secret.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ApplicationToken {
    /// The token's ID.
    pub id: ApplicationTokenId,
    /// The name that the user gave the application.
    pub name: ApplicationName,
    /// The scopes of the token.
    pub scopes: Vec<Scope>,
    /// The time at which the token was issued.
    pub created_at: Time,
    /// The time at which the token expires.
    pub expires_at: Time,
    /// The time of the last write request with the token. Null before the first write request.
    pub last_wrote_at: Option<Time>,
}

/// A new application token, including its secret text.
#[derive(Clone, Serialize, ToSchema)]
pub struct NewApplicationToken {
    /// The text for the header `Authorization: Bearer …`. The text is shown only once.
    #[schema(
        example = "app_AZzbXKFkT2qf0m0dC2s1qwGc21yhZE9qn9JtHQtrNasBnNtcoWRPap_SbR0LazWrAZzbXKFkT2qf0m0dC2s1qw"
    )]
    pub token: String,
    /// The token.
    #[serde(flatten)]
    pub about: ApplicationToken,
}

/// The stored result of [`issue`], from which the token's text is computed. Contains no secret.
#[derive(Serialize, Deserialize)]
struct Issued {
    about: ApplicationToken,
    nonce: String,
    secret_hash: String,
}

/// Issues a token. A repeated request with the same idempotency key returns the same token.
///
/// # Errors
/// Fails with [`Error::Invalid`] if the password or the code is wrong, or if the user already has 20 tokens. Also fails
/// with this error if `expiresAt` is in the past or more than 1 year from now. Fails with [`Error::Forbidden`] if the
/// email address is not confirmed or the user's roles do not allow a scope.
pub async fn issue(
    app: &App,
    once: &Once,
    owner: SessionOwner,
    request: ApplicationTokenRequest,
    device: &Device,
) -> Result<NewApplicationToken> {
    let checked = OnceCell::new();
    let issue = async || {
        let ApplicationTokenRequest { password, code, passkey, .. } = request.clone();
        let proof = Proof { password, code, passkey };
        let Proven { user, writes: proof_writes } = check_proof(app, owner, proof, device, &checked).await?;
        check_confirmed(&user)?;
        let (mut writes, issued) = issue_writes(app, owner, request.clone()).await?;
        writes.extend(proof_writes);
        Ok::<_, Error>((writes, issued))
    };
    let issued: Issued = once.run(app, owner.id, issue).await?;
    let id = Ulid::from(issued.about.id).into();
    let token = bearer::write_application_token(owner.id, id, &issued.secret(app).await?);
    security::log(SecurityEvent::ApplicationTokenChanged, owner.id, "issued");
    Ok(NewApplicationToken { token, about: issued.about })
}

/// Returns a user's live tokens, newest first.
pub async fn list(app: &App, user: UserId) -> Result<Vec<ApplicationToken>> {
    let rows = sessions::application_tokens(app, user).await?;
    let tokens = rows.iter().rev();
    Ok(tokens.filter_map(|row| Some(ApplicationToken::of(row, row.application.as_ref()?))).collect())
}

/// Revokes an application token.
///
/// # Errors
/// Fails with [`Error::NotFound`] if the user has no such token.
pub async fn end(app: &App, user: UserId, token: ApplicationTokenId, once: &Once) -> Result<()> {
    sessions::revoke_application_token(app, user, Ulid::from(token).into(), once).await?;
    security::log(SecurityEvent::ApplicationTokenChanged, user, "revoked");
    Ok(())
}

async fn issue_writes(
    app: &App,
    owner: SessionOwner,
    request: ApplicationTokenRequest,
) -> Result<(Vec<Write>, Issued)> {
    let ApplicationTokenRequest { name, scopes: Scopes(scopes), expires_at, .. } = request;
    let expires = end_of(app, expires_at)?;
    let (user, issuances) = read(app, owner.id).await?;
    check_role(&user, &scopes)?;
    // Read the tokens after the number of issuances, so that a concurrent issuance causes a conflict.
    if sessions::application_tokens(app, owner.id).await?.len() >= TOKENS_MAX {
        return Err(Error::Invalid(
            "the limit of 20 application tokens is reached. Revoke one first.".into(),
        ));
    }
    let session = sessions::count_opening(app, Session::open(app, &user, None)).await?;
    let nonce = hex::encode(app.random::<[u8; 32]>());
    let secret_hash =
        bearer::hash(&mac::mac(app, LABEL, &parts(&session.session.to_string(), &nonce)).await?);
    let application = Application { application: name, scopes, secret_hash: secret_hash.clone() };
    let session = Session { expires, second_factor: owner.second_factor, ..session };
    let about = ApplicationToken::of(&session, &application);
    let row = Session { application: Some(application), ..session };
    let notice = Notice::new(app, NoticeKind::ApplicationTokenIssued, owner.id).create_write();
    let writes = vec![opening::check_unchanged(&user), Write::create(&row), issuances.next_write(), notice];
    Ok((writes, Issued { about, nonce, secret_hash }))
}

/// Returns the user and their [`Issuances`].
async fn read(app: &App, user: UserId) -> Result<(User, Issuances)> {
    let keys = [users::key(user), issuances_key(user)];
    let mut rows = app.table.get_together(&keys).await?;
    let found = rows.take(&keys[0])?.ok_or(Error::NotFound("user"))?;
    Ok((found, rows.take(&keys[1])?.unwrap_or(Issuances { user, version: 0 })))
}

fn end_of(app: &App, asked: Option<Time>) -> Result<Time> {
    let (now, last) = (app.now(), app.now().plus_seconds(LIFETIME_MAX_SECONDS));
    let end = asked.unwrap_or(last);
    let fits = now < end && end <= last;
    fits.then_some(end)
        .ok_or_else(|| Error::invalid("expiresAt", "must be in the future and at most 1 year from now"))
}

/// Checks that the user's roles allow the scopes. A later change of the roles revokes all tokens.
fn check_role(user: &User, scopes: &[Scope]) -> Result<()> {
    match scopes.iter().find(|scope| scope.is_for_admins()) {
        Some(scope) if !user.is_moderator() => Err(Error::Forbidden(
            format!("only administrators and moderators can use the scope {}", scope.name()).into(),
        )),
        _ => Ok(()),
    }
}

impl ApplicationToken {
    fn of(row: &Session, application: &Application) -> Self {
        Self {
            id: Ulid::from(row.session).into(),
            name: application.application.clone(),
            scopes: application.scopes.clone(),
            created_at: row.created_at,
            expires_at: row.expires,
            last_wrote_at: row.wrote_at,
        }
    }
}

impl Issued {
    /// Returns the token's secret. Tries all valid keys, because the key may have been rotated.
    async fn secret(&self, app: &App) -> Result<[u8; 32]> {
        let id = self.about.id.to_string();
        let is_own = |mac: &[u8; 32]| bearer::hash(mac) == self.secret_hash;
        let secret = mac::matching_mac(app, LABEL, &parts(&id, &self.nonce), is_own).await?;
        secret.ok_or_else(|| Error::internal(anyhow::anyhow!("the secret of a token matches no signing key")))
    }
}

fn parts<'a>(id: &'a str, nonce: &'a str) -> [&'a [u8]; 2] {
    [id.as_bytes(), nonce.as_bytes()]
}

/// Number of tokens ever issued to a user. Every issuance increments this number. So concurrent issuances conflict and
/// cannot exceed the limit.
#[derive(Debug, Serialize, Deserialize)]
struct Issuances {
    user: UserId,
    version: i64,
}

impl Issuances {
    fn next_write(&self) -> Write {
        let next = Self { version: self.version + 1, ..*self };
        Write::put(&next).equals_or_lacks("version", self.version)
    }
}

fn issuances_key(user: UserId) -> Key {
    Key::new(user.partition(), "TOKENS")
}

/// `USER#id / TOKENS`
impl Row for Issuances {
    fn key(&self) -> Key {
        issuances_key(self.user)
    }
}
