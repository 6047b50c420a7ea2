//! The terms of the lexicon, as a trie of words.

use std::collections::HashMap;

use super::super::plain;

/// Each line has a kind, a tab, and terms separated by commas. By default, a term of several words is also found
/// without diacritics if the whole text has no diacritics. A prefix before the term changes this:
///
/// - `=`: the term is only found with diacritics, because the spelling without diacritics is harmless.
/// - `?`: the term is only found in texts without diacritics.
/// - `~`: the term is found in all texts, with or without diacritics.
///
/// Texts are normalized before the lookup, so a term with another spelling never matches. `#` stands for a number: `#k`
/// matches `50k`.
///
/// `/` separates alternative words, and `_` is a space in an alternative. So `thằng/con ngu/óc_chó` means four terms.
pub(super) const FILE: &str = include_str!("../../../data/lexicon.tsv");
pub(super) const KINDS: [&str; 29] = [
    "fine", "you", "them", "slur", "group", "self", "kind", "doubt", "laugh", "curse", "slang", "mild",
    "obscene", "vile", "foul", "insult", "violent", "lewd", "rude", "body", "animal", "soft", "grim",
    "sexual", "incite", "lure", "promo", "contact", "warn",
];
/// The kinds of terms that are found if their words are written without spaces, or letter by letter.
const SPELLED_KINDS: [&str; 9] =
    ["curse", "obscene", "vile", "foul", "insult", "violent", "slur", "incite", "lure"];
const WORD_CHARS_MAX: usize = 12;
const ROOT: u32 = 0;

/// A trie of terms. Each edge is a word.
pub(super) struct Terms {
    /// The ID of each word.
    words: HashMap<String, u32>,
    /// The child of a node, by the node and the ID of the edge's word.
    children: HashMap<(u32, u32), u32>,
    /// For each node, the kinds of the terms that end at the node.
    ends: Vec<Kinds>,
}

/// Kinds of terms. Each field is a bit mask, in which bit `n` stands for the kind `KINDS[n]`.
#[derive(Clone, Copy, Default)]
struct Kinds {
    /// Bit mask of the kinds of terms that are found in all texts.
    always: u32,
    /// Bit mask of the kinds of terms that are found only in texts without diacritics.
    bare: u32,
}

#[derive(Clone, Copy)]
enum Scope {
    Always,
    /// The term is found only in texts without diacritics.
    Bare,
    /// The term is also found in texts without diacritics if it has several words.
    BareIfSeveralWords,
}

impl Terms {
    pub(super) fn read() -> Self {
        let children = HashMap::with_capacity(1 << 15);
        let mut terms = Self { words: HashMap::new(), children, ends: vec![Kinds::default()] };
        for (kind, list) in FILE.lines().filter_map(|line| line.split_once('\t')) {
            let kind = KINDS.iter().position(|name| *name == kind).map_or(0, |bit| 1 << bit);
            list.split(", ").for_each(|term| terms.add(term, kind));
        }
        terms
    }

    pub(super) fn has_word(&self, word: &str) -> bool {
        self.words.contains_key(word)
    }

    pub(super) fn has_term(&self, word: &str) -> bool {
        self.child(ROOT, word).is_some_and(|node| self.ends[node as usize].always != 0)
    }

    /// Returns the terms with which `words` starts. Each term is given as its number of words and its kind.
    pub(super) fn starting(&self, words: &[String], is_bare: bool) -> Vec<(usize, &'static str)> {
        let mut terms = Vec::new();
        let mut node = ROOT;
        for (count, word) in words.iter().enumerate() {
            let Some(child) = self.child(node, word) else { break };
            node = child;
            let Kinds { always, bare } = self.ends[node as usize];
            let kinds = if is_bare { always | bare } else { always };
            let named = KINDS.iter().enumerate().filter(|(bit, _)| kinds >> bit & 1 == 1);
            terms.extend(named.map(|(_, kind)| (count + 1, *kind)));
        }
        terms
    }

    /// Splits letters into the words of a bad term: `thằngngu` becomes `thằng ngu`. Returns `None` if they form no bad term.
    pub(super) fn spelled(&self, letters: &[char]) -> Option<Vec<String>> {
        let kinds = KINDS.iter().enumerate().filter(|(_, kind)| SPELLED_KINDS.contains(kind));
        let wanted = kinds.fold(0, |mask, (bit, _)| mask | 1 << bit);
        self.spelled_from(ROOT, letters, wanted)
    }

    fn spelled_from(&self, node: u32, letters: &[char], wanted: u32) -> Option<Vec<String>> {
        if letters.is_empty() {
            let Kinds { always, bare } = self.ends[node as usize];
            return ((always | bare) & wanted != 0).then(Vec::new);
        }
        (1..=letters.len().min(WORD_CHARS_MAX)).rev().find_map(|length| {
            let (word, rest) = letters.split_at(length);
            let word: String = word.iter().collect();
            let mut words = self.spelled_from(self.child(node, &word)?, rest, wanted)?;
            words.insert(0, word);
            Some(words)
        })
    }

    fn child(&self, node: u32, word: &str) -> Option<u32> {
        self.children.get(&(node, *self.words.get(word)?)).copied()
    }

    /// Adds a term from the file. `kind` is the bit of the term's kind.
    fn add(&mut self, term: &str, kind: u32) {
        match term.split_at_checked(1) {
            Some(("~", term)) => {
                self.insert(term, kind, Scope::Always);
                self.insert(&plain(term), kind, Scope::Always);
            }
            Some(("=", term)) => self.insert(term, kind, Scope::Always),
            Some(("?", term)) => self.insert(term, kind, Scope::Bare),
            _ => {
                self.insert(term, kind, Scope::Always);
                self.insert(&plain(term), kind, Scope::BareIfSeveralWords);
            }
        }
    }

    /// Inserts all combinations of a term's alternatives.
    fn insert(&mut self, term: &str, kind: u32, scope: Scope) {
        let mut nodes = vec![(ROOT, 0)];
        for slot in term.split(' ') {
            let longer = nodes.iter().flat_map(|node| slot.split('/').map(move |words| (*node, words)));
            nodes = longer.map(|((node, count), words)| self.extend(node, count, words)).collect();
        }
        for (node, count) in nodes {
            let Kinds { always, bare } = &mut self.ends[node as usize];
            match scope {
                Scope::Always => *always |= kind,
                Scope::BareIfSeveralWords if count < 2 => {}
                Scope::Bare | Scope::BareIfSeveralWords => *bare |= kind,
            }
        }
    }

    /// Follows the words of an alternative from a node, and creates missing nodes. `_` separates the words. `count` is
    /// the number of words before `node`. Returns the last node, and the number of words before it.
    fn extend(&mut self, node: u32, count: usize, words: &str) -> (u32, usize) {
        words.split('_').fold((node, count), |(node, count), word| {
            let new_word = self.words.len() as u32;
            let word = match self.words.get(word) {
                Some(known) => *known,
                None => *self.words.entry(word.to_owned()).or_insert(new_word),
            };
            let new_node = self.ends.len() as u32;
            let child = *self.children.entry((node, word)).or_insert(new_node);
            if child == new_node {
                self.ends.push(Kinds::default());
            }
            (child, count + 1)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::{super::super::words as normalized, *};

    #[test]
    fn every_lexicon_line_has_a_kind_and_terms() {
        for line in FILE.lines() {
            let (kind, terms) = line.split_once('\t').unwrap_or_else(|| panic!("no tab: {line}"));
            assert!(KINDS.contains(&kind), "{line}");
            assert!(terms.split([',', '/']).all(|term| !term.trim().is_empty()), "{line}");
        }
    }

    #[test]
    fn every_lexicon_word_has_its_normalized_spelling() {
        let terms =
            FILE.lines().filter_map(|line| line.split_once('\t')).flat_map(|(_, terms)| terms.split(", "));
        let words = terms.flat_map(|term| term.trim_start_matches(['~', '=', '?']).split([' ', '/', '_']));
        let unmatchable: Vec<_> =
            words.filter(|word| normalized(&word.replace('#', "1")) != [*word]).collect();
        assert!(unmatchable.is_empty(), "{unmatchable:?}");
    }

    #[test]
    fn a_slash_separates_alternative_words() {
        let terms = Terms::read();
        for text in ["thằng súc vật", "lũ khốn nạn", "chết mẹ mày"] {
            let words: Vec<_> = text.split(' ').map(str::to_owned).collect();
            assert!(terms.starting(&words, false).contains(&(3, "vile")), "{text}");
        }
    }
}
