//! Extractors for the signed-in user. A handler checks permissions by taking one of these types as a parameter.

mod appellant;
mod roles;
mod session_ending;
mod token_pair;

use axum::{
    extract::{FromRequestParts, OptionalFromRequestParts},
    http::{Method, header::AUTHORIZATION, request::Parts},
};
use domain::{
    SessionId, UserId,
    accounts::{
        SessionOwner,
        bearer::Bearer,
        sessions::{self, Session},
    },
    ledger::security::{self, SecurityEvent},
    people::{Administrator, Role},
};
use platform::{App, Error as Failed, Time, reads, settings::AdminSecondFactor};

pub use self::{
    appellant::Appellant,
    roles::{Admin, Moderator, SuperAdmin},
    session_ending::SessionEnding,
    token_pair::{PresentedTokenPair, RefreshToken},
};
use crate::{
    Error, Result,
    http::{Address, check_scope},
};

const SIGN_IN: Failed = Failed::Unauthenticated("sign in first");

/// The signed-in user, or an application that acts for a user within the scopes of its token.
///
/// The extractor checks the session, and fails with 401, 403 or 429. Each request counts against the rate limits of the
/// session and of the user.
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
    /// The time of the session's last write request. `None` if there was none, or if this request is a write.
    pub wrote_at: Option<Time>,
}

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

/// The signed-in user, or the error to return if the input needs a sign-in.
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

/// Returns the token, its session, and [`Caller::wrote_at`]. Counts the request against the rate limits.
async fn sign_in(parts: &Parts, app: &App) -> Result<(Bearer, Session, Option<Time>)> {
    let bearer = Bearer::read(app, bearer(parts).ok_or(SIGN_IN)?).await?;
    if matches!(parts.method, Method::GET | Method::HEAD) {
        reads::count_read(app, &bearer.session.to_string(), *app.settings.read_limit_per_5_min).await?;
        let session = sessions::find_live(app, &bearer).await?;
        // Counts only after the session was found, because an unknown token can name any user.
        reads::count_read_of_user(app, &bearer.user.to_string(), *app.settings.read_limit_per_5_min).await?;
        let wrote_at = session.wrote_at;
        return Ok((bearer, session, wrote_at));
    }
    let session = sessions::count_request(app, &bearer).await?;
    Ok((bearer, session, None))
}

/// Returns the token in `Authorization: Bearer …`, or `None`.
fn bearer(parts: &Parts) -> Option<&str> {
    let value = parts.headers.get(AUTHORIZATION)?.to_str().ok()?;
    let (scheme, token) = value.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then(|| token.trim())
}
