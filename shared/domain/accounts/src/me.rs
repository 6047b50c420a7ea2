//! The caller's own account, cached by each instance for 30 seconds.

use base::{PublicUserId, UserId};
use moka::sync::Cache;
use people::{AvatarUrl, Bio, Email, EmailStatus, Name, Permission, Role, Status, User, Username, users};
use platform::{App, Result, Time};
use serde::Serialize;
use uploads::CopyState;
use utoipa::ToSchema;

use super::avatars;

const FRESH_SECONDS: i64 = 30;
const ACCOUNTS_MAX: u64 = 10_000;

/// The caller's own account.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = OwnAccount)]
#[serde(rename_all = "camelCase")]
pub struct Me {
    /// The internal user ID, which is part of the names of the user's realtime channels. All other responses contain
    /// `publicId`.
    #[schema(value_type = String, example = "01KGB5T9G0A1B2C3D4E5F6G7H8")]
    pub id: UserId,
    /// The same as `id`, for clients that use the name `userId`.
    #[schema(value_type = String, example = "01KGB5T9G0A1B2C3D4E5F6G7H8")]
    pub user_id: UserId,
    /// The ID that other users see.
    pub public_id: PublicUserId,
    /// The display name.
    pub name: Name,
    /// The username.
    pub username: Username,
    /// The email address.
    pub email: Email,
    /// Whether emails reach the address. After a bounce or a complaint, the address gets no more emails. Change the
    /// address to get emails again.
    pub email_status: EmailStatus,
    /// The user's description of themselves.
    pub bio: Option<Bio>,
    /// The URL of the user's picture, as the user chose it. If the picture is on another server, other users get the URL
    /// of a copy.
    pub avatar: Option<AvatarUrl>,
    /// The state of the copy if the picture is on another server. `null` for other pictures.
    pub avatar_copy: Option<CopyState>,
    /// Whether the account is active, banned or locked.
    pub status: Status,
    /// Whether the email address is confirmed.
    pub is_verified: bool,
    /// The time at which the email address was confirmed.
    pub verified_at: Option<Time>,
    /// Whether sign-in requires a code of a second factor.
    pub has_second_factor: bool,
    /// The user's roles.
    pub roles: Vec<Role>,
    /// What the user may do in the administration area. Empty for users who only have the role `USER`.
    pub permissions: Vec<Permission>,
    /// The number of followers.
    pub followers_count: i64,
    /// The number of followed users.
    pub following_count: i64,
    /// The time of the registration.
    pub created_at: Time,
}

/// Cache of up to 10,000 accounts, each valid for 30 seconds. So a change by another Lambda instance is visible after
/// at most 30 seconds.
struct MeCache(Cache<UserId, (Time, Me)>);

impl Default for MeCache {
    fn default() -> Self {
        Self(Cache::new(ACCOUNTS_MAX))
    }
}

/// Returns the caller's own account. The data is at most 30 seconds old.
///
/// # Errors
/// Fails with [`platform::Error::NotFound`] if the account no longer exists.
pub async fn me(app: &App, user: UserId) -> Result<Me> {
    let now = app.now();
    if let Some((read_at, me)) = app.memory.of::<MeCache>().0.get(&user)
        && now < read_at.plus_seconds(FRESH_SECONDS)
    {
        return Ok(me);
    }
    let found = users::get(app, user).await?;
    let me = Me::from(found);
    app.memory.of::<MeCache>().0.insert(user, (now, me.clone()));
    Ok(me)
}

/// Removes an account from this instance's cache.
pub fn invalidate(app: &App, user: UserId) {
    app.memory.of::<MeCache>().0.invalidate(&user);
}

impl From<User> for Me {
    fn from(user: User) -> Self {
        let avatar_copy = avatars::of(&user).copy_state();
        Self {
            id: user.id,
            user_id: user.id,
            public_id: user.id.public(),
            name: user.name,
            username: user.username,
            email: user.email,
            email_status: user.email_status,
            bio: user.bio,
            avatar: user.avatar_source.map(|source| source.url).or(user.avatar),
            avatar_copy,
            status: user.status,
            is_verified: user.verified_at.is_some(),
            verified_at: user.verified_at,
            has_second_factor: user.second_factor_at.is_some(),
            permissions: Permission::of(&user.roles),
            roles: user.roles,
            followers_count: user.followers_count,
            following_count: user.following_count,
            created_at: user.created_at,
        }
    }
}
