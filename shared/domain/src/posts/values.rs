//! What a post is made of. Each is checked when it is read, so none is ever wrong inside.

use std::{collections::HashSet, sync::LazyLock};

use regex::Regex;
use serde::{Deserialize, Serialize};
use unicode_normalization::UnicodeNormalization;
use utoipa::ToSchema;

use crate::ids::UserId;

const CONTENT_MAX_CHARS: usize = 5000;
const MEDIA_MAX: usize = 10;
const MEDIA_ID_MAX_CHARS: usize = 128;
const MEDIA_KEY_MAX_CHARS: usize = 1024;
const MEDIA_URL_MAX_BYTES: usize = 2048;
const MENTIONS_MAX: usize = 5;
const TOPIC_MAX_CHARS: usize = 100;

static HASHTAG: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(r"(?:^|[^\p{L}\p{M}\p{N}_#&/])#([\p{L}\p{M}\p{N}_]+)").ok());

/// A post's text, as it was written. Characters are Unicode scalar values.
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
    /// The text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The first hashtag of the text, if it has one that can be a topic.
    pub fn first_topic(&self) -> Option<Topic> {
        let found = HASHTAG.as_ref()?.captures(&self.0)?;
        Topic::try_from(found.get(1)?.as_str().to_owned()).ok()
    }
}

/// A hashtag: no `#`, NFC, lower case.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(try_from = "String")]
#[schema(value_type = String, min_length = 1, max_length = 100, example = "world")]
pub struct Topic(String);

impl TryFrom<String> for Topic {
    type Error = &'static str;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        let tag: String = text.trim().trim_start_matches('#').nfc().collect::<String>().to_lowercase();
        let count = tag.chars().count();
        let word = tag.chars().all(|it| !it.is_whitespace() && !it.is_control() && it != '#');
        let fits = (1..=TOPIC_MAX_CHARS).contains(&count) && word;
        fits.then_some(Self(tag)).ok_or("must be one hashtag of 1 to 100 characters")
    }
}

impl Topic {
    /// The tag.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// A file that was uploaded earlier.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(try_from = "RawMedia")]
pub struct Media {
    /// The upload's id.
    #[schema(max_length = 128)]
    pub id: String,
    /// Where it is kept.
    #[schema(max_length = 1024)]
    pub key: String,
    /// Where it is seen.
    #[schema(format = "uri", max_length = 2048)]
    pub url: String,
}

#[derive(Deserialize)]
struct RawMedia {
    id: String,
    key: String,
    url: String,
}

impl TryFrom<RawMedia> for Media {
    type Error = &'static str;

    fn try_from(RawMedia { id, key, url }: RawMedia) -> Result<Self, Self::Error> {
        let web = url::Url::parse(&url).is_ok_and(|it| matches!(it.scheme(), "http" | "https"));
        match () {
            () if !(1..=MEDIA_ID_MAX_CHARS).contains(&id.chars().count()) => {
                Err("id must have 1 to 128 characters")
            }
            () if !(1..=MEDIA_KEY_MAX_CHARS).contains(&key.chars().count()) => {
                Err("key must have 1 to 1024 characters")
            }
            () if !web || url.len() > MEDIA_URL_MAX_BYTES => Err("url must be an http or https address"),
            () => Ok(Self { id, key, url }),
        }
    }
}

/// A post's files, at most 10.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(try_from = "Vec<Media>")]
#[schema(value_type = Vec<Media>, max_items = 10)]
pub struct MediaList(Vec<Media>);

impl TryFrom<Vec<Media>> for MediaList {
    type Error = &'static str;

    fn try_from(media: Vec<Media>) -> Result<Self, Self::Error> {
        (media.len() <= MEDIA_MAX).then_some(Self(media)).ok_or("must have at most 10 items")
    }
}

/// The people a post speaks of: at most 5, each once.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(try_from = "Vec<UserId>")]
#[schema(value_type = Vec<UserId>, max_items = 5)]
pub struct Mentions(Vec<UserId>);

impl TryFrom<Vec<UserId>> for Mentions {
    type Error = &'static str;

    fn try_from(users: Vec<UserId>) -> Result<Self, Self::Error> {
        if users.len() > MENTIONS_MAX {
            return Err("must have at most 5 users");
        }
        let distinct: HashSet<_> = users.iter().collect();
        (distinct.len() == users.len()).then_some(Self(users)).ok_or("must name each user once")
    }
}

impl Mentions {
    /// Who is mentioned.
    pub fn users(&self) -> &[UserId] {
        &self.0
    }
}

platform::any_case_words! {
    /// Whom a post is meant for.
    #[derive(Default)]
    Visibility {
        /// Anyone.
        #[default]
        Public = "PUBLIC",
        /// Those who follow the author and are followed back.
        Friend = "FRIEND",
        /// The author alone.
        Private = "PRIVATE",
    }
    /// Who may reply to a post; its author always may.
    #[derive(Default)]
    ReplyPermission {
        /// Anyone.
        #[default]
        Everyone = "EVERYONE",
        /// Those who follow the author.
        Followers = "FOLLOWERS",
        /// Nobody.
        Nobody = "NOBODY",
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
