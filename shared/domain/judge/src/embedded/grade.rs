//! Grades a text by what can be counted: its harm, its length, its words.

use std::collections::HashSet;

use super::{
    Label, fold,
    verdict::{Finding, UNAMBIGUOUS, finding},
};
use crate::{Category, Flag, Grade, Score};

/// Folded words with which people give a reason, compare, doubt or remember.
const TURNS: [&str; 34] = [
    "because", "since", "although", "though", "however", "but", "instead", "perhaps", "maybe", "wonder",
    "remember", "learned", "realized", "felt", "feel", "think", "thought", "believe", "why", "how", "if",
    "vi", "nhung", "tuy", "neu", "co", "nghi", "nho", "cam", "hieu", "hoc", "sao", "thay", "rang",
];
/// Folded words with which people speak for themselves or to others.
const PEOPLE: [&str; 16] = [
    "i", "my", "me", "we", "our", "us", "you", "your", "toi", "minh", "em", "anh", "chi", "ban", "chung",
    "ta",
];
const BASE: f64 = 3.0;
const LONG_WORDS: f64 = 60.0;
/// The percentage of different words below which a text of [`SHORT_WORDS`] or more repeats itself.
const VARIED_PERCENT: usize = 50;
const SHORT_WORDS: usize = 12;
const HARMFUL: f64 = 0.6;

/// Grades a text.
pub fn grade(content: &str) -> Grade {
    let found = finding(content);
    // Friends swear; only what is aimed at somebody does harm.
    if found.confidence >= HARMFUL && found.label != Label::Profanity {
        return toxic(&found);
    }
    let folded = fold(content);
    let words: Vec<_> = folded.split(' ').collect();
    if repeats(&words) {
        return Grade::new(Score::clamped(1.0), Category::Noise, "it repeats itself", vec![Flag::Copypaste]);
    }
    let score = Score::clamped((depth(content, &words) * 10.0).round() / 10.0);
    Grade::new(score, Category::of(score), reason(score), Vec::new())
}

fn toxic(found: &Finding) -> Grade {
    let flag = match found.label {
        Label::Spam | Label::Scam => Flag::Spam,
        _ => Flag::Hate,
    };
    let (score, flags) = match found.confidence >= UNAMBIGUOUS {
        true => (Score::NOTHING, vec![flag]),
        false => (Score::clamped(2.0), Vec::new()),
    };
    Grade::new(score, Category::Toxic, "it does others harm", flags)
}

/// Adds up points for length, different words of [`TURNS`] and [`PEOPLE`], questions and sentences.
fn depth(content: &str, words: &[&str]) -> f64 {
    let different =
        |of: &[&str]| words.iter().filter(|it| of.contains(it)).collect::<HashSet<_>>().len() as f64;
    let length = 3.0 * (words.len() as f64 / LONG_WORDS).min(1.0);
    let turns = 0.6 * different(&TURNS).min(5.0);
    let people = 0.3 * different(&PEOPLE).min(3.0);
    let sentences =
        content.split(['.', '!', '?', '\n', '…']).filter(|it| it.trim().chars().count() > 8).count();
    let asks = if content.contains('?') { 0.5 } else { 0.0 };
    BASE + length + turns + people + asks + if sentences > 2 { 0.6 } else { 0.0 }
}

fn repeats(words: &[&str]) -> bool {
    let different = words.iter().collect::<HashSet<_>>().len();
    words.len() >= SHORT_WORDS && different * 100 < words.len() * VARIED_PERCENT
}

fn reason(score: Score) -> &'static str {
    match score.whole() {
        7.. => "it has thought in it, and speaks to others",
        5 | 6 => "it adds to the conversation",
        _ => "there is little in it",
    }
}
