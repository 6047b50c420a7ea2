//! Values of a quest. Parsing them checks their limits.

use std::{str::FromStr, sync::LazyLock};

use platform::{decode::whole_number, text::is_text};
use regex::Regex;
use serde::{Deserialize, Deserializer, Serialize};
use utoipa::ToSchema;

const DESCRIPTION_MAX_CHARS: usize = 200;
const REQUIREMENT_MAX: i64 = 1000;
const REWARD_MAX: i64 = 3;

static CODE: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new("^[A-Z0-9_]{3,50}$").ok());

/// The unique name of a quest.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, ToSchema)]
#[serde(try_from = "String")]
#[schema(as = QuestCode, value_type = String, pattern = "^[A-Z0-9_]{3,50}$", example = "LIKE_CREATED_5")]
pub struct Code(pub(super) String);

impl TryFrom<String> for Code {
    type Error = &'static str;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        let fits = CODE.as_ref().is_some_and(|code| code.is_match(&text));
        fits.then_some(Self(text)).ok_or("must have 3 to 50 capital letters, digits or underscores")
    }
}

impl FromStr for Code {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Self::try_from(text.to_owned())
    }
}

impl Code {
    /// Returns the code as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Returns the default code of a quest.
    pub(super) fn default_of(action: &str, Requirement(times): Requirement) -> Self {
        Self(format!("{action}_{times}"))
    }
}

/// A description of a quest for users.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(try_from = "String")]
#[schema(as = QuestDescription, value_type = String, min_length = 1, max_length = 200, example = "Like five posts")]
pub struct Description(pub(super) String);

impl TryFrom<String> for Description {
    type Error = &'static str;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        let text = text.trim();
        is_text(text, DESCRIPTION_MAX_CHARS)
            .then(|| Self(text.to_owned()))
            .ok_or("must have 1 to 200 characters")
    }
}

impl Description {
    /// Returns the default description of a quest.
    pub(super) fn default_of(label: &str, Requirement(times): Requirement, unit: &str) -> Self {
        Self(format!("{label}: {times} {unit}"))
    }
}

/// The number of different targets, such as posts, that a user must reach to complete a quest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = QuestRequirement, value_type = u32, minimum = 1, maximum = 1000, example = 5)]
pub struct Requirement(pub(super) i64);

impl<'de> Deserialize<'de> for Requirement {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        whole_number(deserializer, 1..=REQUIREMENT_MAX).map(Self)
    }
}

impl Requirement {
    /// Returns the required number of targets.
    pub fn times(self) -> usize {
        self.0 as usize
    }
}

/// The karma for completing a quest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = QuestReward, value_type = u8, minimum = 1, maximum = 3, default = 1)]
pub struct Reward(i64);

impl<'de> Deserialize<'de> for Reward {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        whole_number(deserializer, 1..=REWARD_MAX).map(Self)
    }
}

impl Default for Reward {
    fn default() -> Self {
        Self(1)
    }
}

impl Reward {
    /// Returns the karma as a number.
    pub fn karma(self) -> i64 {
        self.0
    }
}
