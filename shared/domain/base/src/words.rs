//! Words as searches and muted words compare them: in lower case and without diacritics.

use unicode_normalization::{UnicodeNormalization, char::is_combining_mark};

/// Converts to lower case without diacritics: `Đà Lạt` is `da lat`.
pub fn fold(text: &str) -> String {
    let letters = text.nfd().filter(|it| !is_combining_mark(*it));
    letters.flat_map(char::to_lowercase).map(|it| if it == 'đ' { 'd' } else { it }).collect()
}

/// Returns the words of a text in lower case, with their diacritics composed.
pub fn split(text: &str) -> impl Iterator<Item = String> {
    let composed: String = text.nfc().flat_map(char::to_lowercase).collect();
    let is_end = |it: char| !(it.is_alphanumeric() || is_combining_mark(it));
    let words: Vec<_> = composed.split(is_end).filter(|it| !it.is_empty()).map(str::to_owned).collect();
    words.into_iter()
}

/// The words of texts, folded, in which phrases are found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FoldedWords(String);

impl FoldedWords {
    /// Returns the words of these texts.
    pub fn of<'a>(texts: impl IntoIterator<Item = &'a str>) -> Self {
        // A space around each word, so that a part of one is none; a line for each text, so that no phrase spans two.
        let line = |text: &str| split(text).map(|it| fold(&it) + " ").collect::<String>();
        let lines = texts.into_iter().map(line).filter(|it| !it.is_empty());
        Self(lines.map(|it| format!(" {it}")).collect::<Vec<_>>().join("\n"))
    }

    /// Returns whether there is no word in them.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns whether a text has the words of a phrase, one after the other.
    pub fn has(&self, phrase: &Self) -> bool {
        self.0.contains(&phrase.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_phrase_is_found_as_whole_words_without_case_and_diacritics() {
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
