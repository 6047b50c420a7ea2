//! The caller's own account, cached for 30 seconds.

use base::ids::{PublicUserId, UserId};
use moka::sync::Cache;
use people::users::{self, AvatarUrl, Bio, Email, Name, Role, Status, User, Username};
use platform::{
    App,
    error::{Error, Result},
    time::Time,
};
use serde::Serialize;
use utoipa::ToSchema;

const FRESH_SECONDS: i64 = 30;
const ACCOUNTS_MAX: u64 = 10_000;

/// The caller's own account.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Me {
    /// The user id.
    pub id: UserId,
    /// The user id again, under the name that clients know.
    pub user_id: UserId,
    /// The id that other users see.
    pub public_id: PublicUserId,
    /// The display name.
    pub name: Name,
    /// The username.
    pub username: Username,
    /// The e-mail address.
    pub email: Email,
    /// The user's description of themselves.
    pub bio: Option<Bio>,
    /// The address of the user's picture.
    pub avatar: Option<AvatarUrl>,
    /// Whether the user may use the account.
    pub status: Status,
    /// Whether the e-mail is confirmed.
    pub is_verified: bool,
    /// The time at which the e-mail was confirmed.
    pub verified_at: Option<Time>,
    /// Whether a sign-in needs a code of the user's authenticator.
    pub has_second_factor: bool,
    /// The user's roles.
    pub roles: Vec<Role>,
    /// The number of followers.
    pub followers_count: i64,
    /// The number of followed users.
    pub following_count: i64,
    /// The time of the registration.
    pub created_at: Time,
}

/// The accounts that this instance read within 30 seconds, at most 10,000. A change by another instance shows
/// after that time, a change by this one at once.
struct MeCache(Cache<UserId, (Time, Me)>);

impl Default for MeCache {
    fn default() -> Self {
        Self(Cache::new(ACCOUNTS_MAX))
    }
}

/// Returns the caller's own account, at most 30 seconds old.
///
/// # Errors
/// [`Error::NotFound`] when the account no longer exists.
pub async fn me(app: &App, user: UserId) -> Result<Me> {
    let now = app.now();
    if let Some((read_at, me)) = app.memory.of::<MeCache>().0.get(&user)
        && now < read_at.plus_seconds(FRESH_SECONDS)
    {
        return Ok(me);
    }
    let found = users::find(app, user).await?.ok_or(Error::NotFound("user"))?;
    let me = Me::from(found);
    app.memory.of::<MeCache>().0.insert(user, (now, me.clone()));
    Ok(me)
}

/// Removes an account from the cache, so that the next call reads it.
pub fn invalidate(app: &App, user: UserId) {
    app.memory.of::<MeCache>().0.invalidate(&user);
}

impl From<User> for Me {
    fn from(user: User) -> Self {
        Self {
            id: user.id,
            user_id: user.id,
            public_id: user.id.public(),
            name: user.name,
            username: user.username,
            email: user.email,
            bio: user.bio,
            avatar: user.avatar,
            status: user.status,
            is_verified: user.verified_at.is_some(),
            verified_at: user.verified_at,
            has_second_factor: user.second_factor_at.is_some(),
            roles: user.roles,
            followers_count: user.followers_count,
            following_count: user.following_count,
            created_at: user.created_at,
        }
    }
}
