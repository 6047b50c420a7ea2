//! The words of a text.

use std::sync::LazyLock;

use icu_properties::props::Script;
use regex::Regex;
use unicode_normalization::UnicodeNormalization;

use super::scripts::{emojis, is_ignorable, is_joiner, is_mark, is_symbol, is_unspaced, script};

static WORD: LazyLock<Option<Regex>> = LazyLock::new(|| {
    let letter = r"[[\p{Alphabetic}\p{N}]--\p{M}]";
    Regex::new(&format!(r"{letter}[\p{{Alphabetic}}\p{{M}}\p{{N}}\u{{200C}}\u{{200D}}]*")).ok()
});

/// Korean particles. Words are compared without particles, so that a search finds a word with any particle.
const PARTICLES: [&str; 31] = [
    "에서", "에게", "한테", "께서", "까지", "부터", "으로", "처럼", "보다", "마다", "조차", "마저", "이나",
    "이랑", "하고", "은", "는", "이", "가", "을", "를", "에", "의", "도", "로", "와", "과", "만", "랑", "께",
    "요",
];

/// A part of a text, in lower case and Unicode NFKC.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Token {
    /// A word or an emoji.
    Word(String),
    /// A part in a script without spaces between words, or a Korean word without its particles. Each item is a letter
    /// with its marks.
    Unspaced(Vec<String>),
}

/// Returns the words and emojis of a text, and the runs of letters in scripts without spaces, such as Chinese.
pub fn tokens(text: &str) -> Vec<Token> {
    let (mut tokens, mut start) = (Vec::new(), 0);
    for emoji in emojis(text) {
        tokens.extend(words(&text[start..emoji.start]));
        start = emoji.end;
        tokens.push(Token::Word(plain_emoji(&text[emoji])));
    }
    tokens.extend(words(&text[start..]));
    tokens
}

/// Returns the words of a text without emojis.
fn words(text: &str) -> Vec<Token> {
    let letters = text.chars().flat_map(separated).nfkc().flat_map(char::to_lowercase);
    let composed = without_ignorable(letters);
    WORD.iter().flat_map(|word| word.find_iter(&composed)).flat_map(|word| runs(word.as_str())).collect()
}

/// Adds spaces around a symbol that Unicode spells with letters, because such symbols, like `㎏`, can follow any word.
/// Letters in circles can form a word, so they get no spaces.
fn separated(char: char) -> impl Iterator<Item = char> {
    let is_letter = |char: char| char.is_alphanumeric() && !is_unspaced(char);
    let is_spelled = is_symbol(char) && !char.is_alphanumeric() && [char].into_iter().nfkc().any(is_letter);
    let space = is_spelled.then_some(' ');
    space.into_iter().chain([char]).chain(space)
}

/// Removes invisible characters, such as soft hyphens, from words. Keeps them in emojis, which need them.
fn without_ignorable(text: impl Iterator<Item = char>) -> String {
    let mut in_word = false;
    text.filter(|char| {
        let is_kept = !in_word || is_joiner(*char) || !is_ignorable(*char);
        if is_kept && !is_joiner(*char) {
            in_word = char.is_alphanumeric() || is_mark(*char);
        }
        is_kept
    })
    .collect()
}

/// Removes skin tones and variation selectors from an emoji.
fn plain_emoji(emoji: &str) -> String {
    let is_style = |char: &char| matches!(char, '\u{FE0E}' | '\u{FE0F}' | '\u{1F3FB}'..='\u{1F3FF}');
    emoji.chars().filter(|char| !is_style(char)).collect()
}

/// Splits a text that has no separators. A part ends where the kind of script changes.
fn runs(text: &str) -> Vec<Token> {
    let mut runs: Vec<(Kind, Vec<String>)> = Vec::new();
    for char in text.chars() {
        let last = runs.last_mut();
        match last {
            Some((_, letters)) if is_mark(char) || is_joiner(char) => {
                letters.last_mut().into_iter().for_each(|letter| letter.push(char));
            }
            Some((kind, letters)) if *kind == Kind::of(char) => letters.push(char.to_string()),
            _ => runs.push((Kind::of(char), vec![char.to_string()])),
        }
    }
    runs.into_iter().map(|(kind, letters)| kind.token(letters)).collect()
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Spaced,
    Korean,
    Unspaced,
}

impl Kind {
    fn of(char: char) -> Self {
        match script(char) {
            Script::Hangul => Self::Korean,
            _ if is_unspaced(char) => Self::Unspaced,
            _ => Self::Spaced,
        }
    }

    fn token(self, letters: Vec<String>) -> Token {
        match self {
            Self::Spaced => Token::Word(letters.concat()),
            Self::Korean => Token::Unspaced(letter_list(without_particles(&letters.concat()))),
            Self::Unspaced => Token::Unspaced(letters),
        }
    }
}

fn letter_list(word: &str) -> Vec<String> {
    word.chars().map(String::from).collect()
}

/// Removes particles while at least two syllables are left. Shorter words often end like a particle: `나이` (age) ends
/// like the particle `이`.
fn without_particles(word: &str) -> &str {
    let stem = PARTICLES.iter().find_map(|particle| word.strip_suffix(particle));
    stem.filter(|stem| stem.chars().count() >= 2).map_or(word, without_particles)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_has_words_emojis_and_unspaced_parts() {
        let unspaced = |text: &str| Token::Unspaced(letter_list(text));
        let word = |text: &str| Token::Word(text.to_owned());
        assert_eq!(tokens("Cà-phê, O'Neil"), ["cà", "phê", "o", "neil"].map(word));
        assert_eq!(
            tokens("iPhone手机2024年"),
            [word("iphone"), unspaced("手机"), word("2024"), unspaced("年")]
        );
        assert_eq!(tokens("서울에서 고양이는"), [unspaced("서울"), unspaced("고양")]);
        assert_eq!(tokens("나이 나는"), [unspaced("나이"), unspaced("나는")]);
        for hidden in ['\u{AD}', '\u{200B}', '\u{200E}', '\u{2060}', '\u{FEFF}', '\u{E0061}', '\u{61C}'] {
            assert_eq!(
                tokens(&format!("to{hidden}day 中{hidden}文")),
                [word("today"), unspaced("中文")],
                "{hidden:?}"
            );
        }
        assert_eq!(tokens("1️⃣ 🏴󠁧󠁢󠁳󠁣󠁴󠁿").len(), 2);
        assert_eq!(tokens("👍🏽👍 🇻🇳❤️"), ["👍", "👍", "🇻🇳", "❤"].map(word));
        assert_eq!(tokens("ﾗｰﾒﾝ"), [unspaced("ラーメン")]);
        assert_eq!(tokens("กินข้าว").len(), 1);
        assert_eq!(tokens("\u{302A}b \u{301}"), ["b"].map(word), "a mark without a letter is no word");
        assert_eq!(tokens("Cola™ 5㎏ ⓈⒶⓁⒺ"), ["cola", "™", "5", "kg", "sale"].map(word));
        assert_eq!(tokens("see ‼️ ℹ️ Ⓜⓐⓘⓛ"), ["see", "‼", "ℹ", "mail"].map(word));
        assert!(tokens("?! …").is_empty());
    }
}
