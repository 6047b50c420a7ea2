//! The verdict on a text, from the rules and the model.

use super::{
    Label, Model, Scores, fold,
    lexicon::{self, LAUGH, Reading, sentences},
    rules::{self, Broken},
};
use crate::{Confidence, ReportVerdict};

/// The confidence from which posts are hidden. Only a rule and the model together reach it.
pub(super) const UNAMBIGUOUS: f64 = 0.96;
/// The highest confidence of the model alone.
const AMBIGUOUS_MAX: f64 = 0.95;
/// The harm of the whole text from which the model agrees with an expression.
const AGREES: f64 = 0.5;
/// The malice of the worst sentence from which the model agrees with the lexicon, whose words it knows too.
const AGREES_WITH_WORDS: f64 = 0.88;
/// The same where somebody laughs: friends insult each other.
const AGREES_WITH_JOKES: f64 = 0.97;
const SENTENCE_MIN_CHARS: usize = 8;

/// What was found in a text.
pub(super) struct Finding {
    /// How sure it is that the text breaks the rules: 0 to 1.
    pub(super) confidence: f64,
    /// What the text most probably is.
    pub(super) label: Label,
    note: String,
}

/// Judges a text.
pub fn verdict(content: &str) -> ReportVerdict {
    let Finding { confidence, note, .. } = finding(content);
    // It is between 0 and 1 by construction.
    let confidence = Confidence::clamped(confidence).unwrap_or(Confidence::NOTHING);
    ReportVerdict { confidence, note }
}

/// Returns what the rules and the model find in a text.
pub(super) fn finding(content: &str) -> Finding {
    let whole = Model::ours().scores(content);
    let Reading { certain, evidence, .. } = lexicon::read(content);
    let Some(broken) = rules::broken(&fold(content), &certain) else {
        let worst = worst_part(content, whole, Scores::harm);
        let confidence = worst.harm().min(AMBIGUOUS_MAX);
        return Finding { confidence, label: worst.likeliest(), note: note(worst) };
    };
    let malice = worst_part(content, whole, Scores::malice).malice();
    let (label, agrees) = match broken {
        Broken::Expression(label) => (label, whole.harm() >= AGREES),
        Broken::Words(label) if evidence.contains(LAUGH) => (label, malice >= AGREES_WITH_JOKES),
        Broken::Words(label) => (label, malice >= AGREES_WITH_WORDS),
    };
    if agrees {
        let note = format!("{label}: a rule and the model agree");
        return Finding { confidence: UNAMBIGUOUS + 0.03 * whole.harm(), label, note };
    }
    let confidence = whole.harm().clamp(0.5, AMBIGUOUS_MAX);
    Finding { confidence, label, note: format!("{label} by a rule, but the model is not sure of the whole") }
}

/// Returns the scores of the whole text or of its worst sentence, so that harmless words around a
/// sentence do not hide it.
fn worst_part(content: &str, whole: Scores, bad: fn(&Scores) -> f64) -> Scores {
    let sentences = sentences(content).filter(|it| it.trim().chars().count() > SENTENCE_MIN_CHARS);
    let scores = sentences.map(|it| Model::ours().scores(it));
    scores.fold(whole, |worst, it| if bad(&it) > bad(&worst) { it } else { worst })
}

fn note(scores: Scores) -> String {
    match scores.likeliest() {
        Label::Normal if scores.harm() < 0.5 => "nothing that breaks the rules was found".to_owned(),
        Label::Normal => "perhaps it breaks the rules, says the model alone".to_owned(),
        label => format!("perhaps {label}, says the model alone"),
    }
}
