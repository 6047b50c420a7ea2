//! Usernames and e-mails that are taken, each by one person.

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

/// A name that nobody else can have.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Taken {
    pk: String,
    /// Whose it is.
    pub(crate) user: UserId,
}

impl Taken {
    /// Takes a username, for a transaction.
    pub(crate) fn username(user: UserId, username: &Username) -> Write {
        let row = Self { pk: username_pk(&username.lower()), user };
        Write::create(&row).or(Error::invalid("username", TAKEN))
    }

    /// Takes an e-mail, for a transaction.
    pub(crate) fn email(user: UserId, email: &Email) -> Write {
        let row = Self { pk: email_pk(&email.to_string()), user };
        Write::create(&row).or(Error::invalid("email", TAKEN))
    }

    /// Gives a username back, for a transaction.
    pub(crate) fn release(user: UserId, username: &Username) -> Write {
        let release = Write::delete(key(username_pk(&username.lower()))).equals("user", user);
        release.or(Error::invalid("username", "was changed meanwhile"))
    }
}

/// Whether nobody has this e-mail. 1 call, 1 RRU.
///
/// # Errors
/// Internal only.
pub async fn email_is_free(app: &App, email: &Email) -> Result<bool> {
    find_by_email(app, &email.to_string()).await.map(|it| it.is_none())
}

/// Whether nobody has this username. 1 call, 1 RRU.
///
/// # Errors
/// Internal only.
pub async fn username_is_free(app: &App, username: &Username) -> Result<bool> {
    find_by_username(app, &username.lower()).await.map(|it| it.is_none())
}

/// The user of this name. 1 call, 1 RRU.
///
/// # Errors
/// [`Error::NotFound`] when there is none.
pub async fn user_named(app: &App, username: &Username) -> Result<UserId> {
    find_by_username(app, &username.lower()).await?.ok_or(Error::NotFound("user"))
}

/// Those who have these usernames; a name that nobody has is left out. 1 call for each 100, 1 RRU each.
///
/// # Errors
/// Internal only.
pub async fn users_named(app: &App, usernames: &[Username]) -> Result<Vec<UserId>> {
    let names: HashSet<_> = usernames.iter().map(Username::lower).collect();
    let keys: Vec<_> = names.iter().map(|it| key(username_pk(it))).collect();
    let found: Vec<Taken> = app.table.batch_get(&keys).await?;
    Ok(found.into_iter().map(|it| it.user).collect())
}

/// Who has this e-mail, in lower case. 1 call, 1 RRU.
///
/// # Errors
/// Internal only.
pub async fn find_by_email(app: &App, lower: &str) -> Result<Option<UserId>> {
    owner(app, email_pk(lower)).await
}

/// Who has this username, in lower case. 1 call, 1 RRU.
pub(crate) async fn find_by_username(app: &App, lower: &str) -> Result<Option<UserId>> {
    owner(app, username_pk(lower)).await
}

async fn owner(app: &App, pk: String) -> Result<Option<UserId>> {
    Ok(app.table.get::<Taken>(&key(pk)).await?.map(|it| it.user))
}

fn username_pk(lower: &str) -> String {
    format!("USERNAME#{lower}")
}

fn email_pk(lower: &str) -> String {
    format!("EMAIL#{lower}")
}

fn key(pk: String) -> Key {
    Key::new(pk, "UNIQUE")
}

/// `USERNAME#lower / UNIQUE` and `EMAIL#lower / UNIQUE`
impl Row for Taken {
    fn key(&self) -> Key {
        key(self.pk.clone())
    }
}
