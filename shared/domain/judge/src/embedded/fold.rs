//! Spells a text in one way: lower case, without invisible, disguised and drawn-out letters.

use unicode_normalization::{UnicodeNormalization, char::is_combining_mark};

/// Returns the words of a text in lower case, with their diacritics. A number becomes `#`, a link `url`.
pub fn words(text: &str) -> Vec<String> {
    let words = text.split_whitespace().flat_map(|it| match is_link(it) {
        true => vec!["url".to_owned()],
        false => words_of(it),
    });
    words.collect()
}

/// Folds a text to words with one space between them, without diacritics.
pub fn fold(text: &str) -> String {
    plain(&words(text).join(" "))
}

/// Removes the diacritics.
pub fn plain(text: &str) -> String {
    text.nfd().filter(|it| !is_combining_mark(*it)).map(plain_letter).collect()
}

/// Shortens every run of one letter to one: `coool` becomes `col`.
pub(super) fn squeezed(word: &str) -> String {
    let mut letters: Vec<char> = word.chars().collect();
    letters.dedup();
    letters.into_iter().collect()
}

fn is_link(word: &str) -> bool {
    let word = word.to_lowercase();
    let known = ["http://", "https://", "www.", "bit.ly/", "t.me/", "zalo.me/"];
    known.iter().any(|it| word.contains(it))
}

/// Returns the words of a chunk of text that has no spaces. A star inside a word stands for a letter.
fn words_of(chunk: &str) -> Vec<String> {
    let lower: Vec<char> = chunk.nfkc().flat_map(char::to_lowercase).map(same_letter).collect();
    let lower: Vec<char> = lower.into_iter().filter(|it| !is_invisible(*it)).collect();
    let letters = lower.iter().filter(|it| it.is_alphabetic()).count();
    let lower: String =
        if letters > 1 { lower.into_iter().map(disguised).collect() } else { lower.iter().collect() };
    let words = lower.nfc().collect::<String>();
    let words = words.split(|it: char| !it.is_alphanumeric() && it != '*').map(|it| it.trim_matches('*'));
    let words = words.filter(|it| !it.is_empty());
    words.map(|it| if it.chars().all(char::is_numeric) { "#".to_owned() } else { short(it) }).collect()
}

/// Replaces letters of other alphabets that look like ours.
fn same_letter(letter: char) -> char {
    match letter {
        'ı' => 'i',
        'ß' => 's',
        'а' => 'a',
        'е' => 'e',
        'о' => 'o',
        'с' => 'c',
        'р' => 'p',
        other => other,
    }
}

/// Replaces the letter that Unicode does not decompose.
fn plain_letter(letter: char) -> char {
    if letter == 'đ' { 'd' } else { letter }
}

/// Replaces digits and signs that stand for letters inside a word: `k1ll`, `$cam`.
fn disguised(letter: char) -> char {
    match letter {
        '0' => 'o',
        '1' => 'i',
        '3' => 'e',
        '4' | '@' => 'a',
        '5' | '$' => 's',
        '7' => 't',
        other => other,
    }
}

fn is_invisible(letter: char) -> bool {
    matches!(letter, '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{2060}' | '\u{feff}')
}

/// Shortens three or more of the same letter to one, `soooo` to `so`; to two where the word is nothing else.
fn short(word: &str) -> String {
    let letters: Vec<char> = word.chars().collect();
    let runs: Vec<_> = letters.chunk_by(|left, right| left == right).collect();
    let most = if runs.len() == 1 { 2 } else { 1 };
    let kept = runs.iter().flat_map(|it| if it.len() > 2 { &it[..most] } else { it });
    kept.collect()
}
