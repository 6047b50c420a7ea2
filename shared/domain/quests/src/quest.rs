//! A quest, and the quests that came with the service.

use ledger::action_log::ActionType;
use platform::{
    App, Result,
    table::{Key, Query, Row, Write},
    time::Time,
};
use serde::{Deserialize, Serialize};
use strum::AsRefStr;
use utoipa::ToSchema;

use super::values::{Code, Description, Requirement, Reward};

pub(super) const PARTITION: &str = "QUESTS";

/// A goal that judged posts in circles count for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, AsRefStr, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
#[strum(serialize_all = "SCREAMING_SNAKE_CASE")]
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

/// Returns the quests by code that are in use or came with the service.
pub(super) async fn kept(app: &App) -> Result<Vec<Quest>> {
    let stored = Query::partition(PARTITION).prefix(sk("")).consistent();
    let mut quests: Vec<Quest> = app.table.query(&stored).await?;
    let untouched = seeds().into_iter().filter(|seed| !quests.iter().any(|it| it.code == seed.code));
    let untouched: Vec<_> = untouched.collect();
    quests.extend(untouched);
    quests.sort_by(|one, two| one.code.cmp(&two.code));
    Ok(quests)
}

/// Returns quests that administrators made and disabled, by code, those behind a code.
pub(super) async fn retired(app: &App, after: Option<&Code>, quests: usize) -> Result<Vec<Quest>> {
    let low = after.map_or_else(|| retired_sk(""), |it| retired_sk(it.as_str()) + "\0");
    let query = Query::partition(PARTITION).between(low, retired_sk("~")).limit(quests);
    app.table.query(&query).await
}

/// Returns the disabled quest with this code.
pub(super) async fn find_retired(app: &App, code: &Code) -> Result<Option<Quest>> {
    app.table.get(&Key::new(PARTITION, retired_sk(code.as_str()))).await
}

/// Returns the check that no disabled quest has this code.
pub(super) fn check_not_retired(code: &Code) -> Write {
    Write::check(Key::new(PARTITION, retired_sk(code.as_str()))).not_exists().into()
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

fn retired_sk(code: &str) -> String {
    format!("DISABLED#{code}")
}

/// `QUESTS / QUEST#code`; once an administrator's is disabled, `QUESTS / DISABLED#code`, so that those in use are read
/// without all that ever were
impl Row for Quest {
    fn key(&self) -> Key {
        let code = self.code.as_str();
        Key::new(PARTITION, if self.disabled && !self.seeded { retired_sk(code) } else { sk(code) })
    }
}
