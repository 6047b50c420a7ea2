//! The lexicon: insults, curses and threats in their usual spellings, and words for their targets.

mod spelling;
mod terms;

use std::{
    collections::{BTreeSet, HashSet},
    sync::LazyLock,
};

use super::words;
use spelling::respelled;
use terms::Terms;

/// The kind of terms that are harmless phrases with a bad word.
const HARMLESS_PHRASE: &str = "fine";
const TARGETS: [&str; 4] = ["you", "them", "slur", "group"];
/// Kinds of terms that are not bad by themselves.
const PLAIN_KINDS: [&str; 10] =
    ["you", "them", "self", "kind", "doubt", "laugh", "lure", "promo", "contact", "warn"];
/// Matches of advertising, which violates the rules only together with a [`CONTACT`].
const ADVERTISING: [&str; 2] = ["@lure", "@promo"];
/// The match for ways to contact an advertiser, such as a link or a telephone number.
const CONTACT: &str = "@contact";
/// Matches that can hide a text although no rule matches.
const SEVERE: [&str; 4] = ["@vile", "@obscene", "@curse", "@foul"];
/// The match for warnings of fraud.
const WARN: &str = "@warn";
/// Kinds of swearing without a target. A bad word inside such a term is not an insult, for example `lồn` in `vãi lồn`.
const CURSES: [&str; 3] = ["curse", "slang", "mild"];
/// Maximum distance between a bad word and its target, in words.
const NEAR_WORDS: usize = 6;
/// The match for words that quote or warn.
const DOUBT: &str = "@doubt";
/// The match for signs of a joke.
pub(super) const LAUGH: &str = "@laugh";
const QUOTES: [char; 4] = ['"', '“', '”', '«'];
/// Emoticons and emoji that mark a joke.
const EMOTICONS: [&str; 26] = [
    ":)", ":]", ":v", ":V", ":3", ":D", ":d", ":P", ":p", "=)", "=]", "=D", ";)", "^^", "^_^", "😀", "😁",
    "😂", "😃", "😄", "😅", "😆", "😜", "😝", "🙃", "🤣",
];
const TERM_WORDS_MAX: usize = 12;
/// A text counts as written without diacritics if at most one word in this number of words has diacritics.
const BARE_WORDS: usize = 6;
/// Maximum number of words in a sentence that counts as short.
const SHORT_WORDS: usize = 4;

static TERMS: LazyLock<Terms> = LazyLock::new(Terms::read);

#[derive(Default)]
pub(super) struct Reading {
    /// The matches in sentences that contain no [`DOUBT`], and advertising with a contact in texts without a [`WARN`].
    /// Empty if the text contains quotation marks.
    pub(super) certain: BTreeSet<String>,
    /// All matches. A match is `@kind` for a found term, and `@kind+target` for a term near a target.
    pub(super) evidence: BTreeSet<String>,
    pub(super) words: Vec<String>,
}

/// Returns the matches of the lexicon in a text, and its words.
pub(super) fn read(text: &str) -> Reading {
    let sentences: Vec<_> = sentences(text).map(|sentence| respelled(&words(sentence))).collect();
    let mut reading = Reading { words: sentences.concat(), ..Reading::default() };
    let marked = reading.words.iter().filter(|word| !word.is_ascii()).count();
    let is_bare = marked * BARE_WORDS <= reading.words.len();
    sentences.iter().for_each(|sentence| reading.add(sentence, is_bare));
    reading.add_advertising();
    if EMOTICONS.iter().any(|emoticon| text.contains(emoticon)) {
        reading.evidence.insert(LAUGH.to_owned());
    }
    if text.contains(QUOTES) {
        reading.certain.clear();
    }
    reading
}

/// Returns whether any match is a severe word.
pub(super) fn has_severe_word(evidence: &BTreeSet<String>) -> bool {
    SEVERE.iter().any(|kind| evidence.contains(*kind))
}

/// Returns the sentences of a text. A period or an exclamation mark inside a word does not end a sentence.
pub(super) fn sentences(text: &str) -> impl Iterator<Item = &str> {
    let mut ends = Vec::new();
    let mut chars = text.char_indices().peekable();
    while let Some((at, mark)) = chars.next() {
        let next = chars.peek().map(|(_, next)| *next);
        let is_end = match mark {
            '?' | '\n' | '…' | ';' => true,
            '!' => !next.is_some_and(char::is_alphanumeric),
            '.' => next == Some(' '),
            _ => false,
        };
        ends.extend(is_end.then_some(at));
    }
    let mut start = 0;
    let sentences = ends.into_iter().chain([text.len()]).map(move |end| {
        let sentence = &text[start..end];
        start = end;
        sentence
    });
    sentences.filter(|sentence| sentence.contains(char::is_alphanumeric))
}

impl Reading {
    /// Adds the matches in a sentence. `is_bare` means that the text has no diacritics.
    fn add(&mut self, words: &[String], is_bare: bool) {
        let found = find_terms(words, is_bare);
        let evidence = evidence(&found, words.len());
        if !evidence.contains(DOUBT) {
            self.certain.extend(evidence.iter().cloned());
        }
        self.evidence.extend(evidence);
    }

    /// Adds the matches for advertising with a contact. These matches are uncertain in warnings.
    fn add_advertising(&mut self) {
        if !self.evidence.contains(CONTACT) {
            return;
        }
        let kinds = ADVERTISING.iter().filter(|kind| self.evidence.contains(**kind));
        let offers: Vec<_> = kinds.map(|kind| format!("{kind}+contact")).collect();
        if !self.evidence.contains(WARN) {
            self.certain.extend(offers.iter().cloned());
        }
        self.evidence.extend(offers);
    }
}

/// Returns the matches for the terms found in a sentence. `words` is the number of words in the sentence.
fn evidence(found: &[FoundTerm], words: usize) -> BTreeSet<String> {
    let bad: Vec<_> = found.iter().filter(|term| !term.is_plain()).collect();
    let kinds: BTreeSet<_> = found.iter().map(|term| term.kind).collect();
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
    let starts: HashSet<_> = bad.iter().map(|term| term.at).collect();
    evidence.extend((starts.len() > 1).then(|| "@two".to_owned()));
    evidence.extend((starts.len() > 2).then(|| "@three".to_owned()));
    evidence
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

fn indexes_near(found: &[FoundTerm], target: &str) -> HashSet<usize> {
    let targets = found.iter().filter(|term| term.kind == target);
    targets.flat_map(|term| term.at.saturating_sub(NEAR_WORDS)..term.end + NEAR_WORDS).collect()
}

/// Returns the terms in a sentence. Omits bad terms that overlap a harmless phrase or are inside a longer curse.
fn find_terms(words: &[String], is_bare: bool) -> Vec<FoundTerm> {
    let starting = |at: usize| {
        let terms = TERMS.starting(&words[at..], is_bare).into_iter();
        terms.map(move |(count, kind)| FoundTerm { at, end: at + count, kind })
    };
    let mut all: Vec<_> = (0..words.len()).flat_map(starting).collect();
    let fine = all.iter().filter(|term| term.kind == HARMLESS_PHRASE);
    let fine: HashSet<_> = fine.flat_map(|term| term.at..term.end).collect();
    let is_fine = |term: &FoundTerm| (term.at..term.end).any(|at| fine.contains(&at));
    all.retain(|term| term.kind != HARMLESS_PHRASE && (term.is_plain() || !is_fine(term)));
    let curses: Vec<_> = all.iter().filter(|term| term.is_curse()).map(|term| (term.at, term.end)).collect();
    let first_near = |term: &FoundTerm| curses.partition_point(|(at, _)| at + TERM_WORDS_MAX < term.end);
    let is_inside_curse = |term: &FoundTerm| {
        let mut around = curses[first_near(term)..].iter().take_while(|(at, _)| *at <= term.at);
        around.any(|(at, end)| *end >= term.end && (*at, *end) != (term.at, term.end))
    };
    all.retain(|term| term.is_curse() || term.is_plain() || !is_inside_curse(term));
    all
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
