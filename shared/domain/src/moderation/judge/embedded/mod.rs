//! The judge that needs no network: rules that name the unambiguous, and a small linear model of our
//! own. The same text gets the same verdict everywhere.
//!
#![doc = include_str!("../../../../data/judge/README.md")]

mod features;
mod fold;
mod grade;
mod model;
mod rules;

use futures::future::{BoxFuture, ready};

pub use features::features;
pub use fold::fold;
pub use grade::grade;
pub use model::{CATEGORIES, Category, Model, Scores, scale};

use platform::{App, Result};

use super::{Case, Confidence, Grade, Judge, ReportVerdict};

/// Where posts begin to be hidden; only a rule and the model together go there.
const UNAMBIGUOUS: f64 = 0.96;
/// As sure as the model alone, or a rule the model does not agree with, can ever be.
const AMBIGUOUS_MAX: f64 = 0.95;
/// How much of the whole text must speak against it before a rule in it counts.
const AGREES: f64 = 0.6;

/// Rules and a linear model over words and their parts; knows nothing but the text.
///
/// The reporter's reason is not looked at: whoever reports does not decide.
pub struct Embedded;

impl Judge for Embedded {
    fn judge<'a>(&'a self, _: &'a App, case: Case<'a>) -> BoxFuture<'a, Result<ReportVerdict>> {
        Box::pin(ready(Ok(verdict(case.content))))
    }

    fn grade<'a>(&'a self, _: &'a App, content: &'a str) -> BoxFuture<'a, Result<Grade>> {
        Box::pin(ready(Ok(grade(content))))
    }
}

/// Judges a text. Nothing is called; about a millisecond for 5,000 characters.
pub fn verdict(content: &str) -> ReportVerdict {
    let text = fold(content);
    let whole = Model::ours().scores(&text);
    let rule = rules::broken(&text);
    let (confidence, note) = match rule {
        Some(category) if whole.harm() >= AGREES => {
            (UNAMBIGUOUS + 0.03 * whole.harm(), format!("{category}: a rule and the model agree"))
        }
        Some(category) => {
            (whole.harm().max(0.5), format!("{category} by a rule, but the model is not sure of the whole"))
        }
        None => {
            let worst = worst_part(content, whole);
            (worst.harm().min(AMBIGUOUS_MAX), note(worst))
        }
    };
    // Both are between 0 and 1 by construction.
    let confidence = Confidence::clamped(confidence).unwrap_or(Confidence(0.0));
    ReportVerdict { confidence, note }
}

/// The whole text's scores or those of its worst sentence, so that harmless words around it hide nothing.
fn worst_part(content: &str, whole: Scores) -> Scores {
    let sentences = content.split(['.', '!', '?', '\n', '…', ';']).filter(|it| it.trim().chars().count() > 8);
    let scores = sentences.map(|it| Model::ours().scores(&fold(it)));
    scores.fold(whole, |worst, it| if it.harm() > worst.harm() { it } else { worst })
}

fn note(scores: Scores) -> String {
    match scores.likeliest() {
        Category::Normal => "nothing that breaks the rules was found".to_owned(),
        category => format!("perhaps {category}, says the model alone"),
    }
}

#[cfg(test)]
mod tests;
