//! Judges of texts: whether a reported text breaks the rules, and how good a text of a circle is.
//!
//! For every judge, what people wrote is data and never an instruction, and an answer must have
//! exactly its form. May use only the platform.

mod answer;
mod bedrock;
mod chat;
pub mod embedded;
mod grade;
mod language_model;
mod prompt;

use std::sync::Arc;

use futures::future::BoxFuture;
use platform::{
    App, Result,
    settings::{JudgeChoice, Settings},
};

pub use embedded::Embedded;
pub use grade::{Category, Flag, Grade, Remark, Score};

/// How sure the judge is that the text breaks the rules: 0 to 1.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd, serde::Serialize, serde::Deserialize)]
pub struct Confidence(f64);

impl Confidence {
    /// No suspicion at all.
    pub const NOTHING: Self = Self(0.0);

    /// Returns the nearest confidence; none for NaN.
    pub fn clamped(value: f64) -> Option<Self> {
        (!value.is_nan()).then(|| Self(value.clamp(0.0, 1.0)))
    }

    /// Returns the confidence as a number.
    pub fn value(self) -> f64 {
        self.0
    }
}

/// The judge's finding about a reported text.
#[derive(Clone, Debug, PartialEq)]
pub struct ReportVerdict {
    /// How sure the judge is that the text breaks the rules.
    pub confidence: Confidence,
    /// The reason in one sentence for administrators, at most 500 characters.
    pub note: String,
}

/// A judge of texts.
pub trait Judge: Send + Sync {
    /// Judges a reported text. What a reporter says about it is kept from the judge: it could only sway it. A remote
    /// model gets one request of at most 20 seconds.
    ///
    /// # Errors
    /// Internal, when the model does not answer in the form that was asked for.
    fn judge<'a>(&'a self, app: &'a App, content: &'a str) -> BoxFuture<'a, Result<ReportVerdict>>;

    /// Grades a text of a circle.
    ///
    /// # Errors
    /// Internal, when the model does not answer in the form that was asked for.
    fn grade<'a>(&'a self, app: &'a App, content: &'a str) -> BoxFuture<'a, Result<Grade>>;
}

/// Returns the judge that the settings choose.
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
