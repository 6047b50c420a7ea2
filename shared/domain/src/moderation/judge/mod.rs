//! Judging texts: whether one that was reported breaks the rules, and how good one is that was written
//! in a circle.
//!
//! Whoever judges, what people wrote is data to be judged and never an instruction, and the answer
//! is held to its form.

mod answer;
mod bedrock;
mod chat;
pub mod embedded;
mod grade;
mod prompt;

use std::sync::Arc;

use futures::future::BoxFuture;
use platform::{
    App, Result,
    settings::{JudgeChoice, Settings},
};

pub use embedded::Embedded;
pub use grade::{Category, Flag, Grade, Remark, Score};

/// What is to be judged: both texts are people's own.
#[derive(Clone, Copy, Debug)]
pub struct Case<'a> {
    /// What was reported.
    pub content: &'a str,
    /// Why, says the reporter.
    pub reason: &'a str,
}

/// How sure the judge is that the text breaks the rules: 0 to 1.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd, serde::Serialize, serde::Deserialize)]
pub struct Confidence(f64);

impl Confidence {
    /// The nearest that is one; none for what is no number.
    pub fn clamped(value: f64) -> Option<Self> {
        (!value.is_nan()).then(|| Self(value.clamp(0.0, 1.0)))
    }

    /// As a number.
    pub fn value(self) -> f64 {
        self.0
    }
}

/// What the judge found.
#[derive(Clone, Debug, PartialEq)]
pub struct ReportVerdict {
    /// How sure it is.
    pub confidence: Confidence,
    /// Why, in a sentence for the administrator; 500 characters at most.
    pub note: String,
}

/// Somebody who judges.
pub trait Judge: Send + Sync {
    /// Judges one case. No call to the table; a model outside is asked once, 20 seconds at most.
    ///
    /// # Errors
    /// Internal, when no answer came or it is not in the form that was asked for.
    fn judge<'a>(&'a self, app: &'a App, case: Case<'a>) -> BoxFuture<'a, Result<ReportVerdict>>;

    /// Says how good a text is. As [`Judge::judge`].
    ///
    /// # Errors
    /// Internal, when no answer came or it is not in the form that was asked for.
    fn grade<'a>(&'a self, app: &'a App, content: &'a str) -> BoxFuture<'a, Result<Grade>>;
}

/// The judge that the settings choose.
pub fn of(app: &App) -> Arc<Box<dyn Judge>> {
    app.memory.get_or_init(|| chosen(&app.settings))
}

fn chosen(settings: &Settings) -> Box<dyn Judge> {
    match &*settings.judge {
        JudgeChoice::Embedded => Box::new(Embedded),
        JudgeChoice::Bedrock { model } => Box::new(bedrock::Bedrock::new(model)),
        JudgeChoice::Chat { url } => Box::new(chat::Chat::new(url, settings.judge_api_key.clone())),
    }
}
