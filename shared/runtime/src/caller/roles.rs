//! Callers with a role that the operation requires.

use axum::{extract::FromRequestParts, http::request::Parts};
use platform::App;

use super::Caller;
use crate::error::{Error, Result};

/// A signed-in administrator.
#[derive(Clone, Debug)]
pub struct Admin(pub Caller);

/// A signed-in moderator or administrator. Both may decide reports, cases and appeals.
#[derive(Clone, Debug)]
pub struct Moderator(pub Caller);

/// A signed-in administrator who may change roles.
#[derive(Clone, Debug)]
pub struct SuperAdmin(pub Caller);

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
/// Fails with [`platform::Error::Forbidden`] and the text `refusal` if the role is missing.
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
