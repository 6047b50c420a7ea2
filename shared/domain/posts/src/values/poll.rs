//! Polls, as they are requested and as they are stored with their post.

use std::collections::HashSet;

use platform::{
    Time,
    decode::whole_number,
    text::{is_text, same_looking},
};
use serde::{Deserialize, Deserializer, Serialize};
use utoipa::ToSchema;

const OPTION_MAX_CHARS: usize = 80;
const OPTIONS_MIN: usize = 2;
const OPTIONS_MAX: usize = 4;
const MINUTES_MIN: i64 = 5;
const MINUTES_MAX: i64 = 7 * 24 * 60;

platform::text_types! {
    /// An option of a poll, with 1 to 80 characters.
    #[schema(as = PollOptionText, value_type = String, min_length = 1, max_length = 80, example = "Tea")]
    PollOption: poll_option;
}

fn poll_option(text: String) -> Result<String, &'static str> {
    let text = text.trim().to_owned();
    is_text(&text, OPTION_MAX_CHARS).then_some(text).ok_or("must have 1 to 80 characters")
}

impl PollOption {
    /// Returns the text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// The options of a poll. A poll has 2 to 4 different options.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(try_from = "Vec<PollOption>")]
#[schema(as = PollOptionTexts, value_type = Vec<PollOption>, min_items = 2, max_items = 4, example = json!(["Tea", "Coffee"]))]
pub struct PollOptions(Vec<PollOption>);

impl TryFrom<Vec<PollOption>> for PollOptions {
    type Error = &'static str;

    fn try_from(options: Vec<PollOption>) -> Result<Self, Self::Error> {
        let looks: HashSet<_> = options.iter().map(|option| same_looking(option.as_str())).collect();
        match () {
            () if !(OPTIONS_MIN..=OPTIONS_MAX).contains(&options.len()) => Err("must have 2 to 4 options"),
            () if looks.len() < options.len() => Err("must not contain options that look the same"),
            () => Ok(Self(options)),
        }
    }
}

impl PollOptions {
    /// Returns the options in display order.
    pub fn all(&self) -> &[PollOption] {
        &self.0
    }
}

/// The duration of a poll in minutes, between 5 minutes and 7 days.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[schema(value_type = i64, minimum = 5, maximum = 10080, example = 1440)]
pub struct PollMinutes(i64);

impl<'de> Deserialize<'de> for PollMinutes {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        whole_number(deserializer, MINUTES_MIN..=MINUTES_MAX).map(Self)
    }
}

/// A poll of a new post.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PollDraft {
    /// The options.
    pub options: PollOptions,
    /// Minutes from the publication of the post to the end of the poll.
    pub duration_minutes: PollMinutes,
    /// True to let users choose several options.
    #[serde(default)]
    pub multiple: bool,
}

/// A poll as it is stored with its post.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Question {
    /// The options.
    pub options: PollOptions,
    /// Whether users may choose several options.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub multiple: bool,
    /// The end of the poll.
    pub ends_at: Time,
}

impl PollDraft {
    /// Returns the poll that the post stores. The poll starts at `now`.
    pub(crate) fn start(self, now: Time) -> Question {
        let Self { options, duration_minutes, multiple } = self;
        Question { options, multiple, ends_at: now.plus_seconds(duration_minutes.0 * 60) }
    }
}
