//! A quest, its parts, and the quests that came with the service.

use std::{str::FromStr, sync::LazyLock};

use platform::{
    App, Result,
    table::{Key, Query, Row},
    time::Time,
};
use regex::Regex;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::ledger::action_log::ActionType;

pub(super) const PARTITION: &str = "QUESTS";
const REQUIREMENT_MAX: u32 = 1000;
const DESCRIPTION_MAX_CHARS: usize = 200;
const REWARD_MAX: u8 = 3;

static CODE: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new("^[A-Z0-9_]{3,50}$").ok());

/// The name of a quest.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, ToSchema)]
#[serde(try_from = "String")]
#[schema(value_type = String, pattern = "^[A-Z0-9_]{3,50}$", example = "LIKE_CREATED_5")]
pub struct Code(String);

impl TryFrom<String> for Code {
    type Error = &'static str;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        let fits = CODE.as_ref().is_some_and(|it| it.is_match(&text));
        fits.then_some(Self(text)).ok_or("must have 3 to 50 capitals, digits or underscores")
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

    /// Returns the code of a quest whose administrator gave none.
    pub(super) fn default_of(action: &str, Requirement(times): Requirement) -> Self {
        Self(format!("{action}_{times}"))
    }
}

/// A quest in words.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(try_from = "String")]
#[schema(value_type = String, min_length = 1, max_length = 200, example = "Like five posts")]
pub struct Description(String);

impl TryFrom<String> for Description {
    type Error = &'static str;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        let text = text.trim();
        let fits = (1..=DESCRIPTION_MAX_CHARS).contains(&text.chars().count());
        fits.then(|| Self(text.to_owned())).ok_or("must have 1 to 200 characters")
    }
}

impl Description {
    /// Returns the description of a quest whose administrator gave none.
    pub(super) fn default_of(label: &str, Requirement(times): Requirement, unit: &str) -> Self {
        Self(format!("{label}: {times} {unit}"))
    }
}

/// The number of different targets that a quest requires.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(try_from = "u32")]
#[schema(value_type = u32, minimum = 1, maximum = 1000, example = 5)]
pub struct Requirement(u32);

impl TryFrom<u32> for Requirement {
    type Error = &'static str;

    fn try_from(times: u32) -> Result<Self, Self::Error> {
        let fits = (1..=REQUIREMENT_MAX).contains(&times);
        fits.then_some(Self(times)).ok_or("must be 1 to 1000")
    }
}

impl Requirement {
    /// Returns the number.
    pub fn times(self) -> usize {
        self.0 as usize
    }
}

/// The karma that a quest earns.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(try_from = "u8")]
#[schema(value_type = u8, minimum = 1, maximum = 3, default = 1)]
pub struct Reward(u8);

impl TryFrom<u8> for Reward {
    type Error = &'static str;

    fn try_from(karma: u8) -> Result<Self, Self::Error> {
        (1..=REWARD_MAX).contains(&karma).then_some(Self(karma)).ok_or("must be 1 to 3")
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
        self.0.into()
    }
}

/// A goal that judged posts in circles count for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum JudgedGoal {
    /// Comments with a score of 6 or more in one's circles.
    DeepComment,
    /// The first post of the day, with a score of 7 or more.
    QualityPost,
    /// Replies with a score of 5 or more in different threads of others.
    HelpOthers,
}

/// What a quest counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(untagged)]
pub enum Goal {
    /// Actions of the action log.
    Action(ActionType),
    /// Judged posts.
    Judged(JudgedGoal),
}

/// A quest.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Quest {
    /// The quest's name.
    pub code: Code,
    /// What the quest counts.
    pub action: Goal,
    /// The number of different targets that the quest requires.
    pub requirement: Requirement,
    /// The quest in words.
    pub description: Description,
    /// The karma that the quest earns.
    pub karma_reward: Reward,
    /// Whether the quest is out of use.
    pub disabled: bool,
    /// Whether the quest came with the service.
    pub seeded: bool,
    /// The time when the quest was defined.
    pub created_at: Time,
}

/// Returns all quests by code: those of the table, and the seeds that were never changed.
pub(super) async fn all(app: &App) -> Result<Vec<Quest>> {
    let stored = Query::partition(PARTITION).prefix(sk("")).consistent();
    let mut quests: Vec<Quest> = app.table.query(&stored).await?;
    let untouched = seeds().into_iter().filter(|seed| !quests.iter().any(|it| it.code == seed.code));
    let untouched: Vec<_> = untouched.collect();
    quests.extend(untouched);
    quests.sort_by(|one, two| one.code.cmp(&two.code));
    Ok(quests)
}

fn seeds() -> [Quest; 3] {
    let seed = |code: &str, goal, requirement, description: &str| Quest {
        code: Code(code.to_owned()),
        action: Goal::Judged(goal),
        requirement: Requirement(requirement),
        description: Description(description.to_owned()),
        karma_reward: Reward::default(),
        disabled: false,
        seeded: true,
        created_at: Time::from_seconds(0),
    };
    [
        seed("DEEP_COMMENT", JudgedGoal::DeepComment, 1, "Write a comment with depth in one of your circles"),
        seed("QUALITY_POST", JudgedGoal::QualityPost, 1, "Begin the day with a post of quality in a circle"),
        seed("HELP_OTHERS", JudgedGoal::HelpOthers, 3, "Help others in three of their threads"),
    ]
}

fn sk(code: &str) -> String {
    format!("QUEST#{code}")
}

/// `QUESTS / QUEST#code`
impl Row for Quest {
    fn key(&self) -> Key {
        Key::new(PARTITION, sk(self.code.as_str()))
    }
}
