//! People: who they are, and how others see them.

use std::collections::HashMap;

use platform::{
    App,
    error::{Error, Result},
    table::{Index, Key, Row},
    time::Time,
};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::{
    ids::{PublicUserId, UserId},
    reasons::ReasonText,
};

mod names;

pub use names::{AvatarUrl, Bio, Email, Name, RequestedUsername, Username};

/// Partitions that the list of all users is spread over.
pub const LIST_SHARDS: u128 = 4;

/// Whether a person may use their account.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
#[schema(as = UserStatus)]
pub enum Status {
    /// As anyone.
    Active,
    /// Not until the ban is lifted.
    Banned,
    /// Not until an administrator unlocks it.
    Locked,
}

/// What a person may do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
#[schema(as = UserRole)]
pub enum Role {
    /// As anyone.
    User,
    /// Moderates.
    Admin,
    /// Gives roles.
    SuperAdmin,
}

/// A person's row.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct User {
    /// Who it is.
    pub id: UserId,
    /// As they are called.
    pub name: Name,
    /// As they are addressed; unique, ignoring case.
    pub username: Username,
    /// Where mail reaches them; unique, ignoring case.
    pub email: Email,
    /// argon2id, in PHC form.
    pub password_hash: String,
    /// In their own words.
    pub bio: Option<Bio>,
    /// Their picture.
    pub avatar: Option<AvatarUrl>,
    /// Whether they may use the account.
    pub status: Status,
    /// Until when, for a ban that ends by itself.
    pub banned_until: Option<Time>,
    /// Why, for a banned or locked account.
    pub standing_reason: Option<ReasonText>,
    /// When they proved that the e-mail is theirs.
    pub verified_at: Option<Time>,
    /// What they may do.
    pub roles: Vec<Role>,
    /// How many follow them.
    pub followers_count: i64,
    /// How many they follow.
    pub following_count: i64,
    /// Friend requests that wait for their answer. See [`crate::people::friendships`].
    #[serde(default)]
    pub friend_requests_pending: i64,
    /// Whether each new follow of them is marked. See [`crate::feeds::timelines`].
    #[serde(default)]
    pub is_popular: bool,
    /// Whether each follow of them is marked, so that their posts are merged when a feed is read.
    #[serde(default)]
    pub is_merged: bool,
    /// When they came.
    pub created_at: Time,
}

/// A person as they stand beside what they did: a copy, taken at that time.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct UserCard {
    /// The id that clients see.
    pub public_id: PublicUserId,
    /// As they are addressed.
    pub username: Username,
    /// As they are called.
    pub name: Name,
    /// Their picture.
    pub avatar: Option<AvatarUrl>,
    /// Whether the e-mail is theirs.
    pub is_verified: bool,
}

/// A person's card, and the id that names them elsewhere.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Person {
    /// Their user id.
    pub user_id: UserId,
    /// How others see them.
    #[serde(flatten)]
    pub card: UserCard,
}

impl Person {
    /// Somebody, if their card is among these.
    pub fn among(cards: &HashMap<UserId, UserCard>, user_id: UserId) -> Option<Self> {
        Some(Self { user_id, card: cards.get(&user_id)?.clone() })
    }
}

impl User {
    /// As others see them.
    pub fn card(&self) -> UserCard {
        UserCard {
            public_id: self.id.public(),
            username: self.username.clone(),
            name: self.name.clone(),
            avatar: self.avatar.clone(),
            is_verified: self.verified_at.is_some(),
        }
    }

    /// Whether they administer the service.
    pub fn is_admin(&self) -> bool {
        self.roles.iter().any(|it| matches!(it, Role::Admin | Role::SuperAdmin))
    }

    /// # Errors
    /// [`Error::Forbidden`] for a banned or locked account.
    pub fn may_sign_in(&self) -> Result<()> {
        match self.status {
            Status::Active => Ok(()),
            Status::Banned => Err(Error::Forbidden("this account is banned".into())),
            Status::Locked => Err(Error::Forbidden("this account is locked".into())),
        }
    }
}

/// The user with this id. 1 call, 1 RRU.
///
/// # Errors
/// Internal only.
pub async fn find(app: &App, id: UserId) -> Result<Option<User>> {
    app.table.get(&key(id)).await
}

/// Those of these users that there are. 1 call for each 100, 1 RRU each.
///
/// # Errors
/// Internal only.
pub async fn find_all(app: &App, ids: &[UserId]) -> Result<Vec<User>> {
    let keys: Vec<_> = ids.iter().map(|it| key(*it)).collect();
    app.table.batch_get(&keys).await
}

/// The cards of those of these users that there are. 1 call for each 100, 0.5 RRU each.
///
/// # Errors
/// Internal only.
pub async fn cards(app: &App, ids: &[UserId]) -> Result<HashMap<UserId, UserCard>> {
    let keys: Vec<_> = ids.iter().map(|it| key(*it)).collect();
    let users: Vec<User> = app.table.batch_get_eventual(&keys).await?;
    Ok(users.into_iter().map(|it| (it.id, it.card())).collect())
}

/// Where a user's row is.
pub fn key(id: UserId) -> Key {
    Key::new(format!("USER#{id}"), "PROFILE")
}

/// Where those who may not use their account are listed, in an index.
pub fn listed_as(status: Status) -> Option<&'static str> {
    match status {
        Status::Active => None,
        Status::Banned => Some("USERS#BANNED"),
        Status::Locked => Some("USERS#LOCKED"),
    }
}

/// Where the bans that end by themselves are listed, soonest first.
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
        let listed = Key::new(format!("USERS#{shard}"), id);
        let places = [(Index::Gsi1, due), (Index::Gsi2, by_status), (Index::Gsi3, Some(listed))];
        places.into_iter().filter_map(|(index, place)| Some((index, place?))).collect()
    }
}
