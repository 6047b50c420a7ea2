//! Extractors for the signed-in user. A handler checks permissions by taking one of these types as a parameter.

use axum::{
    extract::{FromRequest, FromRequestParts, OptionalFromRequestParts, Request},
    http::{Method, header::AUTHORIZATION, request::Parts},
};
use domain::{
    accounts::{
        SessionOwner, appeal_token,
        bearer::Bearer,
        sessions::{self, Session},
        tokens::{self, RefreshClaims},
    },
    ids::{SessionId, UserId},
    ledger::security::{self, SecurityEvent},
    people::users::{Administrator, Role},
};
use platform::{App, Error as Failed, reads, settings::AdminSecondFactor, time::Time};
use serde::de::{DeserializeOwned, IgnoredAny};

use crate::{
    error::{Error, Result},
    http::{Address, Input, check_scope},
};

const SIGN_IN: Failed = Failed::Unauthenticated("sign in first");
const NO_REFRESH_TOKEN: Failed = Failed::Unauthenticated("the header x-refresh-token is missing");
const NOT_A_PAIR: Failed = Failed::Unauthenticated("the tokens belong to different sessions");

/// The signed-in user, or an application that acts for a user within the scopes of its token.
///
/// The extractor checks the session, and fails with 401, 403 or 429. Each request counts against the session's rate
/// limits. A write also counts against the user's rate limits.
#[derive(Clone, Debug)]
pub struct Caller {
    /// The user's ID.
    pub id: UserId,
    /// The session's ID.
    pub session: SessionId,
    /// Whether the session was opened with a second factor.
    pub second_factor: bool,
    /// The user's roles, as stored with the session. They are current, because a change of roles revokes the session. An
    /// application token without the scope `admin:reports` only has the role USER.
    pub roles: Vec<Role>,
    /// The time of the session's last write request, or `None` if this request is a write.
    pub wrote_at: Option<Time>,
}

/// A signed-in administrator.
#[derive(Clone, Debug)]
pub struct Admin(pub Caller);

/// A signed-in moderator or administrator. Both may decide reports, cases and appeals.
#[derive(Clone, Debug)]
pub struct Moderator(pub Caller);

/// A signed-in administrator who may change roles.
#[derive(Clone, Debug)]
pub struct SuperAdmin(pub Caller);

impl Caller {
    /// Returns whether the user may use the permissions of moderators in this session.
    pub fn may_moderate(&self, app: &App) -> bool {
        self.is_moderator() && self.has_second_factor(app)
    }

    fn is_super_admin(&self) -> bool {
        self.roles.contains(&Role::SuperAdmin)
    }

    fn is_admin(&self) -> bool {
        self.is_super_admin() || self.roles.contains(&Role::Admin)
    }

    fn is_moderator(&self) -> bool {
        self.is_admin() || self.roles.contains(&Role::Moderator)
    }

    /// Returns false if administrators must sign in with a second factor and the session was opened without one.
    fn has_second_factor(&self, app: &App) -> bool {
        *app.settings.admin_second_factor == AdminSecondFactor::Off || self.second_factor
    }

    fn of(bearer: &Bearer, session: Session, wrote_at: Option<Time>) -> Result<Self> {
        let (id, second_factor) = (bearer.user, session.second_factor);
        let roles = sessions::roles(session)?;
        Ok(Self { id, session: bearer.session, second_factor, roles, wrote_at })
    }

    /// Returns the error for a missing permission, and writes it to the security log.
    fn refusal(&self, why: &'static str) -> Error {
        security::log(SecurityEvent::Forbidden, self.id, why);
        Failed::Forbidden(why.into()).into()
    }
}

impl From<Caller> for SessionOwner {
    fn from(Caller { id, second_factor, .. }: Caller) -> Self {
        Self { id, second_factor }
    }
}

impl From<Caller> for Administrator {
    fn from(Caller { id, roles, .. }: Caller) -> Self {
        Self { id, roles }
    }
}

impl FromRequestParts<App> for Caller {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self> {
        let (bearer, session, wrote_at) = sign_in(parts, app).await?;
        check_scope(parts, &session)?;
        Self::of(&bearer, session, wrote_at)
    }
}

impl OptionalFromRequestParts<App> for Caller {
    type Rejection = Error;

    /// Returns `None` if the request has no token. Also returns `None` for an application token that lacks the scope of
    /// the operation, because clients without a token can use the operation too. Fails if the token is invalid.
    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Option<Self>> {
        Visitor::from_request_parts(parts, app).await.map(|visitor| visitor.0.ok())
    }
}

/// The signed-in user of an operation that needs a sign-in only for some inputs, or else the error for these inputs.
pub struct Visitor(pub Result<Caller>);

impl FromRequestParts<App> for Visitor {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self> {
        if !parts.headers.contains_key(AUTHORIZATION) {
            let Address(address) = Address::from_request_parts(parts, app).await?;
            reads::count_read(app, &address, app.settings.read_limit_per_5_min.saturating_mul(2)).await?;
            return Ok(Self(Err(SIGN_IN.into())));
        }
        let (bearer, session, wrote_at) = sign_in(parts, app).await?;
        match check_scope(parts, &session) {
            Ok(()) => Ok(Self(Ok(Caller::of(&bearer, session, wrote_at)?))),
            Err(refusal) => Ok(Self(Err(refusal))),
        }
    }
}

/// The signed-in user, or a banned user with the token from the header `x-appeal-token` of a refused sign-in.
pub struct Appellant {
    /// The user's ID.
    pub id: UserId,
    /// Whether the user is banned.
    pub is_banned: bool,
}

impl FromRequestParts<App> for Appellant {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self> {
        let refusal = match <Caller as FromRequestParts<App>>::from_request_parts(parts, app).await {
            Ok(caller) => return Ok(Self { id: caller.id, is_banned: false }),
            Err(refusal) => refusal,
        };
        let token = bearer(parts).ok_or(SIGN_IN)?;
        let Ok(id) = appeal_token::read(app, token).await else { return Err(refusal) };
        reads::count_read(app, &id.to_string(), *app.settings.read_limit_per_5_min).await?;
        Ok(Self { id, is_banned: true })
    }
}

/// The caller and the input of a request that can end the caller's own session.
///
/// If the client repeats the request with its idempotency key, the client gets the first answer, although the session
/// has ended.
pub struct SessionEnding<T> {
    /// The user's ID.
    pub id: UserId,
    /// The input.
    pub input: Input<T>,
}

impl<T: DeserializeOwned + Send> FromRequest<App> for SessionEnding<T> {
    type Rejection = Error;

    async fn from_request(request: Request, app: &App) -> Result<Self> {
        let (mut parts, body) = request.into_parts();
        let caller = <Caller as FromRequestParts<App>>::from_request_parts(&mut parts, app).await;
        let token = bearer(&parts).map(str::to_owned);
        let input = Input::from_request(Request::from_parts(parts, body), app).await;
        match caller {
            Ok(caller) => Ok(Self { id: caller.id, input: input? }),
            Err(refusal) => Self::repeated(app, token, input).await.ok_or(refusal),
        }
    }
}

impl<T: Send> SessionEnding<T> {
    /// Returns the user and input if the request was answered earlier, or else `None`. The session may have ended.
    async fn repeated(app: &App, token: Option<String>, input: Result<Input<T>>) -> Option<Self> {
        let (id, input) = (tokens::read_access(app, &token?).await.ok()?.sub, input.ok()?);
        let answer = input.once.earlier::<IgnoredAny>(app, &id.to_string()).await.ok()?;
        answer.map(|_| Self { id, input })
    }
}

/// Returns the token, its session, and [`Caller::wrote_at`]. Counts the request against the rate limits.
async fn sign_in(parts: &Parts, app: &App) -> Result<(Bearer, Session, Option<Time>)> {
    let bearer = Bearer::read(app, bearer(parts).ok_or(SIGN_IN)?).await?;
    if matches!(parts.method, Method::GET | Method::HEAD) {
        reads::count_read(app, &bearer.session.to_string(), *app.settings.read_limit_per_5_min).await?;
        let session = sessions::find_live(app, &bearer).await?;
        // After the session was found, because an unknown token can name any user.
        reads::count_read_of_user(app, &bearer.user.to_string(), *app.settings.read_limit_per_5_min).await?;
        let wrote_at = session.wrote_at;
        return Ok((bearer, session, wrote_at));
    }
    let session = sessions::count_request(app, &bearer).await?;
    Ok((bearer, session, None))
}

impl FromRequestParts<App> for Admin {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self> {
        privileged(parts, app, Caller::is_admin, "only administrators may do this").await.map(Self)
    }
}

impl FromRequestParts<App> for Moderator {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self> {
        let refusal = "only moderators and administrators may do this";
        privileged(parts, app, Caller::is_moderator, refusal).await.map(Self)
    }
}

impl FromRequestParts<App> for SuperAdmin {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self> {
        privileged(parts, app, Caller::is_super_admin, "only a SUPER_ADMIN may do this").await.map(Self)
    }
}

/// Returns the caller if `has_role` returns true and the session has the required second factor.
///
/// # Errors
/// Fails with [`Failed::Forbidden`] and the text `refusal` if the role is missing.
async fn privileged(
    parts: &mut Parts,
    app: &App,
    has_role: fn(&Caller) -> bool,
    refusal: &'static str,
) -> Result<Caller> {
    let caller = <Caller as FromRequestParts<App>>::from_request_parts(parts, app).await?;
    match (has_role(&caller), caller.has_second_factor(app)) {
        (false, _) => Err(caller.refusal(refusal)),
        (true, false) => Err(caller.refusal("administrators must sign in with a second factor")),
        (true, true) => Ok(caller),
    }
}

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

/// Returns the token in `Authorization: Bearer …`, or `None`.
fn bearer(parts: &Parts) -> Option<&str> {
    let value = parts.headers.get(AUTHORIZATION)?.to_str().ok()?;
    let (scheme, token) = value.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then(|| token.trim())
}
