//! Reauthentication. A signed-in user enters the password again. If the user has a second factor, the user also enters
//! a code.

use base::ids::UserId;
use ledger::security::{self, SecurityEvent};
use people::users::{self, User};
use platform::{
    App,
    error::{Error, Result},
    rate_limit::RateLimitStatus,
};
use serde::Deserialize;
use utoipa::ToSchema;

use super::{
    passkeys::{self, Assertion},
    passwords::TypedPassword,
    second_factor::{self, Code},
    sign_in::{Attempted, attempt},
    tries::{self, Device, FailedAttempts},
};

const NEEDED: &str = "is required, because the session was opened without a second factor";

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

/// The user of a session.
#[derive(Clone, Copy, Debug)]
pub struct SessionOwner {
    /// The user's ID.
    pub id: UserId,
    /// Whether the session was opened with a second factor.
    pub second_factor: bool,
}

/// Proof that a request comes from the owner of the account. A thief of an access token has no such proof.
#[derive(Clone, Debug, Default, Deserialize, ToSchema)]
#[schema(as = OwnershipProof)]
pub struct Proof {
    /// The password. Required unless `code` is present.
    #[serde(default)]
    pub password: Option<TypedPassword>,
    /// A code from the authenticator, or a recovery code. Replaces the password if the session was opened with a second
    /// factor.
    #[serde(default)]
    pub code: Option<Code>,
    /// A passkey's response to the options from `POST /auth/passkeys/login/options`. Replaces the password if the
    /// session was opened with a second factor.
    #[serde(default)]
    pub passkey: Option<Assertion>,
}

/// Checks the password, the code or the passkey, and returns the user. A wrong password or code counts as a failed
/// attempt.
///
/// Accepts a code or passkey only in a session that was opened with a second factor. Otherwise a thief of an access
/// token could set up a second factor, and then use it here.
///
/// # Errors
/// Fails with [`Error::Invalid`] if the proof is missing, or if the password or code is wrong or was already used.
/// Fails with [`Error::Unauthenticated`] if the passkey is unknown or its signature is wrong. Fails with
/// [`Error::LimitReached`] after too many attempts.
pub async fn check_proof(app: &App, owner: SessionOwner, proof: Proof, device: &Device) -> Result<User> {
    match proof {
        Proof { password: Some(password), .. } => {
            check_password(app, owner.id, ("password", password), device).await
        }
        Proof { code: Some(code), .. } if owner.second_factor => {
            second_factor::use_code(app, owner.id, &code, wrong_code).await?.commit(app).await?;
            users::get(app, owner.id).await
        }
        Proof { passkey: Some(passkey), .. } if owner.second_factor => {
            let writes = passkeys::used_writes(app, owner.id, &passkey).await?;
            app.table.transact(writes).await?;
            users::get(app, owner.id).await
        }
        Proof { code: None, passkey: None, .. } => Err(Error::invalid("password", "is required")),
        Proof { .. } => Err(Error::invalid("password", NEEDED)),
    }
}

/// Checks that the user confirmed the email address. An unconfirmed address may belong to another person.
///
/// # Errors
/// Fails with [`Error::Forbidden`] if the address is not confirmed.
pub fn check_confirmed(user: &User) -> Result<()> {
    let refusal = || Error::Forbidden("confirm your email address first".into());
    user.verified_at.map(drop).ok_or_else(refusal)
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

/// Checks the password. Counts the attempt as failed before the check. After a success, the caller removes the attempt
/// from the count.
async fn check_and_count(
    app: &App,
    user: UserId,
    (field, password): (&str, TypedPassword),
    device: &Device,
) -> Result<(User, FailedAttempts)> {
    let account = user.to_string();
    let (attempted, ()) = futures::try_join!(
        attempt(app, &account, Some(user), device),
        tries::count_both(app, device, "login", &account),
    )?;
    let Attempted { user: found, attempts, limited, .. } = attempted;
    limited.map_or(Ok(()), RateLimitStatus::enforce)?;
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
