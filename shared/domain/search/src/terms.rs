//! The terms of a search, and the keys by which the index finds texts.
//!
//! In a script without spaces, such as Chinese, each pair of neighboring letters is a key. So a search finds each part
//! of a text. A dictionary is not used, because it could split the search term and the text differently, and would lack
//! new words.

use std::{collections::HashSet, sync::LazyLock};

use platform::text::{FoldedText, Phrase, Token, fold, is_syllable, is_text, tokens};
use serde::Deserialize;
use utoipa::ToSchema;

const TERMS_MAX_CHARS: usize = 100;
const KEY_MAX_CHARS: usize = 40;
/// Maximum number of indexed words of a text.
const WORDS_MAX: usize = 100;
/// Maximum number of indexed letters and pairs of letters of a text, in scripts without spaces.
const PARTS_MAX: usize = 200;

/// Words that are too frequent to search for: English words, Vietnamese words with diacritics, and frequent Chinese and
/// Japanese letters.
static STOP_WORDS: LazyLock<HashSet<&str>> = LazyLock::new(|| {
    let lines = include_str!("../data/stopwords.txt").lines();
    lines.filter(|line| !line.starts_with('#')).collect()
});

/// The text of a search.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(try_from = "String")]
#[schema(value_type = String, min_length = 1, max_length = 100, example = "ca phe")]
pub struct Terms(Parsed);

/// The text of a search, with its words and its parts in scripts without spaces.
#[derive(Clone, Debug)]
struct Parsed {
    text: String,
    phrases: Vec<Phrase>,
}

impl TryFrom<String> for Terms {
    type Error = &'static str;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        let text = text.trim();
        let terms = || Self(Parsed { text: text.to_owned(), phrases: phrases(text) });
        is_text(text, TERMS_MAX_CHARS).then(terms).ok_or("must have 1 to 100 characters")
    }
}

impl Terms {
    /// Returns the text, trimmed.
    pub fn as_str(&self) -> &str {
        &self.0.text
    }

    /// Returns the distinct keys that the index must have for a text to match. Omits stop words, unless all keys are
    /// stop words.
    pub fn keys(&self) -> Vec<String> {
        let keys = search_keys(&self.0.text);
        let significant = keys.iter().filter(|key| !STOP_WORDS.contains(key.as_str())).cloned();
        match distinct(significant).collect::<Vec<_>>() {
            significant if significant.is_empty() => distinct(keys.into_iter()).collect(),
            significant => significant,
        }
    }

    /// Returns whether a text contains each word of the search, and each part in a script without spaces.
    pub fn finds(&self, text: &str) -> bool {
        let text = FoldedText::of([text]);
        self.0.phrases.iter().all(|phrase| text.has(phrase))
    }

    /// Returns the prefix that a name or a hashtag must have, lower-cased and without diacritics.
    pub fn prefix(&self) -> String {
        fold(&self.0.text).trim_start_matches(['@', '#']).to_owned()
    }
}

fn phrases(text: &str) -> Vec<Phrase> {
    let texts = tokens(text).into_iter().map(|token| match token {
        Token::Word(word) => word,
        Token::Unspaced(letters) => letters.concat(),
    });
    texts.filter_map(|text| Phrase::of(&text)).collect()
}

/// Returns the keys by which the index finds a text, without stop words. Returns at most 100 words, and at most 200
/// letters and pairs of letters of scripts without spaces.
pub fn index_keys(text: &str) -> Vec<String> {
    let (mut words, mut parts) = (Vec::new(), Vec::new());
    for token in tokens(text) {
        match token {
            Token::Word(word) => words.push(word),
            Token::Unspaced(letters) => {
                parts.extend(pairs(&letters));
                parts.extend(
                    letters.iter().filter(|letter| letters.len() == 1 || is_syllable(letter)).cloned(),
                );
            }
        }
    }
    let significant = |keys: Vec<String>| keys.into_iter().filter(|key| !STOP_WORDS.contains(key.as_str()));
    let words: Vec<_> = distinct(significant(words)).take(WORDS_MAX).collect();
    words.into_iter().chain(distinct(significant(parts)).take(PARTS_MAX)).collect()
}

fn search_keys(text: &str) -> Vec<String> {
    let keys = tokens(text).into_iter().flat_map(|token| match token {
        Token::Word(word) => vec![word],
        Token::Unspaced(letters) if letters.len() == 1 => letters,
        Token::Unspaced(letters) => pairs(&letters).collect(),
    });
    keys.collect()
}

fn pairs(letters: &[String]) -> impl Iterator<Item = String> {
    letters.windows(2).map(<[String]>::concat)
}

fn distinct(keys: impl Iterator<Item = String>) -> impl Iterator<Item = String> {
    let mut seen = HashSet::new();
    let folded = keys.map(|key| fold(&key).chars().take(KEY_MAX_CHARS).collect::<String>());
    folded.filter(move |key| !key.is_empty() && seen.insert(key.clone()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn search(text: &str) -> Vec<String> {
        Terms::try_from(text.to_owned()).unwrap().keys()
    }

    #[test]
    fn a_stop_word_matches_only_with_its_diacritics() {
        assert_eq!(index_keys("Tôi đã ở Đà Lạt, and it was THE best"), ["da", "lat", "best"]);
        assert_eq!(index_keys("da\u{0303}"), ["da"], "a word that only folds to a stop word is kept");
        assert_eq!(search("to be or not"), ["to", "be", "or", "not"]);
    }

    #[test]
    fn a_text_is_found_by_each_of_its_parts() {
        for (text, parts) in [
            ("今天晚上我们去吃火锅吧", ["火锅", "晚上", "锅"]),
            ("昨日は友達とラーメンを食べました", ["ラーメン", "友達", "食べ"]),
            ("วันนี้กินข้าวผัด", ["ข้าว", "กิน", "วันนี้"]),
            ("서울에서 김치를 먹었다", ["서울", "김치", "먹었다"]),
            ("Łódź und Straße 🍜", ["lodz", "STRASSE", "🍜"]),
            ("ﾗｰﾒﾝ ｉＰｈｏｎｅ", ["ラーメン", "iphone", "ﾗｰﾒﾝ"]),
        ] {
            let keys = index_keys(text);
            for part in parts {
                let missing: Vec<_> = search(part).into_iter().filter(|key| !keys.contains(key)).collect();
                assert_eq!(missing, [""; 0], "{part} in {text}");
            }
        }
    }
}
