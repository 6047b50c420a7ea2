//! The lexicon: words that insult, curse and threaten, in the spellings that people use, and at whom.

mod terms;

use std::{
    collections::{BTreeSet, HashSet},
    sync::LazyLock,
};

use super::{fold::squeezed, plain, words};
use terms::Terms;

/// Harmless phrases with a word in them that would be evidence elsewhere.
const FINE: &str = "fine";
/// At whom a word may be aimed.
const AIMS: [&str; 4] = ["you", "them", "slur", "group"];
/// Kinds that are evidence only as they stand.
const PLAIN_KINDS: [&str; 6] = ["you", "them", "self", "kind", "doubt", "laugh"];
/// Kinds of swearing at nobody: what stands inside such a term is no more than that, `lồn` in `vãi lồn`.
const CURSES: [&str; 3] = ["curse", "slang", "mild"];
/// A word is aimed at whoever stands so many words before or behind it.
const NEAR_WORDS: usize = 6;
/// What a text has in which somebody is quoted or warned.
const DOUBT: &str = "@doubt";
/// What a text has in which somebody jokes.
pub(super) const LAUGH: &str = "@laugh";
/// Who writes them quotes somebody.
const QUOTES: [char; 4] = ['"', '“', '”', '«'];
/// The faces of who jokes.
const FACES: [&str; 26] = [
    ":)", ":]", ":v", ":V", ":3", ":D", ":d", ":P", ":p", "=)", "=]", "=D", ";)", "^^", "^_^", "😀", "😁",
    "😂", "😃", "😄", "😅", "😆", "😜", "😝", "🙃", "🤣",
];
/// No term has more words.
const TERM_WORDS_MAX: usize = 12;
/// A text of at most so many words says little else.
const SHORT_WORDS: usize = 4;

static TERMS: LazyLock<Terms> = LazyLock::new(Terms::read);

/// What the lexicon makes of a text.
#[derive(Default)]
pub(super) struct Reading {
    /// What it finds in sentences that bring no doubt.
    pub(super) certain: BTreeSet<String>,
    /// What it finds: `@kind`, and `@kind+aim` where that stands near the aim.
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
    reading.evidence.extend(FACES.iter().any(|it| text.contains(it)).then(|| LAUGH.to_owned()));
    if text.contains(QUOTES) {
        reading.certain.clear();
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
        let evidence = evidence(&found, words.len());
        if !evidence.contains(DOUBT) {
            self.certain.extend(evidence.iter().cloned());
        }
        self.evidence.extend(evidence);
        self.rest.extend(rest(&found, words));
    }
}

/// Returns what terms are evidence of, in a sentence of so many words.
fn evidence(found: &[Found], words: usize) -> BTreeSet<String> {
    let bad: Vec<_> = found.iter().filter(|it| !it.is_plain()).collect();
    let kinds: BTreeSet<_> = found.iter().map(|it| it.kind).collect();
    let mut evidence: BTreeSet<_> = kinds.iter().map(|it| format!("@{it}")).collect();
    for aim in AIMS.iter().filter(|it| kinds.contains(*it)) {
        let near = near(found, aim);
        let aimed = bad.iter().filter(|it| it.kind != *aim && (it.at..it.end).any(|at| near.contains(&at)));
        evidence.extend(aimed.map(|it| format!("@{}+{aim}", it.kind)));
    }
    if words <= SHORT_WORDS {
        evidence.extend(bad.iter().map(|it| format!("@{}+short", it.kind)));
    }
    let starts: HashSet<_> = bad.iter().map(|it| it.at).collect();
    evidence.extend((starts.len() > 1).then(|| "@two".to_owned()));
    evidence.extend((starts.len() > 2).then(|| "@three".to_owned()));
    evidence
}

/// Returns the words in a row of which none is part of a bad term.
fn rest(found: &[Found], words: &[String]) -> Vec<Vec<String>> {
    let bad = found.iter().filter(|it| !it.is_plain());
    let places: HashSet<_> = bad.flat_map(|it| it.at..it.end).collect();
    let numbered: Vec<_> = words.iter().enumerate().collect();
    let rest = numbered.split(|(at, _)| places.contains(at)).filter(|it| !it.is_empty());
    rest.map(|row| row.iter().map(|(_, it)| (*it).clone()).collect()).collect()
}

/// A term in a sentence.
struct Found {
    at: usize,
    end: usize,
    kind: &'static str,
}

impl Found {
    fn is_curse(&self) -> bool {
        CURSES.contains(&self.kind)
    }

    fn is_plain(&self) -> bool {
        PLAIN_KINDS.contains(&self.kind)
    }
}

/// Returns the places near an aim.
fn near(found: &[Found], aim: &str) -> HashSet<usize> {
    let aims = found.iter().filter(|it| it.kind == aim);
    aims.flat_map(|it| it.at.saturating_sub(NEAR_WORDS)..it.end + NEAR_WORDS).collect()
}

/// Returns the terms of a sentence, without what is part of a harmless phrase or of a longer curse.
fn found(words: &[String], bare: bool) -> Vec<Found> {
    let begin = |at| TERMS.begin(&words[at..], bare).into_iter().map(move |it| (at, it));
    let all = (0..words.len()).flat_map(begin);
    let mut all: Vec<_> = all.map(|(at, (count, kind))| Found { at, end: at + count, kind }).collect();
    let fine = all.iter().filter(|it| it.kind == FINE);
    let fine: HashSet<_> = fine.flat_map(|it| it.at..it.end).collect();
    all.retain(|it| it.kind != FINE && (it.is_plain() || !(it.at..it.end).any(|at| fine.contains(&at))));
    let curses: Vec<_> = all.iter().filter(|it| it.is_curse()).map(|it| (it.at, it.end)).collect();
    let nearby = |it: &Found| curses.partition_point(|(at, _)| at + TERM_WORDS_MAX < it.end);
    let inside = |it: &Found| {
        let mut around = curses[nearby(it)..].iter().take_while(|(at, _)| *at <= it.at);
        around.any(|(at, end)| *end >= it.end && (*at, *end) != (it.at, it.end))
    };
    all.retain(|it| it.is_curse() || it.is_plain() || !inside(it));
    all
}

/// Joins letters that stand apart, `đ . m`, and shortens drawn-out words to those that the lexicon knows.
fn spelled(words: &[String]) -> Vec<String> {
    let mut spelled = Vec::with_capacity(words.len());
    for run in words.chunk_by(|left, right| is_letter(left) && is_letter(right)) {
        let joined = run.concat();
        match run.len() > 1 && TERMS.have(&joined) {
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
    match TERMS.know(word) || !TERMS.know(&short) {
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

    #[test]
    fn a_longer_curse_takes_its_words_with_it() {
        let found = evidence("bài này khó vãi lồn");
        assert!(found.contains("@curse") && !found.contains("@obscene"), "{found:?}");
    }

    #[test]
    fn a_word_is_aimed_at_who_stands_near() {
        assert!(evidence("mày ngu quá").contains("@rude+you"));
        let far = "mày nhớ đem theo áo mưa với cái ô vì trời hôm nay ngu lắm";
        assert!(evidence(far).contains("@rude") && !evidence(far).contains("@rude+you"));
    }
}
