//! Words for searches and muted words. Words are compared in lower case and without diacritics.

use unicode_normalization::{UnicodeNormalization, char::is_combining_mark};

/// Converts a text to lower case and removes diacritics: `Đà Lạt` becomes `da lat`.
pub fn fold(text: &str) -> String {
    let letters = text.nfd().filter(|char| !is_combining_mark(*char));
    letters.flat_map(char::to_lowercase).map(|letter| if letter == 'đ' { 'd' } else { letter }).collect()
}

/// Returns the words of a text in lower case and Unicode NFC.
pub fn split(text: &str) -> impl Iterator<Item = String> {
    let composed: String = text.nfc().flat_map(char::to_lowercase).collect();
    let is_separator = |char: char| !(char.is_alphanumeric() || is_combining_mark(char));
    let words: Vec<_> =
        composed.split(is_separator).filter(|word| !word.is_empty()).map(str::to_owned).collect();
    words.into_iter()
}

/// The words of one or more texts, in lower case and without diacritics, for phrase searches.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FoldedWords(String);

impl FoldedWords {
    /// Returns the words of these texts.
    pub fn of<'a>(texts: impl IntoIterator<Item = &'a str>) -> Self {
        // Spaces around words prevent matches with parts of words. Line breaks prevent matches across texts.
        let line = |text: &str| split(text).map(|word| fold(&word) + " ").collect::<String>();
        let lines = texts.into_iter().map(line).filter(|line| !line.is_empty());
        Self(lines.map(|line| format!(" {line}")).collect::<Vec<_>>().join("\n"))
    }

    /// Returns whether the texts contain no word.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns whether one of the texts contains the words of `phrase` in sequence.
    pub fn has(&self, phrase: &Self) -> bool {
        self.0.contains(&phrase.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_phrase_matches_whole_words_ignoring_case_and_diacritics() {
        let text = FoldedWords::of(["Đi ĐÀ LẠT, uống cà-phê!", "travel"]);
        for phrase in ["đà lạt", "#Da  Lat", "lạt: uống", "ca phe", "Travel"] {
            assert!(text.has(&FoldedWords::of([phrase])), "{phrase}");
        }
        for phrase in ["a lat", "lat da", "phe travel", "trave"] {
            assert!(!text.has(&FoldedWords::of([phrase])), "{phrase}");
        }
        assert!(FoldedWords::of(["?! 🙂", ""]).is_empty());
    }
}
