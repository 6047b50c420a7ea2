//! Which quests there are.

use std::{str::FromStr, sync::LazyLock};

use platform::{
    App, Result,
    error::Error,
    idempotency::Once,
    page::{Cursor, Page},
    table::{Key, Query, Row, Write},
    time::Time,
};
use regex::Regex;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::daily;
use crate::{
    ids::UserId,
    ledger::{
        action_log::ActionType,
        audit::{self, Deed},
    },
};

/// Quests that there can be: all of them are read at once.
const QUESTS_MAX: usize = 100;
const REQUIREMENT_MAX: u32 = 1000;
const DESCRIPTION_MAX_CHARS: usize = 200;
const REWARD_MAX: u8 = 3;

static CODE: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new("^[A-Z0-9_]{3,50}$").ok());

/// Names a quest.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, ToSchema)]
#[serde(try_from = "String")]
#[schema(as = QuestCode, value_type = String, pattern = "^[A-Z0-9_]{3,50}$", example = "LIKE_CREATED_5")]
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
    /// The code.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// A quest in words.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(try_from = "String")]
#[schema(as = QuestDescription, value_type = String, min_length = 1, max_length = 200, example = "Like five posts")]
pub struct Description(String);

impl TryFrom<String> for Description {
    type Error = &'static str;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        let text = text.trim();
        let fits = (1..=DESCRIPTION_MAX_CHARS).contains(&text.chars().count());
        fits.then(|| Self(text.to_owned())).ok_or("must have 1 to 200 characters")
    }
}

/// How often something is to be done.
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
    /// The number of times.
    pub fn times(self) -> usize {
        self.0 as usize
    }
}

/// What a quest earns.
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
    /// The karma.
    pub fn karma(self) -> i64 {
        self.0.into()
    }
}

/// What judged posts in circles count for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum JudgedGoal {
    /// A comment judged 6 or more in one of one's circles.
    DeepComment,
    /// The first post of the day, judged 7 or more.
    QualityPost,
    /// Replies in different threads of others, each judged 5 or more.
    HelpOthers,
}

/// What a quest counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(untagged)]
pub enum Goal {
    /// Something of the action log.
    Action(ActionType),
    /// Something of judged posts.
    Judged(JudgedGoal),
}

/// A quest to be defined.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct QuestDraft {
    /// Its name; made of action and requirement unless it is said.
    pub code: Option<Code>,
    /// What it counts.
    pub action: ActionType,
    /// How often.
    pub requirement: Requirement,
    /// The quest in words; made of the action's label unless it is said.
    pub description: Option<Description>,
    /// What it earns.
    #[serde(default)]
    #[schema(required = false)]
    pub karma_reward: Reward,
}

/// A quest.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Quest {
    /// Its name.
    pub code: Code,
    /// What it counts.
    pub action: Goal,
    /// How often.
    pub requirement: Requirement,
    /// The quest in words.
    pub description: Description,
    /// What it earns.
    pub karma_reward: Reward,
    /// Whether it is out of use.
    pub disabled: bool,
    /// Whether it came with the service.
    pub seeded: bool,
    /// When it was defined.
    pub created_at: Time,
}

/// Defines a quest. It joins the day's set while administrators' quests are fewer than three. 5
/// calls, 2 RRU, 7 WRU.
///
/// # Errors
/// [`Error::Invalid`] when the code is taken, or there are 100 quests.
pub async fn create(app: &App, admin: UserId, draft: QuestDraft, once: &Once) -> Result<Quest> {
    let quest = once.run(app, admin, definition(app, admin, draft)).await?;
    daily::choose_today(app).await?;
    Ok(quest)
}

async fn definition(app: &App, admin: UserId, draft: QuestDraft) -> Result<(Vec<Write>, Quest)> {
    let quest = drawn_up(app, draft)?;
    let all = all(app).await?;
    if all.len() >= QUESTS_MAX {
        return Err(Error::invalid("body", "there are 100 quests already"));
    }
    let taken = Error::invalid("code", "is already taken");
    if all.iter().any(|it| it.code == quest.code) {
        return Err(taken);
    }
    let record = audit::record(app, admin, Deed::CreateQuest, quest.code.as_str(), None);
    Ok((vec![Write::create(&quest).or(taken), record], quest))
}

fn drawn_up(app: &App, draft: QuestDraft) -> Result<Quest> {
    let QuestDraft { code, action, requirement, description, karma_reward } = draft;
    let name = serde_json::to_value(action)?;
    let name = name.as_str().unwrap_or_default();
    let (_, label, unit) =
        ActionType::ALL.iter().find(|(it, ..)| *it == action).copied().unwrap_or((action, name, ""));
    let fallback = || Code(format!("{name}_{}", requirement.0));
    let in_words = || Description(format!("{label}: {} {unit}", requirement.0));
    Ok(Quest {
        code: code.unwrap_or_else(fallback),
        action: Goal::Action(action),
        requirement,
        description: description.unwrap_or_else(in_words),
        karma_reward,
        disabled: false,
        seeded: false,
        created_at: app.now(),
    })
}

/// Takes a quest out of use, today too; again changes nothing. 3 calls, 1 RRU, 5 WRU.
///
/// # Errors
/// [`Error::NotFound`].
pub async fn disable(app: &App, admin: UserId, code: Code) -> Result<Quest> {
    let found = all(app).await?.into_iter().find(|it| it.code == code).ok_or(Error::NotFound("quest"))?;
    let quest = Quest { disabled: true, ..found };
    let record = audit::record(app, admin, Deed::DisableQuest, quest.code.as_str(), None);
    app.table.transact(vec![Write::put(&quest), record]).await?;
    Ok(quest)
}

/// All quests, in the order of their codes. 1 call, 1 RRU for each 4 KB.
///
/// # Errors
/// Internal only.
pub async fn list(app: &App, cursor: Cursor<Code>) -> Result<Page<Quest>> {
    let mut quests = all(app).await?;
    quests.retain(|it| cursor.after.as_ref().is_none_or(|after| it.code > *after));
    Ok(Page::cut(quests, cursor.take, |it| it.code.0.clone()))
}

/// Those that are kept, and those that came with the service and were never touched, by code.
pub(super) async fn all(app: &App) -> Result<Vec<Quest>> {
    let kept = Query::partition(PARTITION).prefix("QUEST#").consistent();
    let mut quests: Vec<Quest> = app.table.query(&kept).await?;
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

pub(super) const PARTITION: &str = "QUESTS";

/// `QUESTS / QUEST#code`
impl Row for Quest {
    fn key(&self) -> Key {
        Key::new(PARTITION, format!("QUEST#{}", self.code.0))
    }
}
