//! Features of a text: matches of the lexicon, other words, pairs of other words, and parts of long words.

use std::collections::BTreeSet;

use super::lexicon;

const PART_CHARS: usize = 4;
/// Minimum length of a word that is split into parts. Vietnamese syllables are shorter, so they are not split.
const SPLIT_CHARS_MIN: usize = 7;

/// Returns the sorted features of a text. A match of the lexicon begins with `@`.
pub fn features(text: &str) -> BTreeSet<String> {
    let lexicon::Reading { evidence, other_words, .. } = lexicon::read(text);
    let words_and_pairs = other_words.iter().flat_map(|run| (1..=2).flat_map(|count| run.windows(count)));
    let long = other_words.iter().flatten().filter(|word| word.is_ascii() && word.len() >= SPLIT_CHARS_MIN);
    let parts = long.flat_map(|word| parts(word));
    words_and_pairs.map(|it| it.join(" ")).chain(parts).chain(evidence).collect()
}

/// Returns the parts of a word: `~kill`, `~illi`, `~llin` and `~ling` for `killing`.
fn parts(word: &str) -> impl Iterator<Item = String> {
    let last = word.len().saturating_sub(PART_CHARS);
    (0..=last).filter_map(|at| word.get(at..at + PART_CHARS)).map(|part| format!("~{part}"))
}
