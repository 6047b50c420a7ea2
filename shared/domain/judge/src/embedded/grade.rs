//! Grades a text by its harm, length and words.

use std::collections::HashSet;

use super::{
    Label, fold,
    verdict::{Finding, UNAMBIGUOUS, finding},
};
use crate::{Category, Flag, Grade, Score};

/// Words that indicate reasons, comparisons, doubts or memories. The words are lower-cased, without diacritics.
const REASONING_WORDS: [&str; 34] = [
    "because", "since", "although", "though", "however", "but", "instead", "perhaps", "maybe", "wonder",
    "remember", "learned", "realized", "felt", "feel", "think", "thought", "believe", "why", "how", "if",
    "vi", "nhung", "tuy", "neu", "co", "nghi", "nho", "cam", "hieu", "hoc", "sao", "thay", "rang",
];
/// Words that refer to the author or the reader. The words are lower-cased, without diacritics.
const PERSONAL_WORDS: [&str; 16] = [
    "i", "my", "me", "we", "our", "us", "you", "your", "toi", "minh", "em", "anh", "chi", "ban", "chung",
    "ta",
];
const BASE_SCORE: f64 = 3.0;
/// Number of words at which a text gets the maximum points for its length.
const LONG_TEXT_WORDS: f64 = 60.0;
/// Minimum percentage of distinct words. A text with a lower percentage repeats itself, if it has at least
/// [`REPETITION_WORDS_MIN`] words.
const DISTINCT_PERCENT_MIN: usize = 50;
const REPETITION_WORDS_MIN: usize = 12;
const HARMFUL_CONFIDENCE_MIN: f64 = 0.6;
const SENTENCE_CHARS_MIN: usize = 9;

/// Grades a text.
pub fn grade(content: &str) -> Grade {
    let found = finding(content);
    // Swearing without a target is common among friends and harmless.
    if found.confidence >= HARMFUL_CONFIDENCE_MIN && found.label != Label::Profanity {
        return toxic(&found);
    }
    let folded = fold(content);
    let words: Vec<_> = folded.split(' ').collect();
    if repeats(&words) {
        let reason = "The text repeats itself.";
        return Grade::new(Score::clamped(1.0), Category::Noise, reason, vec![Flag::Copypaste]);
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
        true => (Score::ZERO, vec![flag]),
        false => (Score::clamped(2.0), Vec::new()),
    };
    Grade::new(score, Category::Toxic, "The text is harmful to others.", flags)
}

/// Returns the sum of the points for length, distinct [`REASONING_WORDS`] and [`PERSONAL_WORDS`], questions and
/// sentences.
fn depth(content: &str, words: &[&str]) -> f64 {
    let distinct_in =
        |list: &[&str]| words.iter().filter(|word| list.contains(word)).collect::<HashSet<_>>().len() as f64;
    let length = 3.0 * (words.len() as f64 / LONG_TEXT_WORDS).min(1.0);
    let reasoning = 0.6 * distinct_in(&REASONING_WORDS).min(5.0);
    let personal = 0.3 * distinct_in(&PERSONAL_WORDS).min(3.0);
    let sentences = content.split(['.', '!', '?', '\n', '…']);
    let sentences = sentences.filter(|text| text.trim().chars().count() >= SENTENCE_CHARS_MIN).count();
    let question = if content.contains('?') { 0.5 } else { 0.0 };
    BASE_SCORE + length + reasoning + personal + question + if sentences > 2 { 0.6 } else { 0.0 }
}

fn repeats(words: &[&str]) -> bool {
    let distinct = words.iter().collect::<HashSet<_>>().len();
    words.len() >= REPETITION_WORDS_MIN && distinct * 100 < words.len() * DISTINCT_PERCENT_MIN
}

fn reason(score: Score) -> &'static str {
    match score.whole() {
        7.. => "The text is thoughtful and addresses others.",
        5 | 6 => "The text adds to the conversation.",
        _ => "The text says little.",
    }
}
