//! Tokens: who signs them, what they claim, how they are checked.
//!
//! Both tokens are JWTs of one session. A refresh token carries its generation, so its successor
//! is computed and not stored, and nothing that opens an account is ever written down.

use hmac::{Hmac, KeyInit, Mac};
use jsonwebtoken::{Algorithm, DecodingKey, EncodingKey, Header, Validation};
use secrecy::{ExposeSecret, SecretString};
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use sha2::Sha256;
use utoipa::ToSchema;

use crate::{
    App,
    error::{Error, Result},
    id::{SessionId, UserId},
    settings::{Settings, required},
    time::Time,
    users::{Role, Status},
};

const ISSUER: &str = "social";
const AUDIENCE: &str = "social-api";

/// The keys that sign and check tokens; the previous one only checks.
pub struct Keys {
    sign: EncodingKey,
    check: Vec<DecodingKey>,
    seal: Hmac<Sha256>,
    seal_previous: Option<Hmac<Sha256>>,
}

impl Keys {
    /// The keys of the settings; none where a function has no business with tokens.
    pub fn read(settings: &Settings) -> Option<Self> {
        let bytes = |it: &SecretString| it.expose_secret().as_bytes().to_vec();
        let current = settings.jwt_secret.as_ref().map(bytes)?;
        let previous = settings.jwt_secret_previous.as_ref().map(bytes);
        let check = [Some(&current), previous.as_ref()].into_iter().flatten();
        Some(Self {
            sign: EncodingKey::from_secret(&current),
            check: check.map(|it| DecodingKey::from_secret(it)).collect(),
            seal: Hmac::new_from_slice(&current).ok()?,
            seal_previous: previous.and_then(|it| Hmac::new_from_slice(&it).ok()),
        })
    }
}

/// What nobody can compute from `parts` without the secret: their HMAC-SHA256. No token is ever
/// taken for it, nor the reverse: the parts are joined by a byte that no token has.
///
/// # Errors
/// Internal, when the function has no key.
pub fn seal(app: &App, parts: &[&[u8]]) -> Result<[u8; 32]> {
    let keys = required(&app.keys, "JWT_SECRET")?;
    Ok(mac(&keys.seal, parts))
}

/// The [`seal`] of now, and the one of before the last rotation.
///
/// # Errors
/// Internal, when the function has no key.
pub fn seals(app: &App, parts: &[&[u8]]) -> Result<Vec<[u8; 32]>> {
    let keys = required(&app.keys, "JWT_SECRET")?;
    Ok([Some(&keys.seal), keys.seal_previous.as_ref()]
        .into_iter()
        .flatten()
        .map(|it| mac(it, parts))
        .collect())
}

fn mac(key: &Hmac<Sha256>, parts: &[&[u8]]) -> [u8; 32] {
    key.clone().chain_update(parts.join(&0)).finalize().into_bytes().into()
}

/// What an access token says.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct AccessClaims {
    /// The user.
    pub sub: UserId,
    /// The user again, under the name that clients know.
    pub user_id: UserId,
    /// The user's status when it was signed.
    pub status: Status,
    /// The user's roles when it was signed; a change of roles ends the session.
    pub roles: Vec<Role>,
    /// The session it lives and dies with.
    pub sid: SessionId,
    #[serde(flatten)]
    common: Common,
}

/// What a refresh token says.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct RefreshClaims {
    /// The user.
    pub sub: UserId,
    /// The session it lives and dies with.
    pub sid: SessionId,
    /// How many refreshes came before it.
    pub generation: u32,
    #[serde(flatten)]
    common: Common,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
struct Common {
    iss: String,
    aud: String,
    iat: i64,
    exp: i64,
    typ: Kind,
}

/// The two kinds are never taken for each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Kind {
    Access,
    Refresh,
}

/// What a sign-in gives: everything that its two tokens are computed from.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Grant {
    /// Who signed in.
    pub user: UserId,
    /// The session it opened.
    pub session: SessionId,
    /// How often it was refreshed.
    pub generation: u32,
    /// When it was opened or last refreshed.
    pub at: Time,
    /// The user's status then.
    pub status: Status,
    /// The user's roles then.
    pub roles: Vec<Role>,
}

/// The pair of tokens that opens an account.
#[derive(Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct TokenPair {
    /// For the header `Authorization: Bearer …`.
    pub access_token: String,
    /// For the header `x-refresh-token`; good for one refresh.
    pub refresh_token: String,
    /// Seconds that the access token lives.
    #[schema(example = 900)]
    pub expires_in: i64,
}

impl Grant {
    /// Signs the pair. The same grant gives the same pair.
    ///
    /// # Errors
    /// Internal, when the function has no key.
    pub fn tokens(&self, app: &App) -> Result<TokenPair> {
        let expires_in = app.settings.access_token_minutes * 60;
        let access = AccessClaims {
            sub: self.user,
            user_id: self.user,
            status: self.status,
            roles: self.roles.clone(),
            sid: self.session,
            common: self.common(Kind::Access, expires_in),
        };
        let refresh = RefreshClaims {
            sub: self.user,
            sid: self.session,
            generation: self.generation,
            common: self.common(Kind::Refresh, refresh_seconds(app)),
        };
        Ok(TokenPair { access_token: sign(app, &access)?, refresh_token: sign(app, &refresh)?, expires_in })
    }

    fn common(&self, typ: Kind, lives: i64) -> Common {
        let iat = self.at.seconds();
        Common { iss: ISSUER.to_owned(), aud: AUDIENCE.to_owned(), iat, exp: iat + lives, typ }
    }
}

/// Seconds that a refresh token, and so an idle session, lives.
pub fn refresh_seconds(app: &App) -> i64 {
    app.settings.refresh_token_days * 24 * 60 * 60
}

/// Reads an access token.
///
/// # Errors
/// [`Error::Unauthorized`] when it is forged, expired, or something else.
pub fn read_access(app: &App, token: &str) -> Result<AccessClaims> {
    let claims: AccessClaims = read(app, token, "sign in first")?;
    check(app, &claims.common, Kind::Access, "sign in first").map(|()| claims)
}

/// Reads a refresh token.
///
/// # Errors
/// [`Error::Unauthorized`] when it is forged, expired, or something else.
pub fn read_refresh(app: &App, token: &str) -> Result<RefreshClaims> {
    let claims: RefreshClaims = read(app, token, "sign in again")?;
    check(app, &claims.common, Kind::Refresh, "sign in again").map(|()| claims)
}

fn sign<C: Serialize>(app: &App, claims: &C) -> Result<String> {
    let keys = required(&app.keys, "JWT_SECRET")?;
    jsonwebtoken::encode(&Header::new(Algorithm::HS256), claims, &keys.sign).map_err(Error::internal)
}

fn read<C: DeserializeOwned + Clone>(app: &App, token: &str, refusal: &'static str) -> Result<C> {
    let keys = required(&app.keys, "JWT_SECRET")?;
    let mut validation = Validation::new(Algorithm::HS256);
    validation.set_issuer(&[ISSUER]);
    validation.set_audience(&[AUDIENCE]);
    // Expiry is checked against the app's clock, not the system's.
    validation.validate_exp = false;
    let mut tried = keys.check.iter().map(|key| jsonwebtoken::decode::<C>(token, key, &validation));
    let valid = tried.find_map(|it| it.ok());
    valid.map(|it| it.claims).ok_or(Error::Unauthorized(refusal))
}

fn check(app: &App, common: &Common, kind: Kind, refusal: &'static str) -> Result<()> {
    let alive = app.now().seconds() < common.exp;
    (alive && common.typ == kind).then_some(()).ok_or(Error::Unauthorized(refusal))
}
