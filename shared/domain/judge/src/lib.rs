//! Judges decide whether a reported text violates the rules, and grade texts in circles.
//!
//! Judges treat users' texts as data, never as instructions. A language model's answer must have exactly the requested
//! form. This crate may use only the crate `platform`.

mod answer;
mod bedrock;
mod chat;
pub mod embedded;
mod grade;
mod language_model;
mod limited;
mod prompt;

use std::sync::Arc;

use futures::future::BoxFuture;
use platform::{
    App, Result,
    settings::{JudgeChoice, Settings},
};

pub use embedded::Embedded;
pub use grade::{Category, Flag, Grade, Remark, Score};
use limited::Limited;

/// The probability that a text violates the rules, 0 to 1.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd, serde::Serialize, serde::Deserialize)]
pub struct Confidence(f64);

impl Confidence {
    /// The lowest confidence.
    pub const ZERO: Self = Self(0.0);

    /// Returns the confidence that is nearest to `value`, or `None` for NaN.
    pub fn clamped(value: f64) -> Option<Self> {
        (!value.is_nan()).then(|| Self(value.clamp(0.0, 1.0)))
    }

    /// Returns the confidence as a number.
    pub fn value(self) -> f64 {
        self.0
    }
}

/// A judge's verdict on a reported text.
#[derive(Clone, Debug, PartialEq)]
pub struct ReportVerdict {
    /// The probability that the text violates the rules.
    pub confidence: Confidence,
    /// The reason in one sentence for administrators, at most 500 characters.
    pub note: String,
}

/// A judge of texts.
pub trait Judge: Send + Sync {
    /// Judges a reported text. The judge does not get the reporter's reason, because the reason could sway it. A remote
    /// model gets one request, which takes at most 20 seconds.
    ///
    /// # Errors
    /// Fails with an internal error if the model does not answer in the requested form.
    fn judge<'a>(&'a self, app: &'a App, content: &'a str) -> BoxFuture<'a, Result<ReportVerdict>>;

    /// Grades a text in a circle. Fails as [`Judge::judge`] does.
    fn grade<'a>(&'a self, app: &'a App, content: &'a str) -> BoxFuture<'a, Result<Grade>>;
}

/// Returns the configured judge.
pub fn of(app: &App) -> Arc<Box<dyn Judge>> {
    app.memory.get_or_init(|| chosen(&app.settings))
}

fn chosen(settings: &Settings) -> Box<dyn Judge> {
    match &*settings.judge {
        // An external judge sends its verdicts itself.
        JudgeChoice::Embedded | JudgeChoice::External => Box::new(Embedded),
        JudgeChoice::Bedrock { model } => Box::new(Limited(bedrock::Bedrock::new(model))),
        JudgeChoice::Chat { url, model } => {
            Box::new(Limited(chat::Chat::new(url, model, settings.judge_api_key.clone())))
        }
    }
}
