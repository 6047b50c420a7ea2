//! Unique usernames.

use std::collections::{HashMap, HashSet};

use base::UserId;
use platform::{App, Error, HOUR_SECONDS, Key, Result, Row, Time, Write};
use serde::{Deserialize, Serialize};

use crate::users::{self, UserRef, Username};

const TAKEN: &str = "is already taken";
/// Time for which a released username stays reserved, because old links refer to the previous owner.
const RESERVED_SECONDS: i64 = 30 * 24 * HOUR_SECONDS;
const SORT_KEY: &str = "UNIQUE";

/// The row of a username in use, or of a released username that is still reserved.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct UniqueName {
    pk: String,
    /// The current or previous owner.
    user: UserId,
    /// The end of the reservation, or `None` while the name is in use.
    rests_until: Option<Time>,
}

impl UniqueName {
    /// Returns the row of a user's username.
    pub fn of_username(user: UserId, username: &Username) -> Self {
        Self { pk: partition(&username.lower()), user, rests_until: None }
    }

    /// Returns the write that claims a username. The write fails with [`Error::Invalid`] if another user owns the name
    /// or has released it within the last 30 days.
    pub fn claim_username_write(app: &App, user: UserId, username: &Username) -> Write {
        Write::put(&Self::of_username(user, username))
            .vacant_at_or(app.now(), "user", user)
            .or(Error::invalid("username", TAKEN))
    }

    /// Returns the write that releases a username, and reserves the name for `user` for 30 days. The write fails with a
    /// conflict if `user` does not own the name.
    pub fn rest_username_write(app: &App, user: UserId, username: &Username) -> Write {
        Self::release_write(app, user, username, user)
    }

    /// Returns the write that releases the username of a deleted account. No user can claim the username for 30 days.
    /// The write fails with a conflict if `user` does not own the name.
    pub fn give_up_write(app: &App, user: UserId, username: &Username) -> Write {
        Self::release_write(app, user, username, UserId::NONE)
    }

    fn release_write(app: &App, owner: UserId, username: &Username, reserved_for: UserId) -> Write {
        let end = app.now().plus_seconds(RESERVED_SECONDS);
        let row = Self { rests_until: Some(end), ..Self::of_username(reserved_for, username) };
        Write::put(&row).equals("user", owner)
    }

    /// Returns the user that the name refers to, and whether that user is known to exist. A reserved name refers to the
    /// previous owner, who may have deleted the account since then.
    fn refers_to(&self, now: Time) -> Option<(UserId, bool)> {
        match self.rests_until {
            None => Some((self.user, true)),
            Some(end) => (now < end && self.user != UserId::NONE).then_some((self.user, false)),
        }
    }
}

/// Returns whether the username is neither taken nor reserved.
pub async fn username_is_free(app: &App, username: &Username) -> Result<bool> {
    let row = find_name(app, &username.lower()).await?;
    Ok(row.is_none_or(|row| row.rests_until.is_some_and(|end| end <= app.now())))
}

/// Returns the user that a request refers to. A username that was released within the last 30 days refers to the
/// previous owner.
///
/// # Errors
/// Fails with [`Error::NotFound`] if the user does not exist.
pub async fn user_named(app: &App, user: &UserRef) -> Result<UserId> {
    let referred = match user {
        UserRef::Id(id) => Some((*id, false)),
        UserRef::Name(name) => {
            find_name(app, &name.lower()).await?.and_then(|name| name.refers_to(app.now()))
        }
    };
    match referred.ok_or(Error::NotFound("user"))? {
        (user, true) => Ok(user),
        (user, false) => users::get(app, user).await.map(|user| user.id),
    }
}

/// Does the same as [`user_named`], but returns an ID without reading the user, who may not exist.
///
/// # Errors
/// Fails with [`Error::NotFound`] if no user has the username.
pub async fn user_id(app: &App, user: &UserRef) -> Result<UserId> {
    match user {
        UserRef::Id(id) => Ok(*id),
        UserRef::Name(_) => user_named(app, user).await,
    }
}

/// Does the same as [`user_id`], for the query parameter `filter` of a list.
///
/// # Errors
/// Fails with [`Error::Invalid`] if no user has the username.
pub async fn user_in_filter(app: &App, filter: &str, user: &UserRef) -> Result<UserId> {
    user_id(app, user).await.map_err(|error| match error {
        Error::NotFound(_) => Error::invalid(filter, "no user has this username"),
        error => error,
    })
}

/// Returns the users that a request refers to, in the same order. Omits users who do not exist.
pub async fn users_named(app: &App, users: &[UserRef]) -> Result<Vec<UserId>> {
    let lower: HashSet<_> = users.iter().filter_map(UserRef::name).map(Username::lower).collect();
    let keys: Vec<_> = lower.iter().map(|lower| key(lower)).collect();
    let names: Vec<UniqueName> = app.table.batch_get(&keys).await?;
    let names: HashMap<_, _> = names.into_iter().map(|name| (name.pk.clone(), name)).collect();
    let referred = |user: &UserRef| match user {
        UserRef::Id(id) => Some((*id, false)),
        UserRef::Name(name) => names.get(&partition(&name.lower()))?.refers_to(app.now()),
    };
    let referred: Vec<_> = users.iter().filter_map(referred).collect();
    let uncertain: HashSet<_> =
        referred.iter().filter(|(_, exists)| !exists).map(|(user, _)| *user).collect();
    let found = users::find_all(app, &uncertain.into_iter().collect::<Vec<_>>()).await?;
    let found: HashSet<_> = found.into_iter().map(|user| user.id).collect();
    Ok(referred
        .into_iter()
        .filter(|(user, exists)| *exists || found.contains(user))
        .map(|(user, _)| user)
        .collect())
}

/// Returns the user with this username, or `None` if there is none. The username must be in lower case.
pub async fn find_by_username(app: &App, lower: &str) -> Result<Option<UserId>> {
    Ok(find_name(app, lower).await?.filter(|name| name.rests_until.is_none()).map(|name| name.user))
}

async fn find_name(app: &App, lower: &str) -> Result<Option<UniqueName>> {
    app.table.get(&key(lower)).await
}

fn partition(lower: &str) -> String {
    format!("USERNAME#{lower}")
}

fn key(lower: &str) -> Key {
    Key::new(partition(lower), SORT_KEY)
}

/// `USERNAME#lower / UNIQUE`, expires when the reservation ends
impl Row for UniqueName {
    fn key(&self) -> Key {
        Key::new(&self.pk, SORT_KEY)
    }

    fn expires(&self) -> Option<Time> {
        self.rests_until
    }
}
