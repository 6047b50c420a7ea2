//! The reasons for reports, bans and locks.

use std::fmt;

use platform::text::is_text;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

const REASON_MAX_CHARS: usize = 1000;

/// A reason of 1 to 1,000 characters, trimmed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(try_from = "String")]
#[schema(value_type = String, min_length = 1, max_length = 1000, example = "It is spam.")]
pub struct ReasonText(String);

impl TryFrom<String> for ReasonText {
    type Error = &'static str;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        let text = text.trim();
        is_text(text, REASON_MAX_CHARS).then(|| Self(text.to_owned())).ok_or("must have 1 to 1000 characters")
    }
}

impl ReasonText {
    /// Returns the text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for ReasonText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}
