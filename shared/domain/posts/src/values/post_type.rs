//! How something is posted.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// The four ways to post.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum PostType {
    /// A post on its own.
    Post,
    /// An answer to a parent post.
    Reply,
    /// A text about an original post.
    Quote,
    /// An original post, shared without a text.
    Repost,
}
