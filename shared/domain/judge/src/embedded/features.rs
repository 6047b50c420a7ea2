//! Features of a text for the model: lexicon matches, words, pairs of matches, pairs of adjacent words, parts of long
//! words, and the length.

use std::collections::BTreeSet;

use super::lexicon::{self, Reading};

const PART_CHARS: usize = 4;
/// Minimum length of a word that is split into parts. Vietnamese syllables are shorter, so they are not split.
const SPLIT_CHARS_MIN: usize = 7;

/// Returns the sorted features of a text. Features that are lexicon matches begin with `@`.
pub fn features(text: &str) -> BTreeSet<String> {
    features_of(&lexicon::read(text))
}

/// Returns the sorted features of a text whose lexicon matches are known.
pub(super) fn features_of(reading: &Reading) -> BTreeSet<String> {
    let Reading { evidence, words, .. } = reading;
    let words_and_pairs = (1..=2).flat_map(|count| words.windows(count)).map(|pair| pair.join(" "));
    let long = words.iter().filter(|word| word.is_ascii() && word.len() >= SPLIT_CHARS_MIN);
    let parts = long.flat_map(|word| parts(word));
    let matches = evidence.iter().cloned().chain(pairs(evidence));
    words_and_pairs.chain(parts).chain(matches).chain([length(words.len()).to_owned()]).collect()
}

/// Returns all pairs of matches that have no target, for example `@body&@laugh`.
fn pairs(evidence: &BTreeSet<String>) -> Vec<String> {
    let kinds: Vec<_> = evidence.iter().filter(|kind| !kind.contains('+')).collect();
    let pairs = kinds
        .iter()
        .enumerate()
        .flat_map(|(at, kind)| kinds[at + 1..].iter().map(move |other| format!("{kind}&{other}")));
    pairs.collect()
}

/// Returns the feature for the number of words in a text. Insults are often short, and long texts often have harmless
/// parts.
fn length(words: usize) -> &'static str {
    match words {
        0..=1 => "@words1",
        2..=3 => "@words2",
        4..=7 => "@words4",
        8..=15 => "@words8",
        _ => "@words16",
    }
}

/// Returns the parts of a word: `~kill`, `~illi`, `~llin` and `~ling` for `killing`.
fn parts(word: &str) -> impl Iterator<Item = String> {
    let last = word.len().saturating_sub(PART_CHARS);
    (0..=last).filter_map(|at| word.get(at..at + PART_CHARS)).map(|part| format!("~{part}"))
}
