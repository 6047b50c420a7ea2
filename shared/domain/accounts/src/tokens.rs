//! The claims, signatures and checks of access and refresh tokens.
//!
//! Both kinds of token are JWTs that name a session. A refresh token also contains the session's generation, from which
//! the next refresh token is computed. Tokens are never stored.

use base::{SessionId, UserId};
use jsonwebtoken::{Algorithm, DecodingKey, EncodingKey, Header, Validation};
use people::{Role, Status};
use platform::{App, Error, Result, Time, mac::SigningKeys};
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use utoipa::ToSchema;

const ISSUER: &str = "social";
const AUDIENCE: &str = "social-api";
/// Lifetime of an appeal token.
const APPEAL_SECONDS: i64 = 15 * 60;

/// The claims of an access token.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct AccessClaims {
    /// The user who signed in.
    pub sub: UserId,
    /// The same as `sub`, for clients that use the name `userId`.
    pub user_id: UserId,
    /// The user's status when the token was signed. For clients only: the service reads the status from the session.
    pub status: Status,
    /// The user's roles when the token was signed. For clients only: the service reads the roles from the session.
    pub roles: Vec<Role>,
    /// The session. The token becomes invalid when the session ends.
    pub sid: SessionId,
    #[serde(flatten)]
    common: CommonClaims,
}

/// The claims of a refresh token.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct RefreshClaims {
    /// The user who signed in.
    pub sub: UserId,
    /// The session. The token becomes invalid when the session ends.
    pub sid: SessionId,
    /// The number of earlier refreshes of the session.
    pub generation: u32,
    #[serde(flatten)]
    common: CommonClaims,
}

/// The claims of an appeal token.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct AppealClaims {
    sub: UserId,
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

/// The kind of a token. A token of one kind is never accepted as a token of another kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum TokenKind {
    Access,
    Refresh,
    Appeal,
}

/// The result of a sign-in or a refresh. The access token and the refresh token are computed from it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Grant {
    /// The user who signed in.
    pub user: UserId,
    /// The opened or refreshed session.
    pub session: SessionId,
    /// The number of refreshes of the session.
    pub generation: u32,
    /// The time at which the session was opened or last refreshed.
    pub at: Time,
    /// The user's status when the session was opened or last refreshed.
    pub status: Status,
    /// The user's roles when the session was opened or last refreshed.
    pub roles: Vec<Role>,
}

/// An access token and its refresh token.
#[derive(Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct TokenPair {
    /// The token for the header `Authorization: Bearer …`.
    pub access_token: String,
    /// The token for the header `x-refresh-token`. Valid for one refresh.
    pub refresh_token: String,
    /// The lifetime of the access token in seconds.
    #[schema(example = 900)]
    pub expires_in: i64,
}

impl Grant {
    /// Signs and returns the tokens. The same grant always returns the same tokens.
    ///
    /// # Errors
    /// Fails with an internal error if no secret is configured.
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
        CommonClaims::new(self.at, typ, lifetime)
    }
}

impl CommonClaims {
    fn new(at: Time, typ: TokenKind, lifetime: i64) -> Self {
        let iat = at.seconds();
        Self { iss: ISSUER.to_owned(), aud: AUDIENCE.to_owned(), iat, exp: iat + lifetime, typ }
    }
}

/// Returns a token with which a banned user can read the moderation decisions about them, and appeal.
///
/// # Errors
/// Fails with an internal error if no secret is configured.
pub(crate) async fn appeal_token(app: &App, user: UserId) -> Result<String> {
    let common = CommonClaims::new(app.now(), TokenKind::Appeal, APPEAL_SECONDS);
    sign(&SigningKeys::of(app).await?, &AppealClaims { sub: user, common })
}

/// Verifies an appeal token and returns its user.
///
/// # Errors
/// Fails with [`Error::Unauthenticated`] if the token is forged, expired or of the wrong kind.
pub async fn read_appeal(app: &App, token: &str) -> Result<UserId> {
    let claims: AppealClaims = read(app, token, "sign in first").await?;
    check(app, &claims.common, TokenKind::Appeal, "sign in first").map(|()| claims.sub)
}

/// Returns the lifetime of a refresh token and of an idle session, in seconds.
pub fn refresh_seconds(app: &App) -> i64 {
    *app.settings.refresh_token_days * 24 * 60 * 60
}

/// Verifies an access token and returns its claims.
///
/// # Errors
/// Fails with [`Error::Unauthenticated`] if the token is forged, expired or of the wrong kind.
pub async fn read_access(app: &App, token: &str) -> Result<AccessClaims> {
    let claims: AccessClaims = read(app, token, "sign in first").await?;
    check(app, &claims.common, TokenKind::Access, "sign in first").map(|()| claims)
}

/// Verifies a refresh token and returns its claims.
///
/// # Errors
/// Fails with [`Error::Unauthenticated`] if the token is forged, expired or of the wrong kind.
pub async fn read_refresh(app: &App, token: &str) -> Result<RefreshClaims> {
    let claims: RefreshClaims = read(app, token, "sign in again").await?;
    check(app, &claims.common, TokenKind::Refresh, "sign in again").map(|()| claims)
}

fn verified<C: DeserializeOwned + Clone>(keys: &SigningKeys, token: &str) -> Option<C> {
    let mut validation = Validation::new(Algorithm::HS256);
    validation.set_issuer(&[ISSUER]);
    validation.set_audience(&[AUDIENCE]);
    // Expiry is checked against the app's clock, not the system clock.
    validation.validate_exp = false;
    let decode = |key: &[u8]| jsonwebtoken::decode(token, &DecodingKey::from_secret(key), &validation).ok();
    keys.all().find_map(decode).map(|decoded| decoded.claims)
}

fn sign<C: Serialize>(keys: &SigningKeys, claims: &C) -> Result<String> {
    let key = EncodingKey::from_secret(keys.current());
    jsonwebtoken::encode(&Header::new(Algorithm::HS256), claims, &key).map_err(Error::internal)
}

async fn read<C: DeserializeOwned + Clone>(app: &App, token: &str, refusal: &'static str) -> Result<C> {
    if let Some(claims) = verified(&SigningKeys::of(app).await?, token) {
        return Ok(claims);
    }
    // The secret may have been rotated, so read it again. If this fails, the token is refused.
    let renewed = SigningKeys::renewed(app).await.unwrap_or_default();
    renewed.and_then(|keys| verified(&keys, token)).ok_or(Error::Unauthenticated(refusal))
}

fn check(app: &App, common: &CommonClaims, kind: TokenKind, refusal: &'static str) -> Result<()> {
    let is_live = app.now().seconds() < common.exp;
    (is_live && common.typ == kind).then_some(()).ok_or(Error::Unauthenticated(refusal))
}
