//! Reauthentication: somebody who is signed in shows once more that the account is theirs.

use platform::{
    App,
    error::{Error, Result},
};
use serde::Deserialize;
use utoipa::ToSchema;

use super::{
    passwords::TypedPassword,
    sign_in::{Attempted, attempt},
    tries::Device,
};
use crate::{
    ids::UserId,
    ledger::security::{self, SecurityEvent},
    people::users::User,
};

const CODE_MAX_BYTES: usize = 64;

/// A code of a second factor.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[schema(value_type = String, max_length = 64, example = "123456")]
#[serde(try_from = "String")]
pub struct Code(());

impl TryFrom<String> for Code {
    type Error = &'static str;

    fn try_from(text: String) -> Result<Self, &'static str> {
        (1..=CODE_MAX_BYTES).contains(&text.len()).then_some(Self(())).ok_or("must be a code")
    }
}

/// Checks the field `password`, and returns the user. Nobody has a second factor, so the code is not looked at. Counts as a
/// try to sign in. Costs 4 calls, 2 RRU and 3 WRU.
///
/// # Errors
/// [`Error::Invalid`] for a wrong password; [`Error::LimitReached`] after too many tries.
pub async fn check_password_and_code(
    app: &App,
    user: UserId,
    password: TypedPassword,
    _code: Option<Code>,
    device: &Device,
) -> Result<User> {
    let Attempted { user: found, tries, .. } = attempt(app, &user.to_string(), Some(user), device).await?;
    let found = found.ok_or(Error::NotFound("user"))?;
    if !password.matches(Some(found.password_hash.clone())).await? {
        security::log(SecurityEvent::SignInRefused, user, "a wrong password of somebody signed in");
        return Err(Error::invalid("password", "is wrong"));
    }
    tries.take_back(app).await.map(|()| found)
}
