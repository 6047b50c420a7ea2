//! The mentioned users of a post, its visibility, and its permissions.

use std::{collections::HashSet, hash::Hash};

use base::{PublicUserId, UserId};
use futures::future::try_join_all;
use people::{UserRef, unique};
use platform::{App, Error, Result};
use serde::{Deserialize, Serialize};
use strum::{EnumString, VariantNames};
use utoipa::ToSchema;

const MENTIONS_MAX: usize = 5;
/// The error message for a mention of a user who does not exist.
pub(crate) const UNKNOWN: &str = "must contain only existing users";

/// The mentioned users of a post. A post can mention at most 5 different users.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "Vec<UserId>")]
pub struct Mentions(Vec<UserId>);

/// The public IDs of the mentioned users.
#[derive(Clone, Debug, Default, Serialize, ToSchema)]
#[schema(as = Mentions, value_type = Vec<String>, max_items = 5, example = json!(["01KGB5T9G0A1B2C3D4E5F6G7H9"]))]
pub struct PublicMentions(Vec<PublicUserId>);

/// The mentioned users in a request, by username or ID.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(try_from = "Vec<UserRef>")]
#[schema(value_type = Vec<String>, max_items = 5, example = json!(["bob"]))]
pub struct MentionRefs(Vec<UserRef>);

impl TryFrom<Vec<UserId>> for Mentions {
    type Error = &'static str;

    fn try_from(users: Vec<UserId>) -> Result<Self, Self::Error> {
        check_distinct(&users).map(|()| Self(users))
    }
}

impl TryFrom<Vec<UserRef>> for MentionRefs {
    type Error = &'static str;

    fn try_from(users: Vec<UserRef>) -> Result<Self, Self::Error> {
        check_distinct(&users).map(|()| Self(users))
    }
}

fn check_distinct<U: Eq + Hash>(users: &[U]) -> Result<(), &'static str> {
    if users.len() > MENTIONS_MAX {
        return Err("must have at most 5 users");
    }
    let distinct: HashSet<_> = users.iter().collect();
    (distinct.len() == users.len()).then_some(()).ok_or("must not contain a user twice")
}

impl Mentions {
    /// Returns the mentioned users.
    pub fn users(&self) -> &[UserId] {
        &self.0
    }

    pub(crate) fn public(&self) -> PublicMentions {
        PublicMentions(self.0.iter().map(|user| user.public()).collect())
    }

    #[must_use]
    pub(crate) fn without(&self, user: UserId) -> Self {
        Self(self.0.iter().copied().filter(|other| *other != user).collect())
    }
}

impl MentionRefs {
    /// Returns the mentioned users. Reads only users who are mentioned by username. Users who are mentioned by ID may
    /// not exist. Fails with [`Error::Invalid`] if a username does not exist, or if a user is mentioned twice.
    pub(crate) async fn resolve(&self, app: &App) -> Result<Mentions> {
        let users = try_join_all(self.0.iter().map(|user| unique::user_id(app, user))).await;
        let users = users.map_err(|error| match error {
            Error::NotFound(_) => Error::invalid("mentions", UNKNOWN),
            error => error,
        })?;
        Mentions::try_from(users).map_err(|why| Error::invalid("mentions", why))
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

/// The users who may reply to a post or quote it. The author may always reply and quote.
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
    pub(crate) fn is_default(&self) -> bool {
        *self == Self::default()
    }
}

platform::deserialize_in_any_case!(Visibility, ReplyPermission);
