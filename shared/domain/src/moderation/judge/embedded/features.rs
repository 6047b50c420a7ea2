//! The features of a text: words, two and three words in a row, and the parts of long words.

use std::collections::BTreeSet;

const PART_CHARS: usize = 4;
/// How many words of a text are read; more say nothing new.
const WORDS_MAX: usize = 1_500;

/// Returns the features of a folded text, each once, in order.
pub fn features(folded: &str) -> BTreeSet<String> {
    let words: Vec<&str> = folded.split(' ').filter(|it| !it.is_empty()).take(WORDS_MAX).collect();
    let in_a_row = (1..=3).flat_map(|count| words.windows(count).map(|it| it.join(" ")));
    let parts = words.iter().filter(|it| it.is_ascii() && it.len() > PART_CHARS).flat_map(|it| parts(it));
    in_a_row.chain(parts).collect()
}

/// Returns the parts of a word: `~kill`, `~illi`, `~llin` and `~ling` for `killing`.
fn parts(word: &str) -> impl Iterator<Item = String> {
    let last = word.len().saturating_sub(PART_CHARS);
    (0..=last).filter_map(|at| word.get(at..at + PART_CHARS)).map(|it| format!("~{it}"))
}
