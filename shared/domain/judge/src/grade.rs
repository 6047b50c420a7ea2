//! Grades of texts.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

const SCORE_MAX: f64 = 10.0;
const REMARK_MAX_CHARS: usize = 300;

/// The score of a text, 0 to 10.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd, Serialize, Deserialize, ToSchema)]
#[serde(try_from = "f64")]
#[schema(as = JudgeScore, value_type = f64, minimum = 0, maximum = 10, example = 7.5)]
pub struct Score(f64);

impl TryFrom<f64> for Score {
    type Error = &'static str;

    fn try_from(value: f64) -> Result<Self, Self::Error> {
        (0.0..=SCORE_MAX).contains(&value).then_some(Self(value)).ok_or("must be a number from 0 to 10")
    }
}

impl Score {
    /// The lowest score.
    pub const ZERO: Self = Self(0.0);

    /// Returns the nearest score, or 0 for NaN.
    pub fn clamped(value: f64) -> Self {
        Self(if value.is_nan() { 0.0 } else { value.clamp(0.0, SCORE_MAX) })
    }

    /// Returns the score as a number.
    pub fn value(self) -> f64 {
        self.0
    }

    /// Returns the score without its decimals. Circles and quests use this value.
    pub fn whole(self) -> u8 {
        self.0.floor() as u8
    }
}

/// The category of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[schema(as = JudgeCategory)]
#[serde(rename_all = "snake_case")]
pub enum Category {
    /// A text that is worth reading again.
    Masterpiece,
    /// A text with the author's own thoughts.
    DeepTalk,
    /// A text that adds to the conversation.
    Solid,
    /// A text that is neither good nor bad.
    Neutral,
    /// A text without meaningful content.
    Noise,
    /// A text that harms others.
    Toxic,
}

impl Category {
    /// Returns the usual category for a score.
    pub fn of(score: Score) -> Self {
        match score.whole() {
            9.. => Self::Masterpiece,
            7 | 8 => Self::DeepTalk,
            5 | 6 => Self::Solid,
            3 | 4 => Self::Neutral,
            1 | 2 => Self::Noise,
            0 => Self::Toxic,
        }
    }
}

/// A problem with a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[schema(as = JudgeFlag)]
#[serde(rename_all = "snake_case")]
pub enum Flag {
    /// Unwanted advertising.
    Spam,
    /// Copied text, or text that repeats itself.
    Copypaste,
    /// Text that is off topic.
    OffTopic,
    /// Hate against a group of people.
    Hate,
}

platform::text_types! {
    /// The judge's reason in one sentence, at most 300 characters.
    #[schema(as = JudgeRemark, value_type = String, max_length = 300, example = "The text asks a new question.")]
    Remark: remark;
}

fn remark(text: String) -> Result<String, &'static str> {
    Ok(text.trim().chars().filter(|char| !char.is_control()).take(REMARK_MAX_CHARS).collect())
}

/// A judge's assessment of a text.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Grade {
    /// The score.
    pub score: Score,
    /// The category of the text.
    pub category: Category,
    /// The judge's reason.
    pub reason: Remark,
    /// The problems with the text.
    pub flags: Vec<Flag>,
}

impl Grade {
    /// Returns a grade whose reason was written by this service, not by a language model.
    pub fn new(score: Score, category: Category, reason: &str, flags: Vec<Flag>) -> Self {
        Self { score, category, reason: Remark(reason.to_owned()), flags }
    }
}
