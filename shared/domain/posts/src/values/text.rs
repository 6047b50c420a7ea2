//! The text and the spoiler of a post. Also finds the first hashtag and the first link of a text.

use std::sync::LazyLock;

use base::topic::Topic;
use linkify::{LinkFinder, LinkKind};
use regex::Regex;
use serde::{Deserialize, Serialize};
use url::Url;
use utoipa::ToSchema;

const CONTENT_MAX_CHARS: usize = 5000;
const SPOILER_MAX_CHARS: usize = 200;
const LINK_MAX_BYTES: usize = 2048;
/// Characters that are removed from the end of a link, in addition to the characters that the link finder removes.
const SENTENCE_ENDS: [char; 14] = ['”', '’', '»', '›', '…', '.', ',', '!', '?', '。', '、', '，', '！', '？'];

static HASHTAG: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(r"(?:^|[^\p{L}\p{M}\p{N}_#&/])#([\p{L}\p{M}\p{N}_]+)").ok());

/// The text of a post, stored as the author wrote it. Its length is counted in Unicode scalar values.
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

    /// Returns the first hashtag of the text. Returns `None` if the text has no hashtag, or if the first is not a valid
    /// topic.
    pub fn first_topic(&self) -> Option<Topic> {
        let found = HASHTAG.as_ref()?.captures(&self.0)?;
        Topic::try_from(found.get(1)?.as_str().to_owned()).ok()
    }

    /// Returns the first http or https URL of at most 2,048 bytes. Excludes punctuation at the end of the URL.
    pub fn first_link(&self) -> Option<&str> {
        let mut finder = LinkFinder::new();
        finder.kinds(&[LinkKind::Url]);
        let mut links = finder.links(&self.0).map(|link| link.as_str().trim_end_matches(SENTENCE_ENDS));
        links.find(|link| link.len() <= LINK_MAX_BYTES && is_web_url(link))
    }
}

fn is_web_url(link: &str) -> bool {
    Url::parse(link).is_ok_and(|url| matches!(url.scheme(), "http" | "https") && url.has_host())
}

/// Text of the warning that hides a post until the reader opens it. Empty means no warning.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(try_from = "String")]
#[schema(value_type = String, max_length = 200, example = "The end of the film")]
pub struct Spoiler(String);

impl TryFrom<String> for Spoiler {
    type Error = &'static str;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        let fits = text.chars().count() <= SPOILER_MAX_CHARS;
        fits.then(|| Self(text.trim().to_owned())).ok_or("must have at most 200 characters")
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_topic_is_the_normalized_first_hashtag() {
        let topic = |text: &str| Content::try_from(text.to_owned()).unwrap().first_topic();
        assert_eq!(topic("a #Cà_Phê and #tea").unwrap().as_str(), "cà_phê");
        assert_eq!(topic("#one").unwrap().as_str(), "one");
        assert_eq!(topic("see https://example.com/#part or a#b"), None);
    }

    #[test]
    fn a_link_excludes_sentence_punctuation() {
        let content = |text: &str| Content::try_from(text.to_owned()).unwrap();
        let longest = format!("https://example.com/{}", "x".repeat(2028));
        for link in [
            "https://example.com",
            "http://example.com/a?b=c&d#e",
            "HTTPS://example.com/",
            "https://de.wikipedia.org/wiki/Link_(Zelda)",
            "https://例え.jp/ä",
            &longest,
        ] {
            for text in [link.to_owned(), format!("see ({link}), or {link}x."), format!("“{link}”!")] {
                assert_eq!(content(&text).first_link(), Some(link), "{text}");
            }
        }
        let none = "nothing example.com www.example.com ann@example.com ftp://example.com javascript:alert(1) https://";
        assert_eq!(content(none).first_link(), None);
        assert_eq!(
            content(&format!("{longest}x http://example.org")).first_link(),
            Some("http://example.org")
        );
    }
}
