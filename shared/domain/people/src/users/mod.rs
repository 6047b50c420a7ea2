//! Users: the row of an account.

use std::collections::HashMap;

use base::{PostId, ReasonText, UploadId, UserId};
use platform::{App, Error, Index, Key, Result, Row, Time};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

mod administrator;
mod card;
mod names;
mod permission;
mod reference;

pub use administrator::Administrator;
pub use card::{Person, UserCard};
pub use names::{
    AvatarUrl, Bio, Email, Name, NewName, NewUsername, RequestedUsername, Username, display_name,
};
pub use permission::Permission;
pub use reference::UserRef;

/// Number of index partitions that together list all users.
pub const LIST_SHARDS: u128 = 4;

/// The status of an account.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
#[schema(as = UserStatus)]
pub enum Status {
    /// The account can be used.
    Active,
    /// The account is banned until the ban ends or an administrator lifts the ban.
    Banned,
    /// The account is locked until an administrator unlocks it.
    Locked,
}

/// A role, which grants permissions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
#[schema(as = UserRole)]
pub enum Role {
    /// The role that every user has.
    User,
    /// May only decide on reports, cases and appeals.
    Moderator,
    /// May moderate content and manage users.
    Admin,
    /// May do the same as ADMIN, and change the roles of users.
    SuperAdmin,
}

impl Role {
    /// Returns whether the role is ADMIN or SUPER_ADMIN.
    pub fn is_admin(self) -> bool {
        matches!(self, Self::Admin | Self::SuperAdmin)
    }
}

/// Whether emails reach an address.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum EmailStatus {
    /// No email bounced, and no recipient complained.
    #[default]
    Ok,
    /// An email could not be delivered. The address gets no more emails.
    Bounced,
    /// The recipient reported an email as spam. The address gets no more emails.
    Complained,
}

/// A user's row.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct User {
    /// The user's ID.
    pub id: UserId,
    /// The display name.
    pub name: Name,
    /// The username. Unique, ignoring case.
    pub username: Username,
    /// The times of the latest changes of the username, at most two, oldest first.
    #[serde(default)]
    pub renames: Vec<Time>,
    /// The email address. At most one account has the same address confirmed.
    pub email: Email,
    /// Whether emails reach the address.
    #[serde(default)]
    pub email_status: EmailStatus,
    /// The argon2id hash of the password, in PHC form.
    pub password_hash: String,
    /// The user's description of themselves.
    pub bio: Option<Bio>,
    /// The URL of the user's picture, which is in the bucket.
    pub avatar: Option<AvatarUrl>,
    /// The picture that the user chose, if it is on another server. `avatar` is the URL of its copy once the copy
    /// exists.
    pub avatar_source: Option<AvatarSource>,
    /// The time of the last password reset or change. `None` if the password was never changed.
    pub password_set_at: Option<Time>,
    /// The time of the last change of the email address. `None` if the address was never changed.
    pub email_set_at: Option<Time>,
    /// The time at which the second factor was turned on, or `None` if the second factor is off.
    pub second_factor_at: Option<Time>,
    /// Whether the account is active, banned or locked.
    pub status: Status,
    /// The end of a temporary ban.
    pub banned_until: Option<Time>,
    /// The administrator's reason for a ban or lock.
    pub standing_reason: Option<ReasonText>,
    /// The time of the ban or the lock.
    pub suspended_at: Option<Time>,
    /// The administrator who banned or locked the account.
    pub suspended_by: Option<UserId>,
    /// The time at which the email address was confirmed.
    pub verified_at: Option<Time>,
    /// The user's roles.
    pub roles: Vec<Role>,
    /// The number of followers.
    pub followers_count: i64,
    /// The number of followed users.
    pub following_count: i64,
    /// The number of received friend requests that are pending. See [`crate::friendships`].
    pub friend_requests_pending: i64,
    /// Whether the number of followers ever exceeded `FANOUT_MAX_FOLLOWERS`. If true, the user's posts are merged into
    /// the feeds of new followers when these feeds are read. See `feeds::timelines`.
    pub is_popular: bool,
    /// Whether the user's posts are merged into the feeds of all followers when these feeds are read. If true, new
    /// posts are not copied to the followers' timelines.
    pub is_merged: bool,
    /// The post pinned at the top of the user's own posts.
    pub pinned: Option<Pin>,
    /// The time of the registration.
    pub created_at: Time,
}

/// A pinned post. Lists contain the post only for viewers who may see the post.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pin {
    /// The pinned post.
    pub post: PostId,
    /// The time at which the post was pinned.
    pub at: Time,
}

/// A picture on another server.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AvatarSource {
    /// The URL of the picture.
    pub url: AvatarUrl,
    /// The upload that is the copy of the picture.
    pub copy: UploadId,
    /// Whether the picture could not be copied.
    #[serde(default, rename = "hasFailed", skip_serializing_if = "std::ops::Not::not")]
    pub has_failed: bool,
}

impl User {
    /// Returns the user's card.
    pub fn card(&self) -> UserCard {
        UserCard {
            public_id: self.id.public(),
            username: self.username.clone(),
            name: self.name.clone(),
            avatar: self.avatar.clone(),
            is_verified: self.verified_at.is_some(),
        }
    }

    /// Returns whether the user is an administrator.
    pub fn is_admin(&self) -> bool {
        self.roles.iter().any(|role| role.is_admin())
    }

    /// Returns whether the user may decide on reports, cases and appeals.
    pub fn is_moderator(&self) -> bool {
        self.is_admin() || self.roles.contains(&Role::Moderator)
    }

    /// Returns whether the user is a SUPER_ADMIN.
    pub fn is_super_admin(&self) -> bool {
        self.roles.contains(&Role::SuperAdmin)
    }

    /// Returns whether the account is neither banned nor locked.
    pub fn is_active(&self) -> bool {
        self.status == Status::Active
    }

    /// Returns whether the account is banned permanently.
    pub fn is_banned_for_good(&self) -> bool {
        self.status == Status::Banned && self.banned_until.is_none()
    }

    /// Checks that the account is neither banned nor locked.
    ///
    /// # Errors
    /// Fails with [`Error::Forbidden`] if the account is banned or locked.
    pub fn check_active(&self) -> Result<()> {
        self.status.check_active()
    }
}

impl Status {
    /// Checks that the account is neither banned nor locked.
    ///
    /// # Errors
    /// Fails with [`Error::Forbidden`] if the account is banned or locked.
    pub fn check_active(self) -> Result<()> {
        match self {
            Self::Active => Ok(()),
            Self::Banned => Err(Error::Forbidden("this account is banned".into())),
            Self::Locked => Err(Error::Forbidden("this account is locked".into())),
        }
    }
}

/// Returns the user with this ID, or `None` if the user does not exist.
pub async fn find(app: &App, id: UserId) -> Result<Option<User>> {
    app.table.get(&key(id)).await
}

/// Returns the user with this ID.
///
/// # Errors
/// Fails with [`Error::NotFound`] if the user does not exist.
pub async fn get(app: &App, id: UserId) -> Result<User> {
    find(app, id).await?.ok_or(Error::NotFound("user"))
}

/// Returns the existing users among `ids`, in any order.
pub async fn find_all(app: &App, ids: &[UserId]) -> Result<Vec<User>> {
    let keys: Vec<_> = ids.iter().map(|id| key(*id)).collect();
    app.table.batch_get(&keys).await
}

/// Returns the cards of the existing users among `ids`.
pub async fn cards(app: &App, ids: &[UserId]) -> Result<HashMap<UserId, UserCard>> {
    let keys: Vec<_> = ids.iter().map(|id| key(*id)).collect();
    let users: Vec<User> = app.table.batch_get_eventual(&keys).await?;
    Ok(users.into_iter().map(|user| (user.id, user.card())).collect())
}

/// Returns the cards of the users among `ids` whose accounts are active.
pub async fn active_cards(app: &App, ids: &[UserId]) -> Result<HashMap<UserId, UserCard>> {
    let keys: Vec<_> = ids.iter().map(|id| key(*id)).collect();
    let users: Vec<User> = app.table.batch_get_eventual(&keys).await?;
    Ok(users.into_iter().filter(User::is_active).map(|user| (user.id, user.card())).collect())
}

/// Returns the key of a user's row.
pub fn key(id: UserId) -> Key {
    Key::new(id.partition(), "PROFILE")
}

/// Returns the partition of gsi3 that lists the users of a shard.
pub fn list_partition(shard: u128) -> String {
    format!("USERS#{shard}")
}

/// Returns the partition of gsi2 that lists users with this status, or `None` if the status is ACTIVE.
pub fn listed_as(status: Status) -> Option<&'static str> {
    match status {
        Status::Active => None,
        Status::Banned => Some("USERS#BANNED"),
        Status::Locked => Some("USERS#LOCKED"),
    }
}

/// The partition of gsi1 that lists temporary bans in order of their end.
pub const BANS_DUE: &str = "DUE#UNBAN";

/// `USER#id / PROFILE`, gsi3 `USERS#shard / id`. If not active: gsi2 `USERS#status / id`. If temporarily banned: gsi1
/// `DUE#UNBAN / end#id`.
impl Row for User {
    fn key(&self) -> Key {
        key(self.id)
    }

    fn indexes(&self) -> Vec<(Index, Key)> {
        let shard = self.id.random() % LIST_SHARDS;
        let id = self.id.to_string();
        let due = self.banned_until.map(|end| Key::new(BANS_DUE, format!("{end}#{id}")));
        let by_status = listed_as(self.status).map(|pk| Key::new(pk, id.clone()));
        let listed = Key::new(list_partition(shard), id);
        let keys = [(Index::Gsi1, due), (Index::Gsi2, by_status), (Index::Gsi3, Some(listed))];
        keys.into_iter().filter_map(|(index, key)| Some((index, key?))).collect()
    }
}
