//! What the model looks at: words, two and three in a row, and the parts of long words.

use std::collections::BTreeSet;

const PART_CHARS: usize = 4;
/// A text's features beyond these say nothing new.
const WORDS_MAX: usize = 1_500;

/// The features of a folded text, each once, in order.
pub fn features(folded: &str) -> BTreeSet<String> {
    let words: Vec<&str> = folded.split(' ').filter(|it| !it.is_empty()).take(WORDS_MAX).collect();
    let in_a_row = (1..=3).flat_map(|count| words.windows(count).map(|it| it.join(" ")));
    let parts = words.iter().filter(|it| it.is_ascii() && it.len() > PART_CHARS).flat_map(|it| parts(it));
    in_a_row.chain(parts).collect()
}

/// `killing` has `~kill`, `~illi`, `~llin`, `~ling`.
fn parts(word: &str) -> impl Iterator<Item = String> {
    let last = word.len().saturating_sub(PART_CHARS);
    (0..=last).filter_map(|at| word.get(at..at + PART_CHARS)).map(|it| format!("~{it}"))
}
