//! The users whom a post mentions, and those who may read it or reply.

use std::collections::HashSet;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::ids::UserId;

const MENTIONS_MAX: usize = 5;

/// The users whom a post mentions: at most 5, each once.
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
        (distinct.len() == users.len()).then_some(Self(users)).ok_or("must name each user once")
    }
}

impl Mentions {
    /// Returns the mentioned users.
    pub fn users(&self) -> &[UserId] {
        &self.0
    }
}

platform::any_case_words! {
    /// The audience of a post.
    #[derive(Default)]
    Visibility {
        /// Anyone.
        #[default]
        Public = "PUBLIC",
        /// Users who follow the author and whom the author follows.
        Friend = "FRIEND",
        /// Only the author.
        Private = "PRIVATE",
    }
    /// The users who may reply to a post; its author always may.
    #[derive(Default)]
    ReplyPermission {
        /// Anyone.
        #[default]
        Everyone = "EVERYONE",
        /// Users who follow the author.
        Followers = "FOLLOWERS",
        /// Nobody.
        Nobody = "NOBODY",
    }
}
