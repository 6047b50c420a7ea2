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

use std::str::FromStr;

use futures::future::BoxFuture;

use crate::{App, Result, settings::Settings};

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
pub struct Verdict {
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
    fn judge<'a>(&'a self, app: &'a App, case: Case<'a>) -> BoxFuture<'a, Result<Verdict>>;

    /// Says how good a text is. As [`Judge::judge`].
    ///
    /// # Errors
    /// Internal, when no answer came or it is not in the form that was asked for.
    fn grade<'a>(&'a self, app: &'a App, content: &'a str) -> BoxFuture<'a, Result<Grade>>;
}

/// The setting `JUDGE`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Choice {
    /// Rules and a small model, right here.
    #[default]
    Embedded,
    /// A model of Amazon Bedrock.
    Bedrock {
        /// Its id, or that of an inference profile.
        model: String,
    },
    /// A model behind an API like OpenAI's.
    Chat {
        /// Where `/chat/completions` is; its fragment names the model.
        url: String,
    },
}

impl FromStr for Choice {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let secure = ["https://", "http://127.0.0.1:", "http://localhost:"];
        match text.split_once(':') {
            None if text == "embedded" => Ok(Self::Embedded),
            Some(("bedrock", model)) if !model.is_empty() => Ok(Self::Bedrock { model: model.to_owned() }),
            _ if secure.iter().any(|it| text.starts_with(it)) => Ok(Self::Chat { url: text.to_owned() }),
            _ => Err("must be `embedded`, `bedrock:MODEL` or an `https://…`"),
        }
    }
}

/// The judge that the settings choose.
pub fn of(settings: &Settings) -> Box<dyn Judge> {
    match &*settings.judge {
        Choice::Embedded => Box::new(Embedded),
        Choice::Bedrock { model } => Box::new(bedrock::Bedrock::new(model)),
        Choice::Chat { url } => Box::new(chat::Chat::new(url, settings.judge_api_key.clone())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_setting_names_one_of_three() {
        assert_eq!("embedded".parse(), Ok(Choice::Embedded));
        let bedrock = Choice::Bedrock { model: "anthropic.claude-v1:0".to_owned() };
        assert_eq!("bedrock:anthropic.claude-v1:0".parse(), Ok(bedrock));
        for (text, good) in [("https://a.example/v1#m", true), ("http://127.0.0.1:9/v1", true)] {
            assert_eq!(text.parse::<Choice>().is_ok(), good, "{text}");
        }
        for text in ["", "bedrock:", "bedrock", "http://a.example/v1", "ftp://a", "Embedded"] {
            assert!(text.parse::<Choice>().is_err(), "{text}");
        }
    }
}
