//! Reauthentication: somebody who is signed in shows once more that the account is theirs.

use base::ids::UserId;
use ledger::security::{self, SecurityEvent};
use people::users::User;
use platform::{
    App,
    error::{Error, Result},
};

use super::{
    passwords::TypedPassword,
    second_factor::{self, Code},
    sign_in::{Attempted, attempt},
    tries::{Device, FailedTries},
};

/// Checks the password of the field `field`, and returns the user. Counts as a try to sign in.
///
/// # Errors
/// [`Error::Invalid`] for a wrong password; [`Error::LimitReached`] after too many tries.
pub(super) async fn check_password(
    app: &App,
    user: UserId,
    (field, password): (&str, TypedPassword),
    device: &Device,
) -> Result<User> {
    let (user, tries) = try_password(app, user, (field, password), device).await?;
    tries.take_back(app).await.map(|()| user)
}

/// Checks the field `password`, and `code` where the user has a second factor; uses the code up, and returns the user.
/// Counts as a try to sign in.
///
/// # Errors
/// [`Error::Invalid`] for a wrong password, and for a code that is missing, wrong or was used; [`Error::LimitReached`]
/// after too many tries.
pub async fn check_password_and_code(
    app: &App,
    user: UserId,
    password: TypedPassword,
    code: Option<Code>,
    device: &Device,
) -> Result<User> {
    let (user, tries) = try_password(app, user, ("password", password), device).await?;
    if user.second_factor_at.is_some() {
        let code = code.ok_or_else(|| Error::invalid("code", "is required"))?;
        let used = second_factor::use_code(app, user.id, &code, wrong_code).await?;
        used.commit(app).await?;
    }
    tries.take_back(app).await.map(|()| user)
}

/// Counts a failed try until it is taken back.
async fn try_password(
    app: &App,
    user: UserId,
    (field, password): (&str, TypedPassword),
    device: &Device,
) -> Result<(User, FailedTries)> {
    let Attempted { user: found, tries, .. } = attempt(app, &user.to_string(), Some(user), device).await?;
    let found = found.ok_or(Error::NotFound("user"))?;
    if !password.matches(Some(found.password_hash.clone())).await? {
        security::log(SecurityEvent::SignInRefused, user, "a wrong password of somebody signed in");
        return Err(Error::invalid(field, "is wrong"));
    }
    Ok((found, tries))
}

fn wrong_code() -> Error {
    Error::invalid("code", "is wrong or was used")
}
