//! Normalizes the spelling of a text. Converts letters to lower case, removes invisible letters, replaces disguised
//! letters, and shortens repeated letters.

use unicode_normalization::{UnicodeNormalization, char::is_combining_mark};

/// Returns the normalized words of a text, with their diacritics. A number becomes `#`, and a link becomes `url`.
pub fn words(text: &str) -> Vec<String> {
    let words = text.split_whitespace().flat_map(|chunk| match is_link(chunk) {
        true => vec!["url".to_owned()],
        false => words_of(chunk),
    });
    words.collect()
}

/// Returns the normalized words of a text without diacritics, separated by spaces.
pub fn fold(text: &str) -> String {
    plain(&words(text).join(" "))
}

/// Removes diacritics.
pub fn plain(text: &str) -> String {
    text.nfd().filter(|char| !is_combining_mark(*char)).map(plain_letter).collect()
}

/// Shortens each run of the same letter to one letter: `coool` becomes `col`.
pub(super) fn squeezed(word: &str) -> String {
    let mut letters: Vec<char> = word.chars().collect();
    letters.dedup();
    letters.into_iter().collect()
}

fn is_link(word: &str) -> bool {
    let word = word.to_lowercase();
    let known = ["http://", "https://", "www.", "bit.ly/", "t.me/", "zalo.me/"];
    known.iter().any(|prefix| word.contains(prefix))
}

/// Returns the normalized words of a chunk, which contains no spaces. Keeps a star inside a word, because the star
/// replaces a letter.
fn words_of(chunk: &str) -> Vec<String> {
    let lower: Vec<char> = chunk.nfkc().flat_map(char::to_lowercase).map(latin_letter).collect();
    let lower: Vec<char> = lower.into_iter().filter(|letter| !is_invisible(*letter)).collect();
    let letters = lower.iter().filter(|it| it.is_alphabetic()).count();
    let lower: String =
        if letters > 1 { lower.into_iter().map(undisguised).collect() } else { lower.iter().collect() };
    let words = lower.nfc().collect::<String>();
    let words =
        words.split(|char: char| !char.is_alphanumeric() && char != '*').map(|char| char.trim_matches('*'));
    let words = words.filter(|it| !it.is_empty());
    words
        .map(|word| if word.chars().all(char::is_numeric) { "#".to_owned() } else { shorten(word) })
        .collect()
}

/// Replaces letters of other alphabets that look like Latin letters.
fn latin_letter(letter: char) -> char {
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

/// Replaces `đ`, the only Vietnamese letter that Unicode does not decompose.
fn plain_letter(letter: char) -> char {
    if letter == 'đ' { 'd' } else { letter }
}

/// Replaces digits and signs that are used as letters: `k1ll`, `$cam`.
fn undisguised(letter: char) -> char {
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

/// Shortens each run of at least three equal letters to one letter: `soooo` becomes `so`. A word that is a single run
/// keeps two letters.
fn shorten(word: &str) -> String {
    let letters: Vec<char> = word.chars().collect();
    let runs: Vec<_> = letters.chunk_by(|left, right| left == right).collect();
    let kept_letters = if runs.len() == 1 { 2 } else { 1 };
    let kept = runs.iter().flat_map(|run| if run.len() > 2 { &run[..kept_letters] } else { run });
    kept.collect()
}
