//! The types of posts.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// The type of a post.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum PostType {
    /// A standalone post.
    Post,
    /// A reply to a parent post.
    Reply,
    /// A text with a reference to another post, the original.
    Quote,
    /// A reference to another post, the original, without a text.
    Repost,
}
