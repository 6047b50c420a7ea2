//! Usernames and e-mails: each belongs to at most one user.

use std::collections::HashSet;

use base::ids::UserId;
use platform::{
    App,
    error::{Error, Result},
    table::{Key, Row, Write},
    time::{HOUR_SECONDS, Time},
};
use serde::{Deserialize, Serialize};

use crate::users::{Email, Username};

const TAKEN: &str = "is already taken";
/// 30 days, for which nobody else can take a username that was given up: links of before mean who had it.
const REST_SECONDS: i64 = 30 * 24 * HOUR_SECONDS;

/// A username or an e-mail that belongs to a user, or a username that rests since they gave it up.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct UniqueName {
    pk: String,
    /// The user whom it belongs to, or belonged to.
    user: UserId,
    /// The end of its rest; none while it belongs to the user.
    rests_until: Option<Time>,
}

impl UniqueName {
    /// Returns the row of a user's username.
    pub fn of_username(user: UserId, username: &Username) -> Self {
        Self { pk: username_partition(&username.lower()), user, rests_until: None }
    }

    /// Returns the row of a user's e-mail.
    pub fn of_email(user: UserId, email: &Email) -> Self {
        Self { pk: email_partition(&email.to_string()), user, rests_until: None }
    }

    /// Returns the write that claims a username. It is invalid while it belongs to somebody, or rests since
    /// another gave it up.
    pub fn claim_username_write(app: &App, user: UserId, username: &Username) -> Write {
        Write::put(&Self::of_username(user, username))
            .vacant_at_or(app.now(), "user", user)
            .or(Error::invalid("username", TAKEN))
    }

    /// Returns the write that claims an e-mail. It is invalid when another row holds it.
    pub fn claim_email_write(user: UserId, email: &Email) -> Write {
        Write::create(&Self::of_email(user, email)).or(email_is_taken())
    }

    /// Returns the write that gives an e-mail up: anybody can take it from now on. It is stale when the user does not
    /// hold it.
    pub fn release_email_write(user: UserId, email: &Email) -> Write {
        Write::delete(key(email_partition(&email.to_string()))).equals("user", user).into()
    }

    /// Returns the write that gives a username up. It is stale when the user does not hold it.
    pub fn rest_username_write(app: &App, user: UserId, username: &Username) -> Write {
        let end = app.now().plus_seconds(REST_SECONDS);
        let row = Self { pk: username_partition(&username.lower()), user, rests_until: Some(end) };
        Write::put(&row).equals("user", user)
    }

    /// Returns the writes that give up both names of a user who leaves: nobody can take the username while it rests, and
    /// the e-mail is free. They are stale when the user does not hold them.
    pub fn give_up_writes(app: &App, user: UserId, username: &Username, email: &Email) -> [Write; 2] {
        let end = app.now().plus_seconds(REST_SECONDS);
        let pk = username_partition(&username.lower());
        let rest = Self { pk, user: UserId::NONE, rests_until: Some(end) };
        let release = Write::delete(key(email_partition(&email.to_string())));
        [Write::put(&rest).equals("user", user), release.equals("user", user).into()]
    }

    /// Returns the user whom it belongs to; none while it rests.
    fn owner(self) -> Option<UserId> {
        self.rests_until.is_none().then_some(self.user)
    }
}

/// Returns the refusal of an e-mail that belongs to somebody.
pub fn email_is_taken() -> Error {
    Error::invalid("email", TAKEN)
}

/// Returns whether nobody has this e-mail.
pub async fn email_is_free(app: &App, email: &Email) -> Result<bool> {
    find_by_email(app, &email.to_string()).await.map(|it| it.is_none())
}

/// Returns whether nobody has this username, and it does not rest.
pub async fn username_is_free(app: &App, username: &Username) -> Result<bool> {
    let row = app.table.get::<UniqueName>(&key(username_partition(&username.lower()))).await?;
    Ok(row.is_none_or(|it| it.rests_until.is_some_and(|end| end <= app.now())))
}

/// Returns the user with this name.
///
/// # Errors
/// [`Error::NotFound`] when there is no such user.
pub async fn user_named(app: &App, username: &Username) -> Result<UserId> {
    find_by_username(app, &username.lower()).await?.ok_or(Error::NotFound("user"))
}

/// Returns the users with these names; a name that nobody has is left out.
pub async fn users_named(app: &App, usernames: &[Username]) -> Result<Vec<UserId>> {
    let names: HashSet<_> = usernames.iter().map(Username::lower).collect();
    let keys: Vec<_> = names.iter().map(|it| key(username_partition(it))).collect();
    let found: Vec<UniqueName> = app.table.batch_get(&keys).await?;
    Ok(found.into_iter().filter_map(UniqueName::owner).collect())
}

/// Returns the user with this e-mail, which is in lower case.
pub async fn find_by_email(app: &App, lower: &str) -> Result<Option<UserId>> {
    owner(app, email_partition(lower)).await
}

/// Returns the user with this username, which is in lower case.
pub async fn find_by_username(app: &App, lower: &str) -> Result<Option<UserId>> {
    owner(app, username_partition(lower)).await
}

async fn owner(app: &App, pk: String) -> Result<Option<UserId>> {
    Ok(app.table.get::<UniqueName>(&key(pk)).await?.and_then(UniqueName::owner))
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

/// `USERNAME#lower / UNIQUE`, swept when it has rested, and `EMAIL#lower / UNIQUE`
impl Row for UniqueName {
    fn key(&self) -> Key {
        key(self.pk.clone())
    }

    fn expires(&self) -> Option<Time> {
        self.rests_until
    }
}
