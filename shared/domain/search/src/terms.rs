//! The terms of a search, and their words. The words are lower-cased, without diacritics.

use std::{collections::HashSet, sync::LazyLock};

use base::words::{fold, split};
use serde::Deserialize;
use utoipa::ToSchema;

const TERMS_MAX_CHARS: usize = 100;
const WORD_MAX_CHARS: usize = 40;

/// English and Vietnamese stop words, with their diacritics.
static STOP_WORDS: LazyLock<HashSet<&str>> = LazyLock::new(|| {
    let lines = include_str!("../data/stopwords.txt").lines();
    lines.filter(|line| !line.starts_with('#')).collect()
});

/// The text of a search.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(try_from = "String")]
#[schema(value_type = String, min_length = 1, max_length = 100, example = "ca phe")]
pub struct Terms(String);

impl TryFrom<String> for Terms {
    type Error = &'static str;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        let text = text.trim();
        let fits = (1..=TERMS_MAX_CHARS).contains(&text.chars().count());
        fits.then(|| Self(text.to_owned())).ok_or("must have 1 to 100 characters")
    }
}

impl Terms {
    /// Returns the text, trimmed.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Returns the distinct words, lower-cased and without diacritics. Leaves out stop words, unless all words are stop
    /// words.
    pub fn words(&self) -> Vec<String> {
        match significant_words(&self.0, usize::MAX) {
            significant if significant.is_empty() => words(&self.0, usize::MAX),
            significant => significant,
        }
    }

    /// Returns the prefix that a name or a hashtag must have, lower-cased and without diacritics.
    pub fn prefix(&self) -> String {
        fold(self.0.trim_start_matches(['@', '#']))
    }
}

/// Returns the first `max` distinct words of a text, lower-cased and without diacritics.
pub(super) fn words(text: &str, max: usize) -> Vec<String> {
    distinct(split(text), max)
}

/// Returns the same as [`words`], but leaves out stop words.
pub(super) fn significant_words(text: &str, max: usize) -> Vec<String> {
    distinct(split(text).filter(|word| !STOP_WORDS.contains(word.as_str())), max)
}

fn distinct(words: impl Iterator<Item = String>, max: usize) -> Vec<String> {
    let mut seen = HashSet::new();
    let folded = words.map(|word| fold(&word).chars().take(WORD_MAX_CHARS).collect::<String>());
    folded.filter(|word| !word.is_empty() && seen.insert(word.clone())).take(max).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_lower_cased_without_diacritics() {
        assert_eq!(words("Đà Lạt, ĐÀ LẠT! Cà-phê sữa đá", 9), ["da", "lat", "ca", "phe", "sua", "da"][..5]);
        assert_eq!(fold("Ngô Bảo Châu"), "ngo bao chau");
    }

    #[test]
    fn a_stop_word_matches_only_with_its_diacritics() {
        assert_eq!(significant_words("Tôi đã ở Đà Lạt, and it was THE best", 9), ["da", "lat", "best"]);
        assert_eq!(
            significant_words("da\u{0303}", 9),
            ["da"],
            "a word that only folds to a stop word is kept"
        );
        let only = Terms::try_from("to be or not".to_owned()).unwrap();
        assert_eq!(only.words(), ["to", "be", "or", "not"]);
    }
}
