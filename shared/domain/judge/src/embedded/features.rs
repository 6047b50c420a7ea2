//! The features of a text: what the lexicon finds, and where it finds nothing words, pairs of words and the parts of
//! long words.

use std::collections::BTreeSet;

use super::lexicon;

const PART_CHARS: usize = 4;
/// A Vietnamese syllable is shorter than a word that is cut into parts.
const CUT_FROM_CHARS: usize = 7;

/// Returns the features of a text, each once, in order. Those of the lexicon begin with `@`.
pub fn features(text: &str) -> BTreeSet<String> {
    let lexicon::Reading { evidence, rest, .. } = lexicon::read(text);
    let in_a_row = rest.iter().flat_map(|row| (1..=2).flat_map(|count| row.windows(count)));
    let words = rest.iter().flatten();
    let parts = words.filter(|it| it.is_ascii() && it.len() >= CUT_FROM_CHARS).flat_map(|it| parts(it));
    in_a_row.map(|it| it.join(" ")).chain(parts).chain(evidence).collect()
}

/// Returns the parts of a word: `~kill`, `~illi`, `~llin` and `~ling` for `killing`.
fn parts(word: &str) -> impl Iterator<Item = String> {
    let last = word.len().saturating_sub(PART_CHARS);
    (0..=last).filter_map(|at| word.get(at..at + PART_CHARS)).map(|it| format!("~{it}"))
}
