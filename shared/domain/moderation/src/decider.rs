//! The kind of decider that moderated a post: the judge, an administrator or a user.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// The kind of decider that moderated a post: never the name of an administrator or user.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[schema(as = ModerationDecider)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum Decider {
    /// The judge, which evaluates reported posts automatically.
    Judge,
    /// An administrator or a moderator.
    Administrator,
    /// A user who hid the post.
    User,
}
