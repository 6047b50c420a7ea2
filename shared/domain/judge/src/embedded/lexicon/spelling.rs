//! Corrects the spelling of disguised bad terms: joins spaced letters, splits joined words, and shortens repetitions.

use super::{super::fold::squeezed, TERMS};

/// Minimum length of a word that is split into the words of a bad term.
const JOINED_CHARS_MIN: usize = 6;
/// Maximum number of separate letters that are joined. Longer runs are drawings or keyboard noise.
const SPACED_LETTERS_MAX: usize = 24;
const CONSONANTS: &str = "bcdđfghjklmnpqrstvwxz";

/// Returns the words after corrections. Joins separate letters such as `đ . m` and torn words such as `f uck` if they
/// form a term. Splits words such as `thằngngu`. Shortens words with repeated letters if the result is a word in a term.
pub(super) fn respelled(words: &[String]) -> Vec<String> {
    let mut respelled = Vec::with_capacity(words.len());
    for run in words.chunk_by(|left, right| is_letter(left) && is_letter(right)) {
        match run.len() {
            1 => respelled.extend(unjoined(&run[0])),
            _ => add_spaced(run, &mut respelled),
        }
    }
    mended(respelled)
}

/// Adds single letters that follow each other to `respelled`. Joins letters that spell a bad term, as in `b a d`. Prefers
/// the longest term.
fn add_spaced(letters: &[String], respelled: &mut Vec<String>) {
    let mut at = 0;
    while at < letters.len() {
        let longest = (at + SPACED_LETTERS_MAX).min(letters.len());
        let found = (at + 2..=longest).rev().find_map(|end| Some((end, joined(&letters[at..end])?)));
        let (end, words) = found.unwrap_or_else(|| (at + 1, vec![letters[at].clone()]));
        respelled.extend(words);
        at = end;
    }
}

/// Returns the words that the letters form together, or `None` if they do not form a bad term.
fn joined(letters: &[String]) -> Option<Vec<String>> {
    let word = letters.concat();
    let chars: Vec<char> = word.chars().collect();
    if TERMS.has_term(&word) { Some(vec![word]) } else { TERMS.spelled(&chars) }
}

/// Splits a word that the lexicon does not contain into the words of a bad term.
fn unjoined(word: &str) -> Vec<String> {
    let word = shortened(word);
    let chars: Vec<char> = word.chars().collect();
    let is_long = (JOINED_CHARS_MIN..=SPACED_LETTERS_MAX).contains(&chars.len());
    let split = (is_long && !TERMS.has_word(&word)).then(|| TERMS.spelled(&chars)).flatten();
    split.unwrap_or_else(|| vec![word])
}

/// Joins two words that form a term if one of them has no vowel.
fn mended(words: Vec<String>) -> Vec<String> {
    let mut mended: Vec<String> = Vec::with_capacity(words.len());
    for word in words {
        match mended.last_mut() {
            Some(last) if is_torn(last, &word) => last.push_str(&word),
            _ => mended.push(word),
        }
    }
    mended
}

fn is_torn(left: &str, right: &str) -> bool {
    let has_vowel = |word: &str| !word.chars().all(|letter| CONSONANTS.contains(letter));
    let is_alphabetic = |word: &str| word.chars().all(char::is_alphabetic);
    has_vowel(left) != has_vowel(right)
        && left.len() + right.len() > 2
        && is_alphabetic(left)
        && is_alphabetic(right)
        && TERMS.has_term(&format!("{left}{right}"))
}

fn is_letter(word: &str) -> bool {
    word.chars().count() == 1
}

fn shortened(word: &str) -> String {
    let short = squeezed(word);
    match TERMS.has_word(word) || !TERMS.has_word(&short) {
        true => word.to_owned(),
        false => short,
    }
}
