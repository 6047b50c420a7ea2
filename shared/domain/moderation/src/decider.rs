//! Who did something to a post: the judge, or an administrator.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// Who did it. Which administrator is nobody's business.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum Decider {
    /// The judge, which reads what is reported.
    Judge,
    /// An administrator or a moderator.
    Administrator,
}
