//! Changes the caller's own profile.

use base::{Chore, IndexJob, UserId};
use platform::{
    App, Error, HOUR_SECONDS, Once, Paged, Result, Time, Write, decode::present, outbox_record_write,
    rate_limit::RateLimitStatus,
};
use serde::Deserialize;
use uploads::NewAvatar;
use utoipa::ToSchema;

use super::{avatars, me};
use people::{Bio, NewName, NewUsername, UniqueName, User, Username, users};

/// Maximum number of changes of a username within 30 days. Each change reserves the previous username.
const RENAMES_MAX: i64 = 2;
const RENAMES_SECONDS: i64 = 30 * 24 * HOUR_SECONDS;

/// A request to change a profile. At least one field is required. Omitted fields stay unchanged.
#[derive(Clone, Debug, Default, Deserialize, ToSchema)]
pub struct ProfileChange {
    /// The display name.
    #[serde(default, deserialize_with = "present")]
    #[schema(nullable = false)]
    pub name: Option<NewName>,
    /// The username. Unique, ignoring case. A released username leads to its previous owner's profile for 30 days.
    /// During this time, only the previous owner can take it again. Earlier posts show the new username within a day.
    #[serde(default, deserialize_with = "present")]
    #[schema(nullable = false)]
    pub username: Option<NewUsername>,
    /// The user's description of themselves. `null` clears it.
    #[serde(default, deserialize_with = "present")]
    #[schema(value_type = Option<Bio>)]
    pub bio: Option<Option<Bio>>,
    /// The ID of an uploaded picture, or the URL of a picture of at most 5 MiB. Other users get a copy of the picture at
    /// the URL, and the previous picture until the copy is made. `null` clears the picture.
    #[serde(default, deserialize_with = "present")]
    #[schema(value_type = Option<String>, max_length = 2048, example = "https://example.com/ann.png")]
    pub avatar: Option<Option<NewAvatar>>,
}

impl ProfileChange {
    fn is_empty(&self) -> bool {
        self.name.is_none() && self.username.is_none() && self.bio.is_none() && self.avatar.is_none()
    }

    /// Returns whether the change affects the search index.
    fn is_indexed(&self) -> bool {
        self.name.is_some() || self.username.is_some()
    }

    /// Returns the write that sets all changed fields except the username and the picture.
    fn fields_write(&self, user: UserId) -> Write {
        let mut write = Write::update(users::key(user)).exists();
        if let Some(name) = &self.name {
            write = write.set("name", name);
        }
        if let Some(bio) = &self.bio {
            write = write.set_or_remove("bio", bio.as_ref());
        }
        write
    }
}

/// Changes a profile.
///
/// # Errors
/// Fails with [`Error::Invalid`] if the request is empty or the username is taken. Fails with [`Error::LimitReached`] for
/// the third change of the username within 30 days.
pub async fn change_profile(app: &App, user: UserId, change: ProfileChange, once: &Once) -> Result<()> {
    once.run(app, user, async || Ok((change_writes(app, user, &change).await?, ()))).await?;
    me::invalidate(app, user);
    Ok(())
}

async fn change_writes(app: &App, user: UserId, change: &ProfileChange) -> Result<Vec<Write>> {
    if change.is_empty() {
        return Err(Error::invalid_body("must have a name, username, bio or avatar"));
    }
    if change.username.is_some() || change.avatar.is_some() {
        return replacement_writes(app, user, change).await;
    }
    let index_write = change.is_indexed().then(|| index_write(app, user, change));
    Ok([change.fields_write(user).or(Error::NotFound("user"))].into_iter().chain(index_write).collect())
}

/// Returns the writes that change a username or a picture. The writes fail if the previous username or picture changed
/// after it was read.
async fn replacement_writes(app: &App, id: UserId, change: &ProfileChange) -> Result<Vec<Write>> {
    let before = users::get(app, id).await?;
    let mut user_write = change.fields_write(id);
    let mut writes = Vec::new();
    match &change.username {
        Some(username) => {
            let username = Username::from(username.clone());
            if username != before.username {
                user_write = user_write.set("renames", renames(app, &before)?);
            }
            user_write = user_write.set("username", &username).equals("username", &before.username);
            writes.extend(username_writes(app, id, &before.username, &username, change));
        }
        None => writes.extend(change.is_indexed().then(|| index_write(app, id, change))),
    }
    match &change.avatar {
        Some(avatar) => {
            writes.extend(avatars::change_writes(app, user_write, &before, avatar.clone()).await?)
        }
        None => writes.push(user_write),
    }
    Ok(writes)
}

/// Returns the times of the user's latest renames, including one now.
///
/// # Errors
/// Fails with [`Error::LimitReached`] for the third rename within 30 days.
fn renames(app: &App, user: &User) -> Result<Vec<Time>> {
    let now = app.now();
    let recent = user.renames.iter().copied().filter(|at| now < at.plus_seconds(RENAMES_SECONDS));
    let renames: Vec<_> = recent.chain([now]).collect();
    let next_at = renames[0].plus_seconds(RENAMES_SECONDS);
    let reset = (next_at.millis() - now.millis() + 999) / 1000;
    RateLimitStatus { limit: RENAMES_MAX, used: renames.len() as i64, reset }.enforce()?;
    Ok(renames)
}

/// Returns the writes that claim the new username and reserve the old one. The writes also queue the jobs that update
/// the search index and the user's posts.
fn username_writes(
    app: &App,
    id: UserId,
    old: &Username,
    new: &Username,
    change: &ProfileChange,
) -> Vec<Write> {
    if old == new {
        return vec![index_write(app, id, change)];
    }
    let rename = Chore::RenameAuthor { user: id, page: Paged::FIRST };
    if old.lower() == new.lower() {
        return vec![index_write(app, id, change).then(&rename)];
    }
    let claim = then_indexed(UniqueName::claim_username_write(app, id, new), id, change).then(&rename);
    vec![claim, UniqueName::rest_username_write(app, id, old)]
}

fn index_write(app: &App, user: UserId, change: &ProfileChange) -> Write {
    then_indexed(outbox_record_write(app), user, change)
}

/// Returns `write` with a job that updates the search index. For a new name, also adds a job that updates the user's
/// posts in the museum of circles.
fn then_indexed(write: Write, user: UserId, change: &ProfileChange) -> Write {
    let write = write.then(&IndexJob::User { user });
    match change.name {
        Some(_) => write.then(&Chore::RenameInMuseum { user, page: Paged::FIRST }),
        None => write,
    }
}
