//! Searches for phrases in texts.

use unicode_normalization::UnicodeNormalization;

use super::{
    fold::fold,
    scripts::{is_symbol, replace_emojis},
    tokens::{Token, tokens},
    visible::is_text,
};

/// Characters that count as symbols here, although Unicode classifies them as punctuation.
const SYMBOLS: [char; 7] = ['#', '&', '@', '%', '*', '/', '\\'];

/// One or more texts, prepared for comparisons with phrases.
#[derive(Clone, Debug)]
pub struct FoldedText {
    words: String,
    plain: String,
}

/// A phrase. Letters match regardless of case and accents.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Phrase {
    /// Words, with any spaces and punctuation between them.
    Words(String),
    /// A text with symbols, such as `c++`.
    Symbols(String),
}

impl FoldedText {
    /// Prepares texts for comparisons with phrases.
    pub fn of<'a>(texts: impl IntoIterator<Item = &'a str>) -> Self {
        let texts: Vec<_> = texts.into_iter().collect();
        // The line breaks between texts prevent a match that spans two texts.
        let lines =
            |line: fn(&str) -> String| texts.iter().map(|text| line(text)).collect::<Vec<_>>().join("\n");
        Self { words: lines(word_line), plain: lines(plain_line) }
    }

    /// Returns whether one of the texts contains the phrase.
    pub fn has(&self, phrase: &Phrase) -> bool {
        match phrase {
            Phrase::Words(words) => self.words.contains(words),
            Phrase::Symbols(symbols) => {
                self.plain.match_indices(symbols).any(|(at, _)| is_separate(&self.plain, at, symbols))
            }
        }
    }
}

impl Phrase {
    /// Returns the phrase, or `None` if the text has no visible character. Removes each `#` before a word.
    pub fn of(text: &str) -> Option<Self> {
        let text = text.trim();
        let tag = text.trim_start_matches(['#', '＃']);
        let text = if tag.starts_with(char::is_alphanumeric) { tag } else { text };
        let (words, symbols) = (word_line(text), plain_line(text));
        match () {
            () if !is_text(&symbols, usize::MAX) => None,
            () if has_symbol(text) || words.trim().is_empty() => Some(Self::Symbols(symbols)),
            () => Some(Self::Words(words)),
        }
    }
}

/// Returns whether a text has a symbol that is not part of an emoji. Also returns true for a text that begins with a
/// dot, such as `.net`.
fn has_symbol(text: &str) -> bool {
    let text: String = replace_emojis(text, "").nfkc().collect();
    let after_dot = text.strip_prefix('.').and_then(|rest| rest.chars().next());
    text.chars().any(|char| SYMBOLS.contains(&char) || (is_symbol(char) && !char.is_alphanumeric()))
        || after_dot.is_some_and(char::is_alphanumeric)
}

/// Returns the words of a text with spaces around them, which prevent matches with parts of words. Letters of scripts
/// without spaces count as words.
fn word_line(text: &str) -> String {
    let words = tokens(text).into_iter().flat_map(|token| match token {
        Token::Word(word) => vec![word],
        Token::Unspaced(letters) => letters,
    });
    words.fold(" ".to_owned(), |line, word| line + &fold(&word) + " ")
}

fn plain_line(text: &str) -> String {
    fold(text).split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Returns whether the match at `at` is not part of a longer word. Symbols need no space around them.
fn is_separate(text: &str, at: usize, found: &str) -> bool {
    let continues = |one: Option<char>, other: Option<char>| {
        one.is_some_and(char::is_alphanumeric) && other.is_some_and(char::is_alphanumeric)
    };
    let (before, after) = (text[..at].chars().next_back(), text[at + found.len()..].chars().next());
    !continues(before, found.chars().next()) && !continues(found.chars().next_back(), after)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn has(text: &str, phrase: &str) -> bool {
        FoldedText::of([text, "travel"]).has(&Phrase::of(phrase).unwrap())
    }

    #[test]
    fn a_phrase_matches_whole_words_ignoring_case_and_accents() {
        for phrase in ["đà lạt", "#Da  Lat", "lạt: uống", "ca phe", "Travel"] {
            assert!(has("Đi ĐÀ LẠT, uống cà-phê!", phrase), "{phrase}");
        }
        for phrase in ["a lat", "lat da", "phe travel", "trave"] {
            assert!(!has("Đi ĐÀ LẠT, uống cà-phê!", phrase), "{phrase}");
        }
        assert_eq!(Phrase::of(" \u{200B}\u{2800}"), None);
    }

    #[test]
    fn a_phrase_matches_inside_unspaced_text_and_with_symbols() {
        for (text, phrase) in [
            ("so good 🍜🍜", "🍜"),
            ("I write C++17", "C++"),
            ("100 % AT&T", "at&t"),
            ("that is funny :)", ":)"),
            ("What?!", "?!"),
            ("I ❤️ it <3", "<3"),
            ("go 🇻🇳🇯🇵", "🇯🇵"),
            ("in Ｃ＋＋", "C＋＋"),
            ("日本の㍿です", "㍿"),
        ] {
            assert!(has(text, phrase), "{phrase}");
        }
        for (text, phrase) in
            [("abc++", "c++"), ("a net", ".NET"), ("why? no!", "?!"), ("🇫🇷🇩🇪", "🇷🇩"), ("🏴󠁧󠁢󠁥󠁮󠁧󠁿", "🏴󠁧󠁢󠁳󠁣󠁴󠁿")]
        {
            assert!(!has(text, phrase), "{phrase}");
        }
    }
}
