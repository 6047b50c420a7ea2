//! The terms of the lexicon, as a tree of words.

use std::collections::HashMap;

use super::super::plain;

/// Each line has a kind, a tab, and terms with commas between them. A text that has no diacritics at all may also have
/// a term of several words without them, but not one after `=`, which is something harmless then; one after `?` it alone
/// may have. One after `~` is found without diacritics everywhere. Of words with `/` between them each stands in turn,
/// and a `_` in them is a space: `thằng/con ngu/óc_chó` are four terms.
pub(super) const FILE: &str = include_str!("../../../data/lexicon.tsv");
/// The kinds of terms.
pub(super) const KINDS: [&str; 24] = [
    "fine", "you", "them", "slur", "group", "self", "kind", "doubt", "laugh", "curse", "slang", "mild",
    "obscene", "vile", "foul", "insult", "violent", "lewd", "rude", "body", "animal", "soft", "grim",
    "sexual",
];
const ROOT: u32 = 0;

/// Terms, found word by word.
pub(super) struct Terms {
    words: HashMap<String, u32>,
    /// The place that a word leads to from another.
    steps: HashMap<(u32, u32), u32>,
    /// What ends at each place.
    ends: Vec<Kinds>,
}

/// Bits of [`KINDS`].
#[derive(Clone, Copy, Default)]
struct Kinds {
    certain: u32,
    /// Of texts without diacritics.
    bare: u32,
}

/// In which texts a term is found.
#[derive(Clone, Copy)]
enum Found {
    Always,
    Bare,
    /// In texts without diacritics, if it has several words.
    BareInContext,
}

impl Terms {
    /// Reads the file.
    pub(super) fn read() -> Self {
        let mut terms = Self { words: HashMap::new(), steps: HashMap::with_capacity(1 << 15), ends: vec![] };
        terms.ends.push(Kinds::default());
        for (kind, list) in FILE.lines().filter_map(|it| it.split_once('\t')) {
            let kind = KINDS.iter().position(|it| *it == kind).map_or(0, |it| 1 << it);
            list.split(", ").for_each(|it| terms.add(it, kind));
        }
        terms
    }

    /// Returns whether a term has the word.
    pub(super) fn know(&self, word: &str) -> bool {
        self.words.contains_key(word)
    }

    /// Returns whether the word is a term.
    pub(super) fn have(&self, word: &str) -> bool {
        self.step(ROOT, word).is_some_and(|it| self.ends[it as usize].certain != 0)
    }

    /// Returns the terms that begin with the first of the words: how many words each has, and its kind.
    pub(super) fn begin(&self, words: &[String], is_bare: bool) -> Vec<(usize, &'static str)> {
        let mut begun = Vec::new();
        let mut at = ROOT;
        for (count, word) in words.iter().enumerate() {
            let Some(next) = self.step(at, word) else { break };
            at = next;
            let Kinds { certain, bare } = self.ends[at as usize];
            let kinds = if is_bare { certain | bare } else { certain };
            let named = KINDS.iter().enumerate().filter(|(bit, _)| kinds >> bit & 1 == 1);
            begun.extend(named.map(|(_, kind)| (count + 1, *kind)));
        }
        begun
    }

    fn step(&self, from: u32, word: &str) -> Option<u32> {
        self.steps.get(&(from, *self.words.get(word)?)).copied()
    }

    /// Adds a term and its spellings.
    fn add(&mut self, term: &str, kind: u32) {
        match term.split_at_checked(1) {
            Some(("~", term)) => {
                self.grow(term, kind, Found::Always);
                self.grow(&plain(term), kind, Found::Always);
            }
            Some(("=", term)) => self.grow(term, kind, Found::Always),
            Some(("?", term)) => self.grow(term, kind, Found::Bare),
            _ => {
                self.grow(term, kind, Found::Always);
                self.grow(&plain(term), kind, Found::BareInContext);
            }
        }
    }

    /// Adds all that a term with `/` stands for.
    fn grow(&mut self, term: &str, kind: u32, found: Found) {
        let mut places = vec![(ROOT, 0)];
        for slot in term.split(' ') {
            let longer = places.iter().flat_map(|it| slot.split('/').map(move |word| (*it, word)));
            places = longer.map(|((at, words), word)| self.walk(at, words, word)).collect();
        }
        for (at, words) in places {
            let Kinds { certain, bare } = &mut self.ends[at as usize];
            match found {
                Found::Always => *certain |= kind,
                Found::BareInContext if words < 2 => {}
                Found::Bare | Found::BareInContext => *bare |= kind,
            }
        }
    }

    /// Walks on by the words between the `_`, on a new path where there is none.
    fn walk(&mut self, from: u32, count: usize, words: &str) -> (u32, usize) {
        words.split('_').fold((from, count), |(from, count), word| {
            let unknown = self.words.len() as u32;
            let word = match self.words.get(word) {
                Some(known) => *known,
                None => *self.words.entry(word.to_owned()).or_insert(unknown),
            };
            let new = self.ends.len() as u32;
            let to = *self.steps.entry((from, word)).or_insert(new);
            if to == new {
                self.ends.push(Kinds::default());
            }
            (to, count + 1)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_of_the_file_has_a_kind_and_terms() {
        for line in FILE.lines() {
            let (kind, terms) = line.split_once('\t').unwrap_or_else(|| panic!("no tab: {line}"));
            assert!(KINDS.contains(&kind), "{line}");
            assert!(terms.split([',', '/']).all(|it| !it.trim().is_empty()), "{line}");
        }
    }

    #[test]
    fn words_between_slashes_stand_in_turn() {
        let terms = Terms::read();
        for text in ["thằng súc vật", "lũ khốn nạn", "chết mẹ mày"] {
            let words: Vec<_> = text.split(' ').map(str::to_owned).collect();
            assert!(terms.begin(&words, false).contains(&(3, "vile")), "{text}");
        }
    }
}
