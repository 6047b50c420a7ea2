//! Hashtags. Hashtags that differ only in case or Unicode normalization are equal.

use std::str::FromStr;

use platform::text::is_hashtag;
use unicode_normalization::UnicodeNormalization;

const TOPIC_MAX_CHARS: usize = 100;

platform::text_types! {
    /// A hashtag without `#`, in NFC and lower case.
    #[derive(Hash)]
    #[schema(as = HashtagName, value_type = String, min_length = 1, max_length = 100, example = "world")]
    Topic: topic;
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

fn topic(text: String) -> Result<String, &'static str> {
    let tag: String = text.trim().trim_start_matches(['#', '＃']).nfc().collect();
    // `str::to_lowercase` also converts a final sigma, in contrast to `char::to_lowercase`.
    let tag: String = tag.to_lowercase().nfc().collect();
    let fits = tag.chars().count() <= TOPIC_MAX_CHARS && is_hashtag(&tag);
    fits.then_some(tag).ok_or(Topic::RULE)
}
