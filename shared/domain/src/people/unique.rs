//! Usernames and e-mails: each belongs to at most one user.

use std::collections::HashSet;

use platform::{
    App,
    error::{Error, Result},
    table::{Key, Row, Write},
};
use serde::{Deserialize, Serialize};

use crate::{
    ids::UserId,
    people::users::{Email, Username},
};

const TAKEN: &str = "is already taken";

/// A username or an e-mail that belongs to a user.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct UniqueName {
    pk: String,
    /// The user whom it belongs to.
    pub(crate) user: UserId,
}

impl UniqueName {
    /// Returns the write that claims a username. It is invalid when another row holds it.
    pub(crate) fn claim_username_write(user: UserId, username: &Username) -> Write {
        let row = Self { pk: username_partition(&username.lower()), user };
        Write::create(&row).or(Error::invalid("username", TAKEN))
    }

    /// Returns the write that claims an e-mail. It is invalid when another row holds it.
    pub(crate) fn claim_email_write(user: UserId, email: &Email) -> Write {
        let row = Self { pk: email_partition(&email.to_string()), user };
        Write::create(&row).or(Error::invalid("email", TAKEN))
    }

    /// Returns the write that releases a username. It is stale when the user does not hold it.
    pub(crate) fn release_username_write(user: UserId, username: &Username) -> Write {
        Write::delete(key(username_partition(&username.lower()))).equals("user", user).into()
    }
}

/// Returns whether nobody has this e-mail. Costs 1 call and 1 RRU.
pub async fn email_is_free(app: &App, email: &Email) -> Result<bool> {
    find_by_email(app, &email.to_string()).await.map(|it| it.is_none())
}

/// Returns whether nobody has this username. Costs 1 call and 1 RRU.
pub async fn username_is_free(app: &App, username: &Username) -> Result<bool> {
    find_by_username(app, &username.lower()).await.map(|it| it.is_none())
}

/// Returns the user with this name. Costs 1 call and 1 RRU.
///
/// # Errors
/// [`Error::NotFound`] when there is no such user.
pub async fn user_named(app: &App, username: &Username) -> Result<UserId> {
    find_by_username(app, &username.lower()).await?.ok_or(Error::NotFound("user"))
}

/// Returns the users with these names; a name that nobody has is left out. Costs 1 call for each 100 and
/// 1 RRU for each.
pub async fn users_named(app: &App, usernames: &[Username]) -> Result<Vec<UserId>> {
    let names: HashSet<_> = usernames.iter().map(Username::lower).collect();
    let keys: Vec<_> = names.iter().map(|it| key(username_partition(it))).collect();
    let found: Vec<UniqueName> = app.table.batch_get(&keys).await?;
    Ok(found.into_iter().map(|it| it.user).collect())
}

/// Returns the user with this e-mail, which is in lower case. Costs 1 call and 1 RRU.
pub async fn find_by_email(app: &App, lower: &str) -> Result<Option<UserId>> {
    owner(app, email_partition(lower)).await
}

/// Returns the user with this username, which is in lower case. Costs 1 call and 1 RRU.
pub(crate) async fn find_by_username(app: &App, lower: &str) -> Result<Option<UserId>> {
    owner(app, username_partition(lower)).await
}

async fn owner(app: &App, pk: String) -> Result<Option<UserId>> {
    Ok(app.table.get::<UniqueName>(&key(pk)).await?.map(|it| it.user))
}

fn username_partition(lower: &str) -> String {
    format!("USERNAME#{lower}")
}

fn email_partition(lower: &str) -> String {
    format!("EMAIL#{lower}")
}

fn key(pk: String) -> Key {
    Key::new(pk, "UNIQUE")
}

/// `USERNAME#lower / UNIQUE` and `EMAIL#lower / UNIQUE`
impl Row for UniqueName {
    fn key(&self) -> Key {
        key(self.pk.clone())
    }
}
