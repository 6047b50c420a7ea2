//! How good a text is, and what for.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

const SCORE_MAX: f64 = 10.0;
const REMARK_MAX_CHARS: usize = 300;

/// A text's score: 0 to 10.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd, Serialize, Deserialize, ToSchema)]
#[serde(try_from = "f64")]
#[schema(value_type = f64, minimum = 0, maximum = 10, example = 7.5)]
pub struct Score(f64);

impl TryFrom<f64> for Score {
    type Error = &'static str;

    fn try_from(value: f64) -> Result<Self, Self::Error> {
        (0.0..=SCORE_MAX).contains(&value).then_some(Self(value)).ok_or("must be 0 to 10")
    }
}

impl Score {
    /// The lowest.
    pub const NOTHING: Self = Self(0.0);

    /// The nearest that is one; what is no number is nothing.
    pub fn clamped(value: f64) -> Self {
        Self(if value.is_nan() { 0.0 } else { value.clamp(0.0, SCORE_MAX) })
    }

    /// As a number.
    pub fn value(self) -> f64 {
        self.0
    }

    /// Without its decimals: what the game counts.
    pub fn whole(self) -> u8 {
        self.0.floor() as u8
    }
}

/// What kind of text it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Category {
    /// One that people will come back to.
    Masterpiece,
    /// Thought of one's own.
    DeepTalk,
    /// A good part of a conversation.
    Solid,
    /// Neither good nor bad.
    Neutral,
    /// Nothing in it.
    Noise,
    /// Harm.
    Toxic,
}

impl Category {
    /// What a score mostly is.
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

/// What else is to be said of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Flag {
    /// Unasked advertising.
    Spam,
    /// Said elsewhere, or over and over.
    Copypaste,
    /// About something else.
    OffTopic,
    /// Against people for what they are.
    Hate,
}

platform::text_types! {
    /// Why, in a sentence; 300 characters at most.
    #[schema(value_type = String, max_length = 300, example = "It asks what nobody had asked.")]
    Remark: remark;
}

fn remark(text: String) -> Result<String, &'static str> {
    Ok(text.trim().chars().filter(|it| !it.is_control()).take(REMARK_MAX_CHARS).collect())
}

/// What the judge found.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Grade {
    /// How good it is.
    pub score: Score,
    /// What kind of text it is.
    pub category: Category,
    /// Why.
    pub reason: Remark,
    /// What else is to be said; often nothing.
    pub flags: Vec<Flag>,
}

impl Grade {
    /// A grade of our own.
    pub(crate) fn new(score: Score, category: Category, reason: &str, flags: Vec<Flag>) -> Self {
        Self { score, category, reason: Remark(reason.to_owned()), flags }
    }
}
