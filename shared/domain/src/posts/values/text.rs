//! A post's text, and the hashtag in it.

use std::sync::LazyLock;

use regex::Regex;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::topic::Topic;

const CONTENT_MAX_CHARS: usize = 5000;

static HASHTAG: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(r"(?:^|[^\p{L}\p{M}\p{N}_#&/])#([\p{L}\p{M}\p{N}_]+)").ok());

/// A post's text, unchanged. Characters are Unicode scalar values.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(try_from = "String")]
#[schema(value_type = String, min_length = 1, max_length = 5000, example = "Hello #world")]
pub struct Content(String);

impl TryFrom<String> for Content {
    type Error = &'static str;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        let fits = !text.trim().is_empty() && text.chars().count() <= CONTENT_MAX_CHARS;
        fits.then_some(Self(text)).ok_or("must have 1 to 5000 characters")
    }
}

impl Content {
    /// Returns the text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Returns the first hashtag of the text, when it is a valid topic.
    pub fn first_topic(&self) -> Option<Topic> {
        let found = HASHTAG.as_ref()?.captures(&self.0)?;
        Topic::try_from(found.get(1)?.as_str().to_owned()).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_topic_is_the_first_hashtag_normalized() {
        let topic = |text: &str| Content::try_from(text.to_owned()).unwrap().first_topic();
        assert_eq!(topic("a #Cà_Phê and #tea").unwrap().as_str(), "cà_phê");
        assert_eq!(topic("#one").unwrap().as_str(), "one");
        assert_eq!(topic("see https://example.com/#part or a#b"), None);
    }
}
