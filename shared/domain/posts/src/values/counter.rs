//! What is counted on a post.

use serde::{Deserialize, Serialize};
use strum::{AsRefStr, VariantArray};

/// A count of a post's. The name is a part of the key of its tallies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, AsRefStr, VariantArray, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[strum(serialize_all = "camelCase")]
pub enum Counter {
    /// Those who like it.
    Likes,
    /// The replies to it.
    Replies,
    /// The quotes of it.
    Quotes,
    /// The reposts of it.
    Reposts,
}

impl Counter {
    /// Returns the attribute of the post that has the count.
    pub fn attribute(self) -> &'static str {
        match self {
            Self::Likes => "likesCount",
            Self::Replies => "repliesCount",
            Self::Quotes => "quotesCount",
            Self::Reposts => "repostsCount",
        }
    }
}
