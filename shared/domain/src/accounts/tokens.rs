//! Tokens: who signs them, what they claim, how they are checked.
//!
//! Both tokens are JWTs of one session. A refresh token carries its generation, so its successor
//! is computed and not stored, and nothing that opens an account is ever written down.

use jsonwebtoken::{Algorithm, DecodingKey, EncodingKey, Header, Validation};
use platform::{
    App,
    error::{Error, Result},
    mac::SigningKeys,
    time::Time,
};
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use utoipa::ToSchema;

use crate::{
    ids::{SessionId, UserId},
    people::users::{Role, Status},
};

const ISSUER: &str = "social";
const AUDIENCE: &str = "social-api";

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
    pub async fn tokens(&self, app: &App) -> Result<TokenPair> {
        let keys = SigningKeys::of(app).await?;
        let expires_in = *app.settings.access_token_minutes * 60;
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
        Ok(TokenPair {
            access_token: sign(&keys, &access)?,
            refresh_token: sign(&keys, &refresh)?,
            expires_in,
        })
    }

    fn common(&self, typ: Kind, lives: i64) -> Common {
        let iat = self.at.seconds();
        Common { iss: ISSUER.to_owned(), aud: AUDIENCE.to_owned(), iat, exp: iat + lives, typ }
    }
}

/// Seconds that a refresh token, and so an idle session, lives.
pub fn refresh_seconds(app: &App) -> i64 {
    *app.settings.refresh_token_days * 24 * 60 * 60
}

/// Reads an access token.
///
/// # Errors
/// [`Error::Unauthenticated`] when it is forged, expired, or something else.
pub async fn read_access(app: &App, token: &str) -> Result<AccessClaims> {
    let claims: AccessClaims = read(app, token, "sign in first").await?;
    check(app, &claims.common, Kind::Access, "sign in first").map(|()| claims)
}

/// Reads a refresh token.
///
/// # Errors
/// [`Error::Unauthenticated`] when it is forged, expired, or something else.
pub async fn read_refresh(app: &App, token: &str) -> Result<RefreshClaims> {
    let claims: RefreshClaims = read(app, token, "sign in again").await?;
    check(app, &claims.common, Kind::Refresh, "sign in again").map(|()| claims)
}

fn verified<C: DeserializeOwned + Clone>(keys: &SigningKeys, token: &str) -> Option<C> {
    let mut validation = Validation::new(Algorithm::HS256);
    validation.set_issuer(&[ISSUER]);
    validation.set_audience(&[AUDIENCE]);
    // Expiry is checked against the app's clock, not the system's.
    validation.validate_exp = false;
    let mut tried =
        keys.all().map(|key| jsonwebtoken::decode::<C>(token, &DecodingKey::from_secret(key), &validation));
    tried.find_map(|it| it.ok()).map(|it| it.claims)
}

fn sign<C: Serialize>(keys: &SigningKeys, claims: &C) -> Result<String> {
    let key = EncodingKey::from_secret(keys.current());
    jsonwebtoken::encode(&Header::new(Algorithm::HS256), claims, &key).map_err(Error::internal)
}

async fn read<C: DeserializeOwned + Clone>(app: &App, token: &str, refusal: &'static str) -> Result<C> {
    if let Some(claims) = verified(&SigningKeys::of(app).await?, token) {
        return Ok(claims);
    }
    // A token that nobody knows is refused even while the secret cannot be read again.
    let renewed = SigningKeys::renewed(app).await.unwrap_or_default();
    renewed.and_then(|it| verified(&it, token)).ok_or(Error::Unauthenticated(refusal))
}

fn check(app: &App, common: &Common, kind: Kind, refusal: &'static str) -> Result<()> {
    let alive = app.now().seconds() < common.exp;
    (alive && common.typ == kind).then_some(()).ok_or(Error::Unauthenticated(refusal))
}
