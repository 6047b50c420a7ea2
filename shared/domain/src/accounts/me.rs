//! One's own account, as one sees it.

use moka::sync::Cache;
use platform::{
    App,
    error::{Error, Result},
    time::Time,
};
use serde::Serialize;
use utoipa::ToSchema;

use crate::{
    ids::{PublicUserId, UserId},
    people::users::{self, AvatarUrl, Bio, Email, Name, Role, Status, User, Username},
};

const FRESH_SECONDS: i64 = 30;
const ACCOUNTS_MAX: u64 = 10_000;

/// One's own account.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Me {
    /// The user.
    pub id: UserId,
    /// The user again.
    pub user_id: UserId,
    /// The id that others see.
    pub public_id: PublicUserId,
    /// As they are called.
    pub name: Name,
    /// As they are addressed.
    pub username: Username,
    /// Where mail reaches them.
    pub email: Email,
    /// In their own words.
    pub bio: Option<Bio>,
    /// Their picture.
    pub avatar: Option<AvatarUrl>,
    /// Whether they may use the account.
    pub status: Status,
    /// Whether the e-mail is shown to be theirs.
    pub is_verified: bool,
    /// Since when.
    pub verified_at: Option<Time>,
    /// What they may do.
    pub roles: Vec<Role>,
    /// How many follow them.
    pub followers_count: i64,
    /// How many they follow.
    pub following_count: i64,
    /// When they came.
    pub created_at: Time,
}

/// Accounts that this instance read within 30 seconds, 10,000 at most. What another instance
/// changed shows after that time; what this one changed shows at once.
struct MeCache(Cache<UserId, (Time, Me)>);

impl Default for MeCache {
    fn default() -> Self {
        Self(Cache::new(ACCOUNTS_MAX))
    }
}

/// One's own account, at most 30 seconds old. 1 call and 1 RRU, or nothing.
///
/// # Errors
/// [`Error::NotFound`] when it is gone.
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

/// Has the account read anew next time.
pub(super) fn forget(app: &App, user: UserId) {
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
            roles: user.roles,
            followers_count: user.followers_count,
            following_count: user.following_count,
            created_at: user.created_at,
        }
    }
}
