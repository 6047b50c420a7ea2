//! The mentioned users of a post, its visibility, and its permissions.

use std::collections::HashSet;

use base::ids::UserId;
use serde::{Deserialize, Serialize};
use strum::{EnumString, VariantNames};
use utoipa::ToSchema;

const MENTIONS_MAX: usize = 5;

/// The mentioned users of a post. A post can mention at most 5 different users.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(try_from = "Vec<UserId>")]
#[schema(value_type = Vec<UserId>, max_items = 5)]
pub struct Mentions(Vec<UserId>);

impl TryFrom<Vec<UserId>> for Mentions {
    type Error = &'static str;

    fn try_from(users: Vec<UserId>) -> Result<Self, Self::Error> {
        if users.len() > MENTIONS_MAX {
            return Err("must have at most 5 users");
        }
        let distinct: HashSet<_> = users.iter().collect();
        (distinct.len() == users.len()).then_some(Self(users)).ok_or("must not contain a user twice")
    }
}

impl Mentions {
    /// Returns the mentioned users.
    pub fn users(&self) -> &[UserId] {
        &self.0
    }

    /// Returns the mentions without `user`.
    #[must_use]
    pub(crate) fn without(&self, user: UserId) -> Self {
        Self(self.0.iter().copied().filter(|other| *other != user).collect())
    }
}

/// The users who may see a post.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, EnumString, VariantNames, Serialize, ToSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
#[strum(ascii_case_insensitive, serialize_all = "SCREAMING_SNAKE_CASE")]
pub enum Visibility {
    /// Anyone.
    #[default]
    Public,
    /// Users who follow the author and are followed by the author.
    Friend,
    /// Only the author.
    Private,
}

/// The users who may reply to a post or quote it. The author always may reply and quote.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, EnumString, VariantNames, Serialize, ToSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
#[strum(ascii_case_insensitive, serialize_all = "SCREAMING_SNAKE_CASE")]
pub enum ReplyPermission {
    /// Anyone.
    #[default]
    Everyone,
    /// Users who follow the author.
    Followers,
    /// Only the author.
    Nobody,
}

impl ReplyPermission {
    /// Returns whether this is the default permission.
    pub(crate) fn is_default(&self) -> bool {
        *self == Self::default()
    }
}

platform::deserialize_in_any_case!(Visibility, ReplyPermission);
