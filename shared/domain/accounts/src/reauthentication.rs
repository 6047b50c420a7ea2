//! Reauthentication. A signed-in user enters the password again. If the user has a second factor, the user also enters
//! a code.

use base::UserId;
use ledger::security::{self, SecurityEvent};
use people::{User, users};
use platform::{App, Error, Result, Write, rate_limit::RateLimitStatus};
use serde::Deserialize;
use tokio::sync::OnceCell;
use utoipa::ToSchema;

use super::{
    passkeys::{self, Assertion},
    passwords::TypedPassword,
    second_factor::{self, Code, UsedCode},
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

/// The user of a checked [`Proof`], and the writes that consume the proof. Run the writes in the transaction of the
/// request. A repeated request then finds either an unused proof or the stored answer.
pub struct Proven {
    /// The user who sent the proof.
    pub user: User,
    /// The writes. They fail if another request has used the code or the passkey's response.
    pub writes: Vec<Write>,
}

/// Checks the password, the code or the passkey. A wrong password or code counts as a failed attempt. After a right
/// password, `password_checked` stores the user. If the caller repeats its work after a conflict, the password is then
/// not checked again.
///
/// Accepts a code or passkey only in a session that was opened with a second factor. Otherwise a thief of an access
/// token could set up a second factor, and then use it here.
///
/// # Errors
/// Fails with [`Error::Invalid`] if the proof is missing, or if the password or code is wrong or was already used. Also
/// fails if the proof has a password and a code, but the account has no second factor.
/// Fails with [`Error::Unauthenticated`] if the passkey is unknown or its signature is wrong. Fails with
/// [`Error::LimitReached`] after too many attempts.
pub async fn check_proof(
    app: &App,
    owner: SessionOwner,
    proof: Proof,
    device: &Device,
    password_checked: &OnceCell<User>,
) -> Result<Proven> {
    let writes = match proof {
        Proof { password: Some(password), code: typed_code, .. } => {
            let check = || check_password(app, owner.id, ("password", password), device);
            let user = password_checked.get_or_try_init(check).await?.clone();
            if typed_code.is_some() && user.second_factor_at.is_none() {
                return Err(Error::invalid(
                    "code",
                    "must be omitted, because the account has no second factor",
                ));
            }
            return Ok(Proven { user, writes: Vec::new() });
        }
        Proof { code: Some(code), .. } if owner.second_factor => {
            vec![second_factor::use_code(app, owner.id, &code, wrong_code).await?.take_back(app).await?]
        }
        Proof { passkey: Some(passkey), .. } if owner.second_factor => {
            passkeys::used_writes(app, owner.id, &passkey).await?
        }
        Proof { code: None, passkey: None, .. } => return Err(Error::invalid("password", "is required")),
        Proof { .. } => return Err(Error::invalid("password", NEEDED)),
    };
    Ok(Proven { user: users::get(app, owner.id).await?, writes })
}

/// Checks that the user confirmed the email address. An unconfirmed address may belong to another person.
///
/// # Errors
/// Fails with [`Error::Forbidden`] if the address is not confirmed.
pub fn check_confirmed(user: &User) -> Result<()> {
    let refusal = || Error::Forbidden("confirm your email address first".into());
    user.verified_at.map(drop).ok_or_else(refusal)
}

/// Checks `password`, and `code` if the user has a second factor. The check counts as a sign-in attempt.
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
) -> Result<Proven> {
    let (user, code) = check_both(app, user, password, code, device).await?;
    let write = match code {
        Some(code) => Some(code.take_back(app).await?),
        None => None,
    };
    Ok(Proven { user, writes: write.into_iter().collect() })
}

/// Works like [`check_password_and_code`], but returns the code. Returns `None` if the user has no second factor.
pub(super) async fn check_both(
    app: &App,
    user: UserId,
    password: TypedPassword,
    code: Option<Code>,
    device: &Device,
) -> Result<(User, Option<UsedCode>)> {
    let (user, attempts) = check_and_count(app, user, ("password", password), device).await?;
    let code = match user.second_factor_at {
        Some(_) => {
            let code = code.ok_or_else(|| Error::invalid("code", "is required"))?;
            Some(second_factor::use_code(app, user.id, &code, wrong_code).await?)
        }
        None => None,
    };
    attempts.take_back(app).await.map(|()| (user, code))
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
