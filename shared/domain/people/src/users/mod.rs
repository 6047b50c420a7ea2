//! Users: the account's row, and the card that others see. Uses [`base::ids`] and [`base::reasons`].

use std::collections::{HashMap, HashSet};

use base::{
    ids::{PostId, PublicUserId, UserId},
    reasons::ReasonText,
};
use platform::{
    App,
    error::{Error, Result},
    table::{Index, Key, Row},
    time::Time,
};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

mod administrator;
mod names;

pub use administrator::Administrator;
pub use names::{AvatarUrl, Bio, Email, Name, NewName, RequestedUsername, Username, display_name};

/// The number of partitions that hold the list of all users.
pub const LIST_SHARDS: u128 = 4;

/// Whether a user may use their account.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
#[schema(as = UserStatus)]
pub enum Status {
    /// The account works.
    Active,
    /// Banned, until the ban ends or an administrator lifts it.
    Banned,
    /// Locked, until an administrator unlocks it.
    Locked,
}

/// A role, which grants rights.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
#[schema(as = UserRole)]
pub enum Role {
    /// Every user has this role.
    User,
    /// May decide on reports and appeals, and nothing else.
    Moderator,
    /// May moderate.
    Admin,
    /// May give and take roles.
    SuperAdmin,
}

impl Role {
    /// Whether it is that of an administrator.
    pub fn is_admin(self) -> bool {
        matches!(self, Self::Admin | Self::SuperAdmin)
    }
}

/// A user's row.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct User {
    /// The user's id.
    pub id: UserId,
    /// The display name.
    pub name: Name,
    /// The username; unique, ignoring case.
    pub username: Username,
    /// The e-mail address; unique, ignoring case.
    pub email: Email,
    /// The argon2id hash of the password, in PHC form.
    pub password_hash: String,
    /// The user's description of themselves.
    pub bio: Option<Bio>,
    /// The address of the user's picture.
    pub avatar: Option<AvatarUrl>,
    /// When the password was last reset or changed; none while it is that of the registration.
    pub password_set_at: Option<Time>,
    /// When the e-mail was last changed; none while it is that of the registration.
    pub email_set_at: Option<Time>,
    /// When the second factor was turned on; none while there is none.
    pub second_factor_at: Option<Time>,
    /// Whether the user may use the account.
    pub status: Status,
    /// The end of a temporary ban.
    pub banned_until: Option<Time>,
    /// The administrator's reason for a ban or lock.
    pub standing_reason: Option<ReasonText>,
    /// The time at which the e-mail was confirmed.
    pub verified_at: Option<Time>,
    /// The user's roles.
    pub roles: Vec<Role>,
    /// The number of followers.
    pub followers_count: i64,
    /// The number of followed users.
    pub following_count: i64,
    /// The number of friend requests that wait for the user's answer. See [`crate::friendships`].
    pub friend_requests_pending: i64,
    /// Whether each new follow of the user is marked as merged: from the follow that exceeded `FANOUT_MAX_FOLLOWERS`. See
    /// `feeds::timelines`.
    pub is_popular: bool,
    /// Whether every follow of the user is marked, so that feeds merge the user's posts when they are read.
    pub is_merged: bool,
    /// The post at the head of the user's own list.
    pub pinned: Option<Pin>,
    /// The time of the registration.
    pub created_at: Time,
}

/// A post that its author pinned. Whether lists show it is asked where it is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pin {
    /// The post.
    pub post: PostId,
    /// The time at which it was pinned.
    pub at: Time,
}

/// A user as others see them beside a post or in a list. A stored card is a copy of that time.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct UserCard {
    /// The id that clients see.
    pub public_id: PublicUserId,
    /// The username.
    pub username: Username,
    /// The display name.
    pub name: Name,
    /// The address of the user's picture.
    pub avatar: Option<AvatarUrl>,
    /// Whether the e-mail is confirmed.
    pub is_verified: bool,
}

/// A user's card with the user id.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Person {
    /// The user id.
    pub user_id: UserId,
    /// The card.
    #[serde(flatten)]
    pub card: UserCard,
}

impl UserCard {
    /// Returns the card that stands where that of somebody was who left.
    pub fn deleted() -> Self {
        Self {
            public_id: UserId::NONE.public(),
            username: Username::deleted(),
            name: Name::deleted(),
            avatar: None,
            is_verified: false,
        }
    }

    /// Returns whether it is [`UserCard::deleted`].
    pub fn is_deleted(&self) -> bool {
        self.public_id == UserId::NONE.public()
    }
}

impl Person {
    /// Returns the user with their card, or none when the card is not among these.
    pub fn among(cards: &HashMap<UserId, UserCard>, user_id: UserId) -> Option<Self> {
        Some(Self { user_id, card: cards.get(&user_id)?.clone() })
    }
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
        self.roles.iter().any(|it| it.is_admin())
    }

    /// Returns whether the user may decide on reports and appeals.
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

    /// Checks that the account is neither banned nor locked.
    ///
    /// # Errors
    /// [`Error::Forbidden`] for a banned or locked account.
    pub fn check_active(&self) -> Result<()> {
        self.status.check_active()
    }
}

impl Status {
    /// Checks that the account is neither banned nor locked.
    ///
    /// # Errors
    /// [`Error::Forbidden`] for a banned or locked account.
    pub fn check_active(self) -> Result<()> {
        match self {
            Self::Active => Ok(()),
            Self::Banned => Err(Error::Forbidden("this account is banned".into())),
            Self::Locked => Err(Error::Forbidden("this account is locked".into())),
        }
    }
}

/// Returns the user with this id.
pub async fn find(app: &App, id: UserId) -> Result<Option<User>> {
    app.table.get(&key(id)).await
}

/// Returns those of these users that exist.
pub async fn find_all(app: &App, ids: &[UserId]) -> Result<Vec<User>> {
    let keys: Vec<_> = ids.iter().map(|it| key(*it)).collect();
    app.table.batch_get(&keys).await
}

/// Returns the cards of those of these users that exist.
pub async fn cards(app: &App, ids: &[UserId]) -> Result<HashMap<UserId, UserCard>> {
    let keys: Vec<_> = ids.iter().map(|it| key(*it)).collect();
    let users: Vec<User> = app.table.batch_get_eventual(&keys).await?;
    Ok(users.into_iter().map(|it| (it.id, it.card())).collect())
}

/// Returns the cards of those of these users whose accounts work.
pub async fn active_cards(app: &App, ids: &[UserId]) -> Result<HashMap<UserId, UserCard>> {
    let ids: HashSet<_> = ids.iter().collect();
    let keys: Vec<_> = ids.into_iter().map(|it| key(*it)).collect();
    let users: Vec<User> = app.table.batch_get_eventual(&keys).await?;
    Ok(users.into_iter().filter(User::is_active).map(|it| (it.id, it.card())).collect())
}

/// Returns the key of a user's row.
pub fn key(id: UserId) -> Key {
    Key::new(id.partition(), "PROFILE")
}

/// Returns the partition of gsi3 that lists the users of a shard.
pub fn list_partition(shard: u128) -> String {
    format!("USERS#{shard}")
}

/// Returns the partition of gsi2 that lists the banned or the locked users; none for active ones.
pub fn listed_as(status: Status) -> Option<&'static str> {
    match status {
        Status::Active => None,
        Status::Banned => Some("USERS#BANNED"),
        Status::Locked => Some("USERS#LOCKED"),
    }
}

/// The partition of gsi1 that lists the temporary bans, the soonest end first.
pub const BANS_DUE: &str = "DUE#UNBAN";

/// `USER#id / PROFILE`, gsi3 `USERS#shard / id`; gsi2 `USERS#status / id` while it is not active;
/// gsi1 `DUE#UNBAN / end#id` while a ban is to end
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
