//! Changing how one is shown and addressed.

use platform::{
    App,
    error::{Error, Result},
    table::Write,
};
use serde::{Deserialize, Deserializer};
use utoipa::ToSchema;

use super::me;
use crate::{
    ids::UserId,
    jobs::IndexJob,
    people::{
        unique::Taken,
        users::{self, AvatarUrl, Bio, Name, User, Username},
    },
};

/// What to change: at least one of these; what is left out stays.
#[derive(Clone, Debug, Default, Deserialize, ToSchema)]
pub struct ProfileChange {
    /// As they are called.
    #[serde(default, deserialize_with = "given")]
    #[schema(nullable = false)]
    pub name: Option<Name>,
    /// As they are addressed; unique, ignoring case.
    #[serde(default, deserialize_with = "given")]
    #[schema(nullable = false)]
    pub username: Option<Username>,
    /// In their own words; null clears it.
    #[serde(default, deserialize_with = "given")]
    #[schema(value_type = Option<Bio>)]
    pub bio: Option<Option<Bio>>,
    /// Their picture; null clears it.
    #[serde(default, deserialize_with = "given")]
    #[schema(value_type = Option<AvatarUrl>)]
    pub avatar: Option<Option<AvatarUrl>>,
}

/// A field that is there, so that null is a value like any other.
fn given<'de, D: Deserializer<'de>, T: Deserialize<'de>>(deserializer: D) -> Result<Option<T>, D::Error> {
    T::deserialize(deserializer).map(Some)
}

/// Changes a profile. 1 call and 2 WRU; with a username 2 calls, 1 RRU and 7 WRU; with a username
/// or a name 1 send.
///
/// # Errors
/// [`Error::Invalid`] when nothing is to be changed, or the username is taken.
pub async fn change_profile(app: &App, user: UserId, change: ProfileChange) -> Result<()> {
    let ProfileChange { name, username, bio, avatar } = change;
    if name.is_none() && username.is_none() && bio.is_none() && avatar.is_none() {
        return Err(Error::invalid("body", "must have a name, username, bio or avatar"));
    }
    let renamed = name.is_some() || username.is_some();
    let mut write = Write::update(users::key(user)).exists().or(Error::NotFound("user"));
    if let Some(name) = name {
        write = write.set("name", name);
    }
    if let Some(bio) = bio {
        write = write.set_or_remove("bio", bio);
    }
    if let Some(avatar) = avatar {
        write = write.set_or_remove("avatar", avatar);
    }
    match username {
        Some(username) => rename(app, user, username, write).await?,
        None => app.table.write(write).await?,
    }
    me::forget(app, user);
    match renamed {
        true => app.queues.send(&IndexJob::User { user }).await,
        false => Ok(()),
    }
}

/// Moves the username together with the rest of the change.
async fn rename(app: &App, id: UserId, username: Username, change: Write) -> Result<()> {
    let User { username: old, .. } = users::find(app, id).await?.ok_or(Error::NotFound("user"))?;
    let change = change.set("username", &username).equals("username", &old);
    let change = change.or(Error::invalid("username", "was changed meanwhile"));
    if old.lower() == username.lower() {
        return app.table.write(change).await;
    }
    app.table.transact(vec![Taken::username(id, &username), Taken::release(id, &old), change]).await
}
