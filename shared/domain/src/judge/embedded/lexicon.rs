//! The lexicon: words that insult, curse and threaten, in the spellings that people use, and at whom.

use std::{
    collections::{BTreeSet, HashMap, HashSet},
    sync::LazyLock,
};

use super::{fold::squeezed, plain, words};

/// Each line has a kind, a tab, and terms with commas between them. A text that has no diacritics at all may also have
/// a term of several words without them, but not one after `=`, which is something harmless then; one after `?` it alone
/// may have. One after `~` is found without diacritics everywhere.
const FILE: &str = include_str!("../../../data/judge/lexicon.tsv");
/// Harmless phrases with a word in them that would be evidence elsewhere.
const FINE: &str = "fine";
/// At whom a word may be aimed.
const AIMS: [&str; 3] = ["you", "them", "slur"];
/// Kinds that are evidence only as they stand.
const PLAIN_KINDS: [&str; 5] = ["you", "them", "self", "kind", "doubt"];
/// A text of at most so many words says little else.
const SHORT_WORDS: usize = 4;

struct Lexicon {
    /// The kinds of each term.
    terms: HashMap<String, Vec<&'static str>>,
    /// The words of the terms, to which drawn-out words are shortened.
    words: HashSet<String>,
    /// The words of the longest term.
    longest: usize,
}

static LEXICON: LazyLock<Lexicon> = LazyLock::new(|| {
    let mut terms = HashMap::<String, Vec<&str>>::new();
    for (kind, list) in FILE.lines().filter_map(|it| it.split_once('\t')) {
        for spelling in list.split(", ").flat_map(spellings) {
            let kinds = terms.entry(spelling).or_default();
            if !kinds.contains(&kind) {
                kinds.push(kind);
            }
        }
    }
    let words =
        terms.keys().flat_map(|it| it.trim_start_matches('?').split(' ')).map(str::to_owned).collect();
    let longest = terms.keys().map(|it| it.split(' ').count()).max().unwrap_or_default();
    Lexicon { terms, words, longest }
});

/// Returns the spellings of a term, as keys.
fn spellings(term: &str) -> Vec<String> {
    match (term.split_at_checked(1), term.contains(' ')) {
        (Some(("~", term)), _) => vec![term.to_owned(), plain(term)],
        (Some(("=", term)), _) => vec![term.to_owned()],
        (Some(("?", _)), _) | (_, false) => vec![term.to_owned()],
        (_, true) => vec![term.to_owned(), format!("?{}", plain(term))],
    }
}

/// What the lexicon makes of a text.
#[derive(Default)]
pub(super) struct Reading {
    /// What it finds: `@kind`, and `@kind+aim` where that stands in one sentence with the aim.
    pub(super) evidence: BTreeSet<String>,
    /// The words in a row, in which it finds nothing.
    pub(super) rest: Vec<Vec<String>>,
}

/// Reads a text.
pub(super) fn read(text: &str) -> Reading {
    let bare = words(text).iter().all(|it| plain(it) == *it);
    let mut reading = Reading::default();
    for sentence in sentences(text) {
        reading.add(&spelled(&words(sentence)), bare);
    }
    reading
}

/// Returns the sentences of a text; a point inside a word ends none.
pub(super) fn sentences(text: &str) -> impl Iterator<Item = &str> {
    text.split(['!', '?', '\n', '…', ';']).flat_map(|it| it.split(". ")).filter(|it| !it.trim().is_empty())
}

impl Reading {
    fn add(&mut self, words: &[String], bare: bool) {
        let found = found(words, bare);
        let bad: Vec<_> = found.iter().filter(|it| !PLAIN_KINDS.contains(&it.kind)).collect();
        let kinds: BTreeSet<_> = found.iter().map(|it| it.kind).collect();
        self.evidence.extend(kinds.iter().map(|it| format!("@{it}")));
        for Found { kind, .. } in &bad {
            let aims = AIMS.iter().filter(|it| kinds.contains(*it) && *it != kind);
            self.evidence.extend(aims.map(|aim| format!("@{kind}+{aim}")));
            self.evidence.extend((words.len() <= SHORT_WORDS).then(|| format!("@{kind}+short")));
        }
        let places: HashSet<_> = bad.iter().flat_map(|it| it.at..it.end).collect();
        let starts: HashSet<_> = bad.iter().map(|it| it.at).collect();
        self.evidence.extend((starts.len() > 1).then(|| "@two".to_owned()));
        self.evidence.extend((starts.len() > 2).then(|| "@three".to_owned()));
        let numbered: Vec<_> = words.iter().enumerate().collect();
        let rest = numbered.split(|(at, _)| places.contains(at)).filter(|it| !it.is_empty());
        self.rest.extend(rest.map(|row| row.iter().map(|(_, it)| (*it).clone()).collect()));
    }
}

/// A term in a sentence.
struct Found {
    at: usize,
    end: usize,
    kind: &'static str,
}

/// Returns the terms of a sentence, without what is part of a harmless phrase.
fn found(words: &[String], bare: bool) -> Vec<Found> {
    let mut all = Vec::new();
    let mut fine = HashSet::new();
    for at in 0..words.len() {
        for end in at + 1..=words.len().min(at + LEXICON.longest) {
            let term = words[at..end].join(" ");
            let certain = LEXICON.terms.get(&term);
            let doubtful = bare.then(|| LEXICON.terms.get(&format!("?{term}"))).flatten();
            for kind in certain.into_iter().chain(doubtful).flatten() {
                match *kind {
                    FINE => fine.extend(at..end),
                    kind => all.push(Found { at, end, kind }),
                }
            }
        }
    }
    all.retain(|it| PLAIN_KINDS.contains(&it.kind) || !(it.at..it.end).any(|at| fine.contains(&at)));
    all
}

/// Joins letters that stand apart, `đ . m`, and shortens drawn-out words to those that the lexicon knows.
fn spelled(words: &[String]) -> Vec<String> {
    let mut spelled = Vec::with_capacity(words.len());
    for run in words.chunk_by(|left, right| is_letter(left) && is_letter(right)) {
        let joined = run.concat();
        match run.len() > 1 && LEXICON.terms.contains_key(&joined) {
            true => spelled.push(joined),
            false => spelled.extend(run.iter().map(|it| known(it))),
        }
    }
    spelled
}

fn is_letter(word: &str) -> bool {
    word.chars().count() == 1
}

fn known(word: &str) -> String {
    let short = squeezed(word);
    match LEXICON.words.contains(word) || !LEXICON.words.contains(&short) {
        true => word.to_owned(),
        false => short,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn evidence(text: &str) -> BTreeSet<String> {
        read(text).evidence
    }

    #[test]
    fn every_line_of_the_file_has_a_kind_and_terms() {
        for line in FILE.lines() {
            let (kind, terms) = line.split_once('\t').unwrap_or_else(|| panic!("no tab: {line}"));
            assert!(
                !kind.is_empty() && terms.split(", ").all(|it| it.trim() == it && !it.is_empty()),
                "{line}"
            );
        }
    }

    #[test]
    fn a_word_is_found_however_it_is_spelled() {
        for text in ["Địt mẹ", "đ.m", "đ m", "dit me", "địtttt mẹ", "ĐỊT MẸ!!!", "đ*t mẹ", "v.c.l", "vcllll"]
        {
            assert!(evidence(text).iter().any(|it| ["@obscene", "@curse"].contains(&it.as_str())), "{text}");
        }
        for text in ["lon bia", "các bạn", "du lịch", "tháng ba", "cho em hỏi", "di choi"] {
            assert!(!evidence(text).iter().any(|it| ["@obscene", "@curse"].contains(&it.as_str())), "{text}");
        }
    }

    #[test]
    fn a_harmless_phrase_takes_its_words_with_it() {
        assert!(evidence("con chó này").contains("@animal"));
        assert!(!evidence("con chó con nhà mình").contains("@animal"));
    }
}
