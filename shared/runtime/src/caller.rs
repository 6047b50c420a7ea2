//! Who is asking. A handler that takes one of these cannot run without it.

use axum::{
    extract::{FromRequestParts, OptionalFromRequestParts},
    http::{Method, header::AUTHORIZATION, request::Parts},
};
use domain::{
    accounts::{
        sessions,
        tokens::{self, AccessClaims, RefreshClaims},
    },
    ids::{SessionId, UserId},
    people::users::Role,
};
use platform::{App, Error as Failed};

use crate::{
    error::{Error, Result},
    rate_limit_headers::enforce,
};

const SIGN_IN: Failed = Failed::Unauthenticated("sign in first");
const NO_REFRESH_TOKEN: Failed = Failed::Unauthenticated("the header x-refresh-token is missing");
const NOT_A_PAIR: Failed = Failed::Unauthenticated("the two tokens do not belong together");

/// The signed-in person.
///
/// Taking one costs 1 call: a read checks that the session lives (1 RRU); a write counts itself
/// on the session in the same call that checks it (1 WRU), so it answers both 401 and 429.
#[derive(Clone, Debug)]
pub struct Caller {
    /// Who it is.
    pub id: UserId,
    /// The session they ask through.
    pub session: SessionId,
    /// What they may do; as fresh as the session, for a change of roles ends it.
    pub roles: Vec<Role>,
}

/// A signed-in administrator.
#[derive(Clone, Debug)]
pub struct Admin(pub Caller);

/// A signed-in administrator who may give and take roles.
#[derive(Clone, Debug)]
pub struct SuperAdmin(pub Caller);

impl Caller {
    /// Whether this person administers the service.
    pub fn is_admin(&self) -> bool {
        self.roles.iter().any(|it| matches!(it, Role::Admin | Role::SuperAdmin))
    }
}

impl FromRequestParts<App> for Caller {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self> {
        let claims = tokens::read_access(app, bearer(parts).ok_or(SIGN_IN)?).await?;
        if matches!(parts.method, Method::GET | Method::HEAD) {
            sessions::find_live(app, claims.sub, claims.sid).await?;
        } else {
            let status = sessions::count_request(app, claims.sub, claims.sid).await?;
            enforce(status, &parts.extensions)?;
        }
        Ok(Self::from(claims))
    }
}

impl OptionalFromRequestParts<App> for Caller {
    type Rejection = Error;

    /// Nobody, where no token came; a token that came must be good.
    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Option<Self>> {
        if !parts.headers.contains_key(AUTHORIZATION) {
            return Ok(None);
        }
        <Self as FromRequestParts<App>>::from_request_parts(parts, app).await.map(Some)
    }
}

impl FromRequestParts<App> for Admin {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self> {
        let caller = <Caller as FromRequestParts<App>>::from_request_parts(parts, app).await?;
        match caller.is_admin() {
            true => Ok(Self(caller)),
            false => Err(Failed::Forbidden("only administrators may do this".into()).into()),
        }
    }
}

impl FromRequestParts<App> for SuperAdmin {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self> {
        let caller = <Caller as FromRequestParts<App>>::from_request_parts(parts, app).await?;
        match caller.roles.contains(&Role::SuperAdmin) {
            true => Ok(Self(caller)),
            false => Err(Failed::Forbidden("only a SUPER_ADMIN may do this".into()).into()),
        }
    }
}

impl From<AccessClaims> for Caller {
    fn from(claims: AccessClaims) -> Self {
        Self { id: claims.sub, session: claims.sid, roles: claims.roles }
    }
}

/// The refresh token of `x-refresh-token`. No call: whether its session lives is not asked here.
pub struct RefreshToken(pub RefreshClaims);

/// Both tokens of one session, which may have ended. No call.
pub struct PresentedTokenPair {
    /// Whose session it is.
    pub id: UserId,
    /// The session.
    pub session: SessionId,
}

impl FromRequestParts<App> for RefreshToken {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self> {
        let token = parts.headers.get("x-refresh-token").and_then(|it| it.to_str().ok());
        Ok(Self(tokens::read_refresh(app, token.ok_or(NO_REFRESH_TOKEN)?).await?))
    }
}

impl FromRequestParts<App> for PresentedTokenPair {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self> {
        let access = tokens::read_access(app, bearer(parts).ok_or(SIGN_IN)?).await?;
        let RefreshToken(refresh) = RefreshToken::from_request_parts(parts, app).await?;
        let same = (access.sub, access.sid) == (refresh.sub, refresh.sid);
        same.then_some(Self { id: access.sub, session: access.sid }).ok_or(NOT_A_PAIR.into())
    }
}

/// The token of `Authorization: Bearer …`.
pub fn bearer(parts: &Parts) -> Option<&str> {
    let value = parts.headers.get(AUTHORIZATION)?.to_str().ok()?;
    let (scheme, token) = value.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then(|| token.trim())
}
