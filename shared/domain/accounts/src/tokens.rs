//! Access and refresh tokens: their claims, their signature and their checks.
//!
//! Both tokens are JWTs of one session. A refresh token carries its generation, so its successor is
//! computed. No token is ever stored.

use base::ids::{SessionId, UserId};
use jsonwebtoken::{Algorithm, DecodingKey, EncodingKey, Header, Validation};
use people::users::{Role, Status};
use platform::{
    App,
    error::{Error, Result},
    mac::SigningKeys,
    time::Time,
};
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use utoipa::ToSchema;

const ISSUER: &str = "social";
const AUDIENCE: &str = "social-api";

/// The claims of an access token.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct AccessClaims {
    /// The user id.
    pub sub: UserId,
    /// The user id again, under the name that clients know.
    pub user_id: UserId,
    /// The user's status at the time of the signature, for the client: the session's row decides.
    pub status: Status,
    /// The user's roles at the time of the signature, for the client: the session's row decides.
    pub roles: Vec<Role>,
    /// The session; the token is valid only while it lives.
    pub sid: SessionId,
    #[serde(flatten)]
    common: CommonClaims,
}

/// The claims of a refresh token.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct RefreshClaims {
    /// The user id.
    pub sub: UserId,
    /// The session; the token is valid only while it lives.
    pub sid: SessionId,
    /// The number of refreshes before it.
    pub generation: u32,
    #[serde(flatten)]
    common: CommonClaims,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
struct CommonClaims {
    iss: String,
    aud: String,
    iat: i64,
    exp: i64,
    typ: TokenKind,
}

/// The kind of a token: one is never accepted as the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum TokenKind {
    Access,
    Refresh,
}

/// The result of a sign-in or a refresh: everything that its two tokens are computed from.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Grant {
    /// The user who signed in.
    pub user: UserId,
    /// The session.
    pub session: SessionId,
    /// The number of refreshes of the session.
    pub generation: u32,
    /// The time at which the session was opened or last refreshed.
    pub at: Time,
    /// The user's status at that time.
    pub status: Status,
    /// The user's roles at that time.
    pub roles: Vec<Role>,
}

/// An access token and its refresh token.
#[derive(Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct TokenPair {
    /// The token for the header `Authorization: Bearer …`.
    pub access_token: String,
    /// The token for the header `x-refresh-token`; valid for one refresh.
    pub refresh_token: String,
    /// The lifetime of the access token in seconds.
    #[schema(example = 900)]
    pub expires_in: i64,
}

impl Grant {
    /// Signs and returns the pair. The same grant gives the same pair.
    ///
    /// # Errors
    /// Internal when the function has no secret.
    pub async fn tokens(&self, app: &App) -> Result<TokenPair> {
        let keys = SigningKeys::of(app).await?;
        let expires_in = *app.settings.access_token_minutes * 60;
        let access = AccessClaims {
            sub: self.user,
            user_id: self.user,
            status: self.status,
            roles: self.roles.clone(),
            sid: self.session,
            common: self.common(TokenKind::Access, expires_in),
        };
        let refresh = RefreshClaims {
            sub: self.user,
            sid: self.session,
            generation: self.generation,
            common: self.common(TokenKind::Refresh, refresh_seconds(app)),
        };
        Ok(TokenPair {
            access_token: sign(&keys, &access)?,
            refresh_token: sign(&keys, &refresh)?,
            expires_in,
        })
    }

    fn common(&self, typ: TokenKind, lifetime: i64) -> CommonClaims {
        let iat = self.at.seconds();
        CommonClaims { iss: ISSUER.to_owned(), aud: AUDIENCE.to_owned(), iat, exp: iat + lifetime, typ }
    }
}

/// Returns the lifetime of a refresh token, and so of an idle session, in seconds.
pub fn refresh_seconds(app: &App) -> i64 {
    *app.settings.refresh_token_days * 24 * 60 * 60
}

/// Verifies an access token and returns its claims.
///
/// # Errors
/// [`Error::Unauthenticated`] when it is forged, expired or of another kind.
pub async fn read_access(app: &App, token: &str) -> Result<AccessClaims> {
    let claims: AccessClaims = read(app, token, "sign in first").await?;
    check(app, &claims.common, TokenKind::Access, "sign in first").map(|()| claims)
}

/// Verifies a refresh token and returns its claims.
///
/// # Errors
/// [`Error::Unauthenticated`] when it is forged, expired or of another kind.
pub async fn read_refresh(app: &App, token: &str) -> Result<RefreshClaims> {
    let claims: RefreshClaims = read(app, token, "sign in again").await?;
    check(app, &claims.common, TokenKind::Refresh, "sign in again").map(|()| claims)
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
    // The secret may have been rotated. When it cannot be read again, the token is refused.
    let renewed = SigningKeys::renewed(app).await.unwrap_or_default();
    renewed.and_then(|it| verified(&it, token)).ok_or(Error::Unauthenticated(refusal))
}

fn check(app: &App, common: &CommonClaims, kind: TokenKind, refusal: &'static str) -> Result<()> {
    let alive = app.now().seconds() < common.exp;
    (alive && common.typ == kind).then_some(()).ok_or(Error::Unauthenticated(refusal))
}
