//! Access and refresh tokens whose session may already be revoked.

use axum::{extract::FromRequestParts, http::request::Parts};
use domain::{
    SessionId, UserId,
    accounts::tokens::{self, RefreshClaims},
};
use platform::{App, Error as Failed};

use super::{SIGN_IN, bearer};
use crate::{Error, Result};

const NO_REFRESH_TOKEN: Failed = Failed::Unauthenticated("the header x-refresh-token is missing");
const NOT_A_PAIR: Failed = Failed::Unauthenticated("the tokens belong to different sessions");

/// The claims of a valid refresh token in the header `x-refresh-token`. The token's session may already be revoked.
pub struct RefreshToken(pub RefreshClaims);

/// The user and session of an access token and a refresh token that the caller sent. Both tokens belong to this
/// session, which may already be revoked.
pub struct PresentedTokenPair {
    /// The user's ID.
    pub id: UserId,
    /// The session's ID.
    pub session: SessionId,
}

impl FromRequestParts<App> for RefreshToken {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self> {
        let token = parts.headers.get("x-refresh-token").and_then(|value| value.to_str().ok());
        Ok(Self(tokens::read_refresh(app, token.ok_or(NO_REFRESH_TOKEN)?).await?))
    }
}

impl FromRequestParts<App> for PresentedTokenPair {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self> {
        let access = tokens::read_access(app, bearer(parts).ok_or(SIGN_IN)?).await?;
        let RefreshToken(refresh) = RefreshToken::from_request_parts(parts, app).await?;
        let is_pair = (access.sub, access.sid) == (refresh.sub, refresh.sid);
        is_pair.then_some(Self { id: access.sub, session: access.sid }).ok_or(NOT_A_PAIR.into())
    }
}
