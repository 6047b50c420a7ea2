//! Starts the setup of a second factor.

use base::{SessionId, UserId};
use people::{User, users};
use platform::{App, Error, Once, Result};
use serde::Deserialize;
use utoipa::ToSchema;

use crate::{
    passwords::TypedPassword,
    reauthentication::{check_confirmed, check_password},
    second_factor::{self, Enrolment},
    sessions,
    tries::Device,
};

const NO_PASSWORD: &str = "is required, because the sign-in was more than 5 minutes ago";

/// A request to set up a second factor.
#[derive(Clone, Debug, Default, Deserialize, ToSchema)]
#[schema(as = SecondFactorEnrollmentRequest)]
pub struct EnrolmentRequest {
    /// The password. Required if the session was opened more than 5 minutes ago.
    #[serde(default)]
    pub password: Option<TypedPassword>,
}

/// Returns a new seed, which must be confirmed within an hour. The new seed replaces an earlier unconfirmed seed.
///
/// # Errors
/// Fails with [`Error::Invalid`] if the second factor is on, or if the password is wrong or missing. Fails with
/// [`Error::Forbidden`] if the email address is not confirmed. Fails with [`Error::LimitReached`] after too many
/// attempts.
pub async fn begin_second_factor(
    app: &App,
    user: UserId,
    session: SessionId,
    request: EnrolmentRequest,
    device: &Device,
    once: &Once,
) -> Result<Enrolment> {
    once.run_sealed(app, user, async || {
        let owner = check_owner(app, user, session, request.password.clone(), device).await?;
        second_factor::begin_writes(app, &owner).await
    })
    .await
}

/// Checks the password or the age of the session, and that the email address is confirmed. Returns the user. The setup
/// of a second factor or a passkey starts with these checks.
pub(super) async fn check_owner(
    app: &App,
    user: UserId,
    session: SessionId,
    password: Option<TypedPassword>,
    device: &Device,
) -> Result<User> {
    let owner = match password {
        Some(password) => check_password(app, user, ("password", password), device).await?,
        None if sessions::is_recent(app, user, session).await? => users::get(app, user).await?,
        None => return Err(Error::invalid("password", NO_PASSWORD)),
    };
    check_confirmed(&owner).map(|()| owner)
}
