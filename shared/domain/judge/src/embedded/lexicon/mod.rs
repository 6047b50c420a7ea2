//! The lexicon: insults, curses and threats in their usual spellings, and words for their targets.

mod terms;

use std::{
    collections::{BTreeSet, HashSet},
    sync::LazyLock,
};

use super::{fold::squeezed, plain, words};
use terms::Terms;

/// The kind of harmless phrases that contain a bad word.
const FINE: &str = "fine";
/// Kinds of targets.
const TARGETS: [&str; 4] = ["you", "them", "slur", "group"];
/// Kinds that are not bad by themselves.
const PLAIN_KINDS: [&str; 6] = ["you", "them", "self", "kind", "doubt", "laugh"];
/// Kinds of swearing without a target. A bad word inside such a term is not an insult, for example `lồn` in `vãi lồn`.
const CURSES: [&str; 3] = ["curse", "slang", "mild"];
/// Maximum distance between a bad word and its target, in words.
const NEAR_WORDS: usize = 6;
/// The match for words that quote or warn.
const DOUBT: &str = "@doubt";
/// The match for signs of a joke.
pub(super) const LAUGH: &str = "@laugh";
/// Characters that mark a quotation.
const QUOTES: [char; 4] = ['"', '“', '”', '«'];
/// Emoticons and emoji that mark a joke.
const FACES: [&str; 26] = [
    ":)", ":]", ":v", ":V", ":3", ":D", ":d", ":P", ":p", "=)", "=]", "=D", ";)", "^^", "^_^", "😀", "😁",
    "😂", "😃", "😄", "😅", "😆", "😜", "😝", "🙃", "🤣",
];
const TERM_WORDS_MAX: usize = 12;
/// Maximum number of words in a sentence that counts as short.
const SHORT_WORDS: usize = 4;

static TERMS: LazyLock<Terms> = LazyLock::new(Terms::read);

/// The matches of the lexicon in a text, and the text's other words.
#[derive(Default)]
pub(super) struct Reading {
    /// The matches in sentences that contain no [`DOUBT`]. Empty if the text contains quotation marks.
    pub(super) certain: BTreeSet<String>,
    /// All matches. A match is `@kind` for a found term, and `@kind+target` for a term near a target.
    pub(super) evidence: BTreeSet<String>,
    /// Runs of consecutive words outside of bad terms.
    pub(super) other_words: Vec<Vec<String>>,
}

/// Returns the matches of the lexicon in a text, and the text's other words.
pub(super) fn read(text: &str) -> Reading {
    let is_bare = words(text).iter().all(|word| plain(word) == *word);
    let mut reading = Reading::default();
    for sentence in sentences(text) {
        reading.add(&respelled(&words(sentence)), is_bare);
    }
    reading.evidence.extend(FACES.iter().any(|face| text.contains(face)).then(|| LAUGH.to_owned()));
    if text.contains(QUOTES) {
        reading.certain.clear();
    }
    reading
}

/// Returns the sentences of a text. A period inside a word does not end a sentence.
pub(super) fn sentences(text: &str) -> impl Iterator<Item = &str> {
    let sentences = text.split(['!', '?', '\n', '…', ';']).flat_map(|part| part.split(". "));
    sentences.filter(|sentence| !sentence.trim().is_empty())
}

impl Reading {
    /// Adds a sentence. `is_bare` means that the text has no diacritics.
    fn add(&mut self, words: &[String], is_bare: bool) {
        let found = find_terms(words, is_bare);
        let evidence = evidence(&found, words.len());
        if !evidence.contains(DOUBT) {
            self.certain.extend(evidence.iter().cloned());
        }
        self.evidence.extend(evidence);
        self.other_words.extend(other_words(&found, words));
    }
}

/// Returns the matches for the terms found in a sentence. `words` is the number of words in the sentence.
fn evidence(found: &[FoundTerm], words: usize) -> BTreeSet<String> {
    let bad: Vec<_> = found.iter().filter(|it| !it.is_plain()).collect();
    let kinds: BTreeSet<_> = found.iter().map(|it| it.kind).collect();
    let mut evidence: BTreeSet<_> = kinds.iter().map(|kind| format!("@{kind}")).collect();
    for target in TARGETS.iter().filter(|target| kinds.contains(*target)) {
        let near = indexes_near(found, target);
        let is_aimed =
            |term: &FoundTerm| term.kind != *target && (term.at..term.end).any(|at| near.contains(&at));
        let aimed = bad.iter().filter(|term| is_aimed(term));
        evidence.extend(aimed.map(|term| format!("@{}+{target}", term.kind)));
    }
    if words <= SHORT_WORDS {
        evidence.extend(bad.iter().map(|term| format!("@{}+short", term.kind)));
    }
    let starts: HashSet<_> = bad.iter().map(|it| it.at).collect();
    evidence.extend((starts.len() > 1).then(|| "@two".to_owned()));
    evidence.extend((starts.len() > 2).then(|| "@three".to_owned()));
    evidence
}

/// Returns the runs of consecutive words that are not part of a bad term.
fn other_words(found: &[FoundTerm], words: &[String]) -> Vec<Vec<String>> {
    let bad = found.iter().filter(|it| !it.is_plain());
    let bad: HashSet<_> = bad.flat_map(|term| term.at..term.end).collect();
    let numbered: Vec<_> = words.iter().enumerate().collect();
    let runs = numbered.split(|(at, _)| bad.contains(at)).filter(|it| !it.is_empty());
    runs.map(|run| run.iter().map(|(_, word)| (*word).clone()).collect()).collect()
}

/// A term in a sentence, with the index of its first word and of the word after the term.
struct FoundTerm {
    at: usize,
    end: usize,
    kind: &'static str,
}

impl FoundTerm {
    fn is_curse(&self) -> bool {
        CURSES.contains(&self.kind)
    }

    fn is_plain(&self) -> bool {
        PLAIN_KINDS.contains(&self.kind)
    }
}

/// Returns the indexes of the words near a target of this kind.
fn indexes_near(found: &[FoundTerm], target: &str) -> HashSet<usize> {
    let targets = found.iter().filter(|term| term.kind == target);
    targets.flat_map(|term| term.at.saturating_sub(NEAR_WORDS)..term.end + NEAR_WORDS).collect()
}

/// Returns the terms in a sentence. Omits terms inside a harmless phrase or a longer curse.
fn find_terms(words: &[String], is_bare: bool) -> Vec<FoundTerm> {
    let starting = |at: usize| {
        let terms = TERMS.starting(&words[at..], is_bare).into_iter();
        terms.map(move |(count, kind)| FoundTerm { at, end: at + count, kind })
    };
    let mut all: Vec<_> = (0..words.len()).flat_map(starting).collect();
    let fine = all.iter().filter(|term| term.kind == FINE);
    let fine: HashSet<_> = fine.flat_map(|term| term.at..term.end).collect();
    let is_fine = |term: &FoundTerm| (term.at..term.end).any(|at| fine.contains(&at));
    all.retain(|term| term.kind != FINE && (term.is_plain() || !is_fine(term)));
    let curses: Vec<_> = all.iter().filter(|it| it.is_curse()).map(|term| (term.at, term.end)).collect();
    let first_near = |term: &FoundTerm| curses.partition_point(|(at, _)| at + TERM_WORDS_MAX < term.end);
    let is_inside_curse = |term: &FoundTerm| {
        let mut around = curses[first_near(term)..].iter().take_while(|(at, _)| *at <= term.at);
        around.any(|(at, end)| *end >= term.end && (*at, *end) != (term.at, term.end))
    };
    all.retain(|term| term.is_curse() || term.is_plain() || !is_inside_curse(term));
    all
}

/// Returns the words after two corrections. Joins separate letters such as `đ . m` if they form a term. Shortens words
/// with repeated letters if the result is a word in a term.
fn respelled(words: &[String]) -> Vec<String> {
    let mut respelled = Vec::with_capacity(words.len());
    for run in words.chunk_by(|left, right| is_letter(left) && is_letter(right)) {
        let joined = run.concat();
        match run.len() > 1 && TERMS.has_term(&joined) {
            true => respelled.push(joined),
            false => respelled.extend(run.iter().map(|word| shortened(word))),
        }
    }
    respelled
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

#[cfg(test)]
mod tests {
    use super::*;

    fn evidence(text: &str) -> BTreeSet<String> {
        read(text).evidence
    }

    #[test]
    fn a_word_is_found_in_all_spellings() {
        for text in ["Địt mẹ", "đ.m", "đ m", "dit me", "địtttt mẹ", "ĐỊT MẸ!!!", "đ*t mẹ", "v.c.l", "vcllll"]
        {
            assert!(is_bad(text), "{text}");
        }
        for text in ["lon bia", "các bạn", "du lịch", "tháng ba", "cho em hỏi", "di choi"] {
            assert!(!is_bad(text), "{text}");
        }
    }

    fn is_bad(text: &str) -> bool {
        !evidence(text).is_disjoint(&["@obscene", "@curse"].map(str::to_owned).into())
    }

    #[test]
    fn bad_words_in_a_harmless_phrase_do_not_match() {
        assert!(evidence("con chó này").contains("@animal"));
        assert!(!evidence("con chó con nhà mình").contains("@animal"));
    }

    #[test]
    fn bad_words_in_a_longer_curse_do_not_match() {
        let found = evidence("bài này khó vãi lồn");
        assert!(found.contains("@curse") && !found.contains("@obscene"), "{found:?}");
    }

    #[test]
    fn a_bad_word_is_aimed_only_at_a_nearby_target() {
        assert!(evidence("mày ngu quá").contains("@rude+you"));
        let far = "mày nhớ đem theo áo mưa với cái ô vì trời hôm nay ngu lắm";
        assert!(evidence(far).contains("@rude") && !evidence(far).contains("@rude+you"));
    }
}
