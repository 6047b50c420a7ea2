//! The text and the spoiler of a post.

use base::topic::Topic;
use platform::text::{hashtags, is_optional_text, is_text, links};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

const CONTENT_MAX_CHARS: usize = 5000;
const SPOILER_MAX_CHARS: usize = 200;
const LINK_MAX_BYTES: usize = 2048;

/// The text of a post, stored as the author wrote it. Its length is counted in Unicode scalar values.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(try_from = "String")]
#[schema(value_type = String, min_length = 1, max_length = 5000, example = "Hello #world")]
pub struct Content(String);

impl TryFrom<String> for Content {
    type Error = &'static str;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        is_text(&text, CONTENT_MAX_CHARS).then_some(Self(text)).ok_or("must have 1 to 5000 characters")
    }
}

impl Content {
    /// Returns the text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Returns the first hashtag of at most 100 characters.
    pub fn first_topic(&self) -> Option<Topic> {
        hashtags(&self.0).find_map(|tag| Topic::try_from(tag.to_owned()).ok())
    }

    /// Returns the first http or https URL of at most 2,048 bytes.
    pub fn first_link(&self) -> Option<&str> {
        links(&self.0).find(|link| link.len() <= LINK_MAX_BYTES)
    }
}

/// Text of the warning that hides a post until the reader opens it. Empty means no warning.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(try_from = "String")]
#[schema(value_type = String, max_length = 200, example = "The end of the film")]
pub struct Spoiler(String);

impl TryFrom<String> for Spoiler {
    type Error = &'static str;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        let text = text.trim();
        is_optional_text(text, SPOILER_MAX_CHARS)
            .then(|| Self(text.to_owned()))
            .ok_or("must have at most 200 characters")
    }
}

impl Spoiler {
    /// Returns the text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Returns the spoiler, or `None` if it is empty.
    pub fn non_empty(self) -> Option<Self> {
        (!self.0.is_empty()).then_some(self)
    }
}
