//! Words as searches compare them: in lower case and without diacritics.

use std::collections::HashSet;

use serde::Deserialize;
use unicode_normalization::{UnicodeNormalization, char::is_combining_mark};
use utoipa::ToSchema;

const TERMS_MAX_CHARS: usize = 100;
const WORD_MAX_CHARS: usize = 40;

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

    /// Returns its distinct words, folded.
    pub fn words(&self) -> Vec<String> {
        words(&self.0, usize::MAX)
    }

    /// Returns the prefix that a name or a hashtag must have, folded.
    pub fn prefix(&self) -> String {
        fold(self.0.trim_start_matches(['@', '#']))
    }
}

/// Converts to lower case without diacritics: `Đà Lạt` is `da lat`.
pub(super) fn fold(text: &str) -> String {
    let letters = text.nfd().filter(|it| !is_combining_mark(*it));
    letters.flat_map(char::to_lowercase).map(|it| if it == 'đ' { 'd' } else { it }).collect()
}

/// Returns the first distinct words of a text, folded.
pub(super) fn words(text: &str, most: usize) -> Vec<String> {
    let mut seen = HashSet::new();
    let folded = fold(text);
    let words = folded.split(|it: char| !it.is_alphanumeric()).filter(|it| !it.is_empty());
    let words = words.map(|it| it.chars().take(WORD_MAX_CHARS).collect::<String>());
    words.filter(|it| seen.insert(it.clone())).take(most).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_compared_without_case_and_diacritics() {
        assert_eq!(words("Đà Lạt, ĐÀ LẠT! Cà-phê sữa đá", 9), ["da", "lat", "ca", "phe", "sua", "da"][..5]);
        assert_eq!(fold("Ngô Bảo Châu"), "ngo bao chau");
    }
}
