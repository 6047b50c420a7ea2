//! Hashtags. Hashtags that differ only in case or Unicode normalization are equal.

use std::{
    fmt::{self, Display, Formatter},
    str::FromStr,
};

use platform::text::is_hashtag;
use serde::{Deserialize, Serialize};
use unicode_normalization::UnicodeNormalization;
use utoipa::ToSchema;

const TOPIC_MAX_CHARS: usize = 100;

/// A hashtag without `#`, in NFC and lower case.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(try_from = "String")]
#[schema(value_type = String, min_length = 1, max_length = 100, example = "world")]
pub struct Topic(String);

impl TryFrom<String> for Topic {
    type Error = &'static str;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        let tag: String = text.trim().trim_start_matches(['#', '＃']).nfc().collect();
        // Unlike the lower case of each letter, that of the text has a final sigma.
        let tag: String = tag.to_lowercase().nfc().collect();
        let fits = tag.chars().count() <= TOPIC_MAX_CHARS && is_hashtag(&tag);
        fits.then_some(Self(tag)).ok_or(Self::RULE)
    }
}

impl Display for Topic {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl FromStr for Topic {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Self::try_from(text.to_owned())
    }
}

impl Topic {
    /// The error message for an invalid hashtag.
    pub const RULE: &'static str =
        "must be one hashtag of 1 to 100 letters, digits or underscores, including a letter";

    /// Returns the tag without `#`.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}
