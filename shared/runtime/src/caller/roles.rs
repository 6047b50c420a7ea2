//! Callers with a role that the operation requires.

use axum::{extract::FromRequestParts, http::request::Parts};
use platform::App;

use super::Caller;
use crate::{Error, Result};

/// Declares extractors for callers with a role: the check of the role, and the error if the role is missing.
macro_rules! callers_with_role {
    ($($(#[$doc:meta])* $name:ident: $has_role:path, $refusal:literal;)+) => {$(
        $(#[$doc])*
        #[derive(Clone, Debug)]
        pub struct $name(pub Caller);

        impl FromRequestParts<App> for $name {
            type Rejection = Error;

            async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self> {
                privileged(parts, app, $has_role, $refusal).await.map(Self)
            }
        }
    )+};
}

callers_with_role! {
    /// A signed-in administrator.
    Admin: Caller::is_admin, "only administrators may do this";

    /// A signed-in moderator or administrator. Both may decide reports, cases and appeals.
    Moderator: Caller::is_moderator, "only moderators and administrators may do this";

    /// A signed-in administrator who may change roles.
    SuperAdmin: Caller::is_super_admin, "only a SUPER_ADMIN may do this";
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
