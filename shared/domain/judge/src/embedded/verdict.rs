//! The verdict on a text, from the rules and the model.

use super::{
    Label, Model, Scores, fold,
    lexicon::{self, LAUGH, Reading, sentences},
    rules::{self, MatchedRule},
};
use crate::{Confidence, ReportVerdict};

/// Minimum confidence for hiding a post. A text only reaches this confidence if both a rule and the model find a
/// violation.
pub(super) const UNAMBIGUOUS: f64 = 0.96;
/// Maximum confidence of the model alone.
const AMBIGUOUS_MAX: f64 = 0.95;
/// The model agrees with a regular expression if the whole text has at least this harm.
const EXPRESSION_HARM_MIN: f64 = 0.5;
/// The model agrees with a match of the lexicon if the worst sentence has at least this malice. The minimum is high,
/// because the model also uses the lexicon.
const EVIDENCE_MALICE_MIN: f64 = 0.88;
/// The model agrees with a match in a joke if the worst sentence has at least this malice. Friends insult each other in
/// jokes.
const JOKE_MALICE_MIN: f64 = 0.97;
const SENTENCE_CHARS_MIN: usize = 9;

/// The result of the rules and the model for a text.
pub(super) struct Finding {
    /// The probability that the text violates the rules, 0 to 1.
    pub(super) confidence: f64,
    /// The most probable label.
    pub(super) label: Label,
    note: String,
}

/// Judges a text.
pub fn verdict(content: &str) -> ReportVerdict {
    let Finding { confidence, note, .. } = finding(content);
    let confidence = Confidence::clamped(confidence).unwrap_or(Confidence::ZERO);
    ReportVerdict { confidence, note }
}

/// Returns the result of the rules and the model for a text.
pub(super) fn finding(content: &str) -> Finding {
    let whole = Model::ours().scores(content);
    let Reading { certain, evidence, .. } = lexicon::read(content);
    let Some(rule) = rules::matched_rule(&fold(content), &certain) else {
        let worst = worst_part(content, whole, Scores::harm);
        let confidence = worst.harm().min(AMBIGUOUS_MAX);
        return Finding { confidence, label: worst.likeliest(), note: note(worst) };
    };
    let malice = worst_part(content, whole, Scores::malice).malice();
    let (label, agrees) = match rule {
        MatchedRule::Expression(label) => (label, whole.harm() >= EXPRESSION_HARM_MIN),
        MatchedRule::Evidence(label) if evidence.contains(LAUGH) => (label, malice >= JOKE_MALICE_MIN),
        MatchedRule::Evidence(label) => (label, malice >= EVIDENCE_MALICE_MIN),
    };
    if agrees {
        let note = format!("{label}: a rule and the model agree");
        return Finding { confidence: UNAMBIGUOUS + 0.03 * whole.harm(), label, note };
    }
    let confidence = whole.harm().clamp(0.5, AMBIGUOUS_MAX);
    Finding { confidence, label, note: format!("{label}: a rule matches, but the model is not sure") }
}

/// Returns the scores of the whole text or of its worst sentence, whichever is worse. So harmless sentences do not hide
/// a bad sentence.
fn worst_part(content: &str, whole: Scores, bad: fn(&Scores) -> f64) -> Scores {
    let sentences =
        sentences(content).filter(|sentence| sentence.trim().chars().count() >= SENTENCE_CHARS_MIN);
    let scores = sentences.map(|sentence| Model::ours().scores(sentence));
    scores.fold(whole, |worst, scores| if bad(&scores) > bad(&worst) { scores } else { worst })
}

fn note(scores: Scores) -> String {
    match scores.likeliest() {
        Label::Normal if scores.harm() < 0.5 => "no violation found".to_owned(),
        Label::Normal => "possible violation, found only by the model".to_owned(),
        label => format!("possible {label}, found only by the model"),
    }
}
