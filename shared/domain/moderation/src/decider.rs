//! The kind of decider that moderated a post or a user: the judge, an administrator or a user.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// The kind of decider that moderated a post or a user. Contains no names.
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
