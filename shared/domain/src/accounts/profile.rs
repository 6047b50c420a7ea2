//! Changing one's own profile.

use platform::{
    App,
    decode::present,
    error::{Error, Result},
    outbox::letter_write,
    retry_stale,
    table::Write,
};
use serde::Deserialize;
use utoipa::ToSchema;

use super::me;
use crate::{
    ids::UserId,
    jobs::IndexJob,
    media::uploads,
    people::{
        unique::UniqueName,
        users::{self, AvatarUrl, Bio, NewName, Username},
    },
};

/// A request to change a profile: at least one field. A field that is left out stays.
#[derive(Clone, Debug, Default, Deserialize, ToSchema)]
pub struct ProfileChange {
    /// The display name.
    #[serde(default, deserialize_with = "present")]
    #[schema(nullable = false)]
    pub name: Option<NewName>,
    /// The username; unique, ignoring case. The one before rests for 30 days: only its owner may take it again.
    #[serde(default, deserialize_with = "present")]
    #[schema(nullable = false)]
    pub username: Option<Username>,
    /// The user's description of themselves; null clears it.
    #[serde(default, deserialize_with = "present")]
    #[schema(value_type = Option<Bio>)]
    pub bio: Option<Option<Bio>>,
    /// The address of the user's picture; null clears it.
    #[serde(default, deserialize_with = "present")]
    #[schema(value_type = Option<AvatarUrl>)]
    pub avatar: Option<Option<AvatarUrl>>,
}

impl ProfileChange {
    fn is_empty(&self) -> bool {
        self.name.is_none() && self.username.is_none() && self.bio.is_none() && self.avatar.is_none()
    }

    /// Whether it changes what people are found by.
    fn is_searched(&self) -> bool {
        self.name.is_some() || self.username.is_some()
    }

    /// Returns the write of all fields but the username.
    fn fields_write(&self, user: UserId) -> Write {
        let mut write = Write::update(users::key(user)).exists();
        if let Some(name) = &self.name {
            write = write.set("name", name);
        }
        if let Some(bio) = &self.bio {
            write = write.set_or_remove("bio", bio.as_ref());
        }
        if let Some(avatar) = &self.avatar {
            write = write.set_or_remove("avatar", avatar.as_ref());
        }
        write
    }
}

/// Changes a profile. Costs 1 call and 2 WRU, with a name 6 WRU; with a username 2 calls, 1 RRU and 7 WRU. An own upload
/// as picture costs 2 calls, 1 RRU and 2 WRU more.
///
/// # Errors
/// [`Error::Invalid`] when the request is empty or the username is taken.
pub async fn change_profile(app: &App, user: UserId, change: ProfileChange) -> Result<()> {
    if change.is_empty() {
        return Err(Error::invalid("body", "must have a name, username, bio or avatar"));
    }
    if let Some(Some(avatar)) = &change.avatar {
        retry_stale(async || uploads::avatar_use(app, user, &avatar.to_string()).await).await?;
    }
    match &change.username {
        Some(username) => retry_stale(async || rename(app, user, username, &change).await).await?,
        None => rewrite(app, user, change.fields_write(user).or(Error::NotFound("user")), &change).await?,
    }
    me::forget(app, user);
    Ok(())
}

/// Changes fields, and has the search index learn of a name.
async fn rewrite(app: &App, user: UserId, write: Write, change: &ProfileChange) -> Result<()> {
    match change.is_searched() {
        true => app.table.transact(vec![write, letter_write(app).then(&IndexJob::User { user })]).await,
        false => app.table.write(write).await,
    }
}

/// Changes the username together with the other fields.
async fn rename(app: &App, id: UserId, username: &Username, change: &ProfileChange) -> Result<()> {
    let old = users::find(app, id).await?.ok_or(Error::NotFound("user"))?.username;
    let user_write = change.fields_write(id).set("username", username).equals("username", &old);
    if old.lower() == username.lower() {
        return rewrite(app, id, user_write, change).await;
    }
    let claim = UniqueName::claim_username_write(app, id, username).then(&IndexJob::User { user: id });
    let release = UniqueName::rest_username_write(app, id, &old);
    app.table.transact(vec![claim, release, user_write]).await
}
