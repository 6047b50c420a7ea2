//! The verdict on a text, from the rules and the model.

use super::{
    Label, Model, Scores,
    features::features_of,
    lexicon::{self, LAUGH, Reading, sentences},
    plain,
    rules::{self, MatchedRule},
};
use crate::{Confidence, ReportVerdict};

/// Minimum confidence for hiding a post.
pub(super) const UNAMBIGUOUS: f64 = 0.96;
/// Maximum confidence if only a rule or only the model finds a violation.
const AMBIGUOUS_MAX: f64 = 0.95;
/// Minimum harm of the whole text for the model to agree with a regular expression. See [`Scores::harm`].
const EXPRESSION_HARM_MIN: f64 = 0.5;
/// Minimum malice of the worst part for the model to agree with a match of the lexicon or a severe word. It is high,
/// because the model also uses the lexicon. See [`Scores::malice`].
const MALICE_MIN: f64 = 0.94;
/// Minimum malice of the worst part for the model to agree with a match in a joke. It is higher than for other
/// matches, because friends insult each other in jokes.
const JOKE_MALICE_MIN: f64 = 0.97;
const SENTENCE_CHARS_MIN: usize = 9;

pub(super) struct Finding {
    /// The probability that the text violates the rules, 0 to 1.
    pub(super) confidence: f64,
    pub(super) label: Label,
    note: String,
}

/// Judges a text.
pub fn verdict(content: &str) -> ReportVerdict {
    let Finding { confidence, note, .. } = finding(content);
    let confidence = Confidence::clamped(confidence).unwrap_or(Confidence::ZERO);
    ReportVerdict { confidence, note }
}

/// Returns the label that the judge considers most probable.
pub fn label(content: &str) -> Label {
    finding(content).label
}

/// Returns the result of the rules and the model for a text.
pub(super) fn finding(content: &str) -> Finding {
    let reading = lexicon::read(content);
    let whole = Model::ours().scores_of(&features_of(&reading));
    let parts = parts(content, whole);
    let malicious = worst(&parts, Scores::malice);
    match rules::matched_rule(&plain(&reading.words.join(" ")), &reading.certain) {
        Some(rule) => by_rule(&rule, &reading, whole, malicious.malice()),
        None => by_model(&reading, malicious, worst(&parts, Scores::harm)),
    }
}

/// Returns the result if a rule matches. `malice` is the malice of the worst part.
fn by_rule(rule: &MatchedRule, reading: &Reading, whole: Scores, malice: f64) -> Finding {
    let (label, agrees) = match *rule {
        MatchedRule::Expression(label) => (label, whole.harm() >= EXPRESSION_HARM_MIN),
        MatchedRule::Evidence(label) if reading.evidence.contains(LAUGH) => {
            (label, malice >= JOKE_MALICE_MIN)
        }
        MatchedRule::Evidence(label) => (label, malice >= MALICE_MIN),
    };
    if agrees {
        let note = format!("{label}: a rule and the model agree");
        return Finding { confidence: UNAMBIGUOUS + 0.03 * whole.harm(), label, note };
    }
    let confidence = whole.harm().clamp(0.5, AMBIGUOUS_MAX);
    Finding { confidence, label, note: format!("{label}: a rule matches, but the model is not sure") }
}

/// Returns the result if no rule matches. The scores are those of the most malicious and of the most harmful part.
fn by_model(reading: &Reading, malicious: Scores, harmful: Scores) -> Finding {
    let is_joke = reading.evidence.contains(LAUGH);
    let is_sure = malicious.malice() >= MALICE_MIN && !is_joke && lexicon::has_severe_word(&reading.certain);
    let (worst, confidence) = match is_sure {
        true => (malicious, UNAMBIGUOUS),
        false => (harmful, harmful.harm().min(AMBIGUOUS_MAX)),
    };
    Finding { confidence, label: worst.likeliest(), note: note(worst) }
}

/// Returns the scores of the parts: the whole text and each long sentence. So harmless sentences cannot conceal a bad
/// one.
fn parts(content: &str, whole: Scores) -> Vec<Scores> {
    let sentences: Vec<_> = sentences(content).collect();
    let several = sentences.iter().filter(|_| sentences.len() > 1);
    let long = several.filter(|sentence| sentence.trim().chars().count() >= SENTENCE_CHARS_MIN);
    std::iter::once(whole).chain(long.map(|sentence| Model::ours().scores(sentence))).collect()
}

fn worst(parts: &[Scores], bad: fn(&Scores) -> f64) -> Scores {
    let worse = |worst: Scores, part: &Scores| if bad(part) > bad(&worst) { *part } else { worst };
    parts.iter().skip(1).fold(parts[0], worse)
}

fn note(scores: Scores) -> String {
    match scores.likeliest() {
        Label::Normal if scores.harm() < 0.5 => "no violation found".to_owned(),
        Label::Normal => "possible violation, found only by the model".to_owned(),
        label => format!("possible {label}, found only by the model"),
    }
}
