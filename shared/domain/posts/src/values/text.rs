//! The text and the spoiler of a post.

use base::Topic;
use platform::text::{hashtags, is_text, links, optional_text};

const CONTENT_MAX_CHARS: usize = 5000;
const SPOILER_MAX_CHARS: usize = 200;
const LINK_MAX_BYTES: usize = 2048;

platform::text_types! {
    /// The text of a post, stored as the author wrote it. Its length is counted in Unicode scalar values.
    #[schema(as = PostContent, value_type = String, min_length = 1, max_length = 5000, example = "Hello #world")]
    Content: content;

    /// Text of the warning that hides a post until the reader opens the post. Empty means no warning.
    #[schema(value_type = String, max_length = 200, example = "The end of the film")]
    Spoiler: spoiler;
}

fn content(text: String) -> Result<String, &'static str> {
    is_text(&text, CONTENT_MAX_CHARS).then_some(text).ok_or("must have 1 to 5000 characters")
}

fn spoiler(text: String) -> Result<String, &'static str> {
    optional_text(text.trim(), SPOILER_MAX_CHARS, "must have at most 200 characters")
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
