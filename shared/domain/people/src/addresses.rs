//! Email addresses, and the accounts that they refer to.
//!
//! An address belongs to the account that confirmed it. An unconfirmed address refers to the account that registered
//! with it last. For 24 hours, no other account can register with the same address.

use base::UserId;
use platform::{App, Error, HOUR_SECONDS, Key, Result, Row, Time, Write};
use serde::{Deserialize, Serialize};

use crate::users::{Email, User};

/// Time for which no other account can register with an unconfirmed address.
const HELD_SECONDS: i64 = 24 * HOUR_SECONDS;
const SORT_KEY: &str = "UNIQUE";

/// The row of an email address.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Address {
    pk: String,
    user: UserId,
    /// The time from which another account can register with the address, or `None` if the address is confirmed.
    free_from: Option<Time>,
}

impl Address {
    /// Returns the row of the address of a new user.
    pub fn of(user: &User) -> Self {
        let free_from = user.verified_at.is_none().then(|| user.created_at.plus_seconds(HELD_SECONDS));
        Self { pk: partition(&user.email.to_string()), user: user.id, free_from }
    }

    /// Returns the write that makes the address refer to a new user. The write fails with [`Error::Invalid`] if the
    /// address is taken.
    pub fn claim_write(app: &App, user: &User) -> Write {
        Write::put(&Self::of(user)).vacant_from("freeFrom", app.now()).or(is_taken())
    }

    /// Returns the write that confirms the address for a user. Unconfirmed registrations by other accounts lose the
    /// address. The write fails with [`Error::Invalid`] if another account confirmed the address.
    pub fn confirm_write(user: UserId, email: &Email) -> Write {
        let row = Self { pk: partition(&email.to_string()), user, free_from: None };
        Write::put(&row).vacant_or_has("freeFrom").or(is_taken())
    }
}

/// Returns the error for an address that is taken.
pub fn is_taken() -> Error {
    Error::invalid("email", "is already taken")
}

/// Returns whether a user can register with the address.
pub async fn is_free(app: &App, email: &Email) -> Result<bool> {
    let is_free = |address: Address| address.free_from.is_some_and(|time| time <= app.now());
    Ok(find(app, &email.to_string()).await?.is_none_or(is_free))
}

/// Returns the user that the address refers to, or `None` if there is none. The address must be in lower case.
pub async fn find_user(app: &App, lower: &str) -> Result<Option<UserId>> {
    Ok(find(app, lower).await?.map(|address| address.user))
}

/// Returns whether the user's address refers to this user, not to an account that registered with the address later.
pub async fn is_owned(app: &App, user: &User) -> Result<bool> {
    match user.verified_at {
        Some(_) => Ok(true),
        None => Ok(find_user(app, &user.email.to_string()).await? == Some(user.id)),
    }
}

/// Returns whether the user can confirm their address, because no other account has confirmed it.
pub async fn is_confirmable(app: &App, user: &User) -> Result<bool> {
    let address = find(app, &user.email.to_string()).await?;
    Ok(address.is_none_or(|address| address.user == user.id || address.free_from.is_some()))
}

/// Returns the write that releases the user's address, or `None` if the address refers to another account. The write
/// fails with a conflict if the address refers to another account by then.
pub async fn release_write(app: &App, user: &User) -> Result<Option<Write>> {
    let key = key(&user.email.to_string());
    Ok(is_owned(app, user).await?.then(|| Write::delete(key).equals("user", user.id).into()))
}

async fn find(app: &App, lower: &str) -> Result<Option<Address>> {
    app.table.get(&key(lower)).await
}

fn partition(lower: &str) -> String {
    format!("EMAIL#{lower}")
}

fn key(lower: &str) -> Key {
    Key::new(partition(lower), SORT_KEY)
}

/// `EMAIL#lower / UNIQUE`
impl Row for Address {
    fn key(&self) -> Key {
        Key::new(&self.pk, SORT_KEY)
    }
}
