//! Reauthentication. A signed-in user enters the password again. If the user has a second factor, the user also enters
//! a code.

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
    tries::{Device, FailedAttempts},
};

/// Checks the password in the request field `field`, and returns the user. The check counts as a sign-in attempt.
///
/// # Errors
/// Fails with [`Error::Invalid`] if the password is wrong. Fails with [`Error::LimitReached`] after too many attempts.
pub(super) async fn check_password(
    app: &App,
    user: UserId,
    (field, password): (&str, TypedPassword),
    device: &Device,
) -> Result<User> {
    let (user, attempts) = check_and_count(app, user, (field, password), device).await?;
    attempts.take_back(app).await.map(|()| user)
}

/// Checks `password`, and consumes `code` if the user has a second factor. Returns the user. The check counts as a
/// sign-in attempt.
///
/// # Errors
/// Fails with [`Error::Invalid`] if the password is wrong, or if the code is missing, wrong or was already used. Fails
/// with [`Error::LimitReached`] after too many attempts.
pub async fn check_password_and_code(
    app: &App,
    user: UserId,
    password: TypedPassword,
    code: Option<Code>,
    device: &Device,
) -> Result<User> {
    let (user, attempts) = check_and_count(app, user, ("password", password), device).await?;
    if user.second_factor_at.is_some() {
        let code = code.ok_or_else(|| Error::invalid("code", "is required"))?;
        let used = second_factor::use_code(app, user.id, &code, wrong_code).await?;
        used.commit(app).await?;
    }
    attempts.take_back(app).await.map(|()| user)
}

/// Checks the password. Counts a failed attempt in advance. On success, the caller removes the attempt from the count.
async fn check_and_count(
    app: &App,
    user: UserId,
    (field, password): (&str, TypedPassword),
    device: &Device,
) -> Result<(User, FailedAttempts)> {
    let Attempted { user: found, attempts, .. } = attempt(app, &user.to_string(), Some(user), device).await?;
    let found = found.ok_or(Error::NotFound("user"))?;
    if !password.matches(Some(found.password_hash.clone())).await? {
        security::log(SecurityEvent::SignInRefused, user, "wrong password of a signed-in user");
        return Err(Error::invalid(field, "is wrong"));
    }
    Ok((found, attempts))
}

fn wrong_code() -> Error {
    Error::invalid("code", "is wrong or was already used")
}
