//! Folds a text to one spelling, without diacritics, capitals and disguised letters.

use unicode_normalization::{UnicodeNormalization, char::is_combining_mark};

/// Folds a text to words with one space between them, in lower-case ASCII where possible. A number becomes
/// `#`, a link `url`.
pub fn fold(text: &str) -> String {
    let words = text.split_whitespace().flat_map(|it| match is_link(it) {
        true => vec!["url".to_owned()],
        false => words(it),
    });
    words.collect::<Vec<_>>().join(" ")
}

fn is_link(word: &str) -> bool {
    let word = word.to_lowercase();
    let known = ["http://", "https://", "www.", "bit.ly/", "t.me/", "zalo.me/"];
    known.iter().any(|it| word.contains(it))
}

/// Returns the words of a chunk of text that has no spaces.
fn words(chunk: &str) -> Vec<String> {
    let plain: String =
        chunk.nfkd().filter(|it| !is_combining_mark(*it)).flat_map(char::to_lowercase).collect();
    let plain: Vec<char> = plain.chars().map(plain_letter).filter(|it| !is_invisible(*it)).collect();
    let letters = plain.iter().filter(|it| it.is_alphabetic()).count();
    let plain: String =
        if letters > 1 { plain.into_iter().map(disguised).collect() } else { plain.iter().collect() };
    let words = plain.split(|it: char| !it.is_alphanumeric()).filter(|it| !it.is_empty());
    words.map(|it| if it.chars().all(|it| it.is_numeric()) { "#".to_owned() } else { squeeze(it) }).collect()
}

/// Replaces letters that Unicode does not decompose.
fn plain_letter(letter: char) -> char {
    match letter {
        'đ' => 'd',
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

/// Shortens three or more of the same letter to one: `soooo` becomes `so`.
fn squeeze(word: &str) -> String {
    let letters: Vec<char> = word.chars().collect();
    let mut out = String::with_capacity(word.len());
    for run in letters.chunk_by(|left, right| left == right) {
        let keep = if run.len() > 2 { 1 } else { run.len() };
        out.extend(&run[..keep]);
    }
    out
}
