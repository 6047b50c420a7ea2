//! The card of a user: the public data that posts and lists show.

use std::collections::HashMap;

use base::{PublicUserId, UserId};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::names::{AvatarUrl, Name, Username};

/// A user's public data, shown next to a post or in a list. A stored card is a copy that can be outdated.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct UserCard {
    /// The public user ID.
    pub public_id: PublicUserId,
    /// The username.
    pub username: Username,
    /// The display name.
    pub name: Name,
    /// The URL of the user's picture.
    pub avatar: Option<AvatarUrl>,
    /// Whether the email address is confirmed.
    pub is_verified: bool,
}

/// A user's card, with the public user ID as an additional field `userId`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[schema(as = GroupParticipant)]
#[serde(rename_all = "camelCase")]
pub struct Person {
    /// The public user ID.
    pub user_id: PublicUserId,
    /// The card.
    #[serde(flatten)]
    pub card: UserCard,
}

impl UserCard {
    /// Returns the placeholder card for a deleted user.
    pub fn deleted() -> Self {
        Self {
            public_id: UserId::NONE.public(),
            username: Username::deleted(),
            name: Name::deleted(),
            avatar: None,
            is_verified: false,
        }
    }

    /// Returns whether the card is the placeholder [`UserCard::deleted`].
    pub fn is_deleted(&self) -> bool {
        self.public_id == UserId::NONE.public()
    }
}

impl Person {
    /// Returns the user with their card, or `None` if the card is not in `cards`.
    pub fn among(cards: &HashMap<UserId, UserCard>, user_id: UserId) -> Option<Self> {
        Some(Self { user_id: user_id.public(), card: cards.get(&user_id)?.clone() })
    }
}
