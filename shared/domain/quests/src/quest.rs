//! Stored quests, and the seeded quests, which are built into the service.

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

/// A goal that counts judged posts in circles.
#[derive(Clone, Copy, Debug, PartialEq, Eq, AsRefStr, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
#[strum(serialize_all = "SCREAMING_SNAKE_CASE")]
pub enum JudgedGoal {
    /// Comments with a score of at least 6.
    DeepComment,
    /// The user's first post of the day, with a score of at least 7.
    QualityPost,
    /// Comments with a score of at least 5, in different threads of other users.
    HelpOthers,
}

/// The actions or posts that count for a quest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(untagged)]
pub enum Goal {
    /// Actions in the action log.
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
    /// The actions or posts that count for the quest.
    pub action: Goal,
    /// The number of different targets, such as posts, that a user must reach.
    pub requirement: Requirement,
    /// A description for users.
    pub description: Description,
    /// The karma for completing the quest.
    pub karma_reward: Reward,
    /// Whether the quest is disabled.
    pub disabled: bool,
    /// Whether the quest is built into the service.
    pub seeded: bool,
    /// RFC 3339 time at which the quest was defined.
    pub created_at: Time,
}

/// Returns the quests in use and the seeded quests, sorted by code.
pub(super) async fn current(app: &App) -> Result<Vec<Quest>> {
    let stored = Query::partition(PARTITION).prefix(sk("")).consistent();
    let mut quests: Vec<Quest> = app.table.query(&stored).await?;
    let seeds = seeds().into_iter().filter(|seed| !quests.iter().any(|quest| quest.code == seed.code));
    let unchanged_seeds: Vec<_> = seeds.collect();
    quests.extend(unchanged_seeds);
    quests.sort_by(|one, two| one.code.cmp(&two.code));
    Ok(quests)
}

/// Returns up to `rows` disabled quests of administrators, sorted by code. The result starts after the code `after`.
pub(super) async fn retired(app: &App, after: Option<&Code>, rows: usize) -> Result<Vec<Quest>> {
    let low = after.map_or_else(|| retired_sk(""), |code| retired_sk(code.as_str()) + "\0");
    let query = Query::partition(PARTITION).between(low, retired_sk("~")).limit(rows);
    app.table.query(&query).await
}

/// Returns an administrator's disabled quest.
pub(super) async fn find_retired(app: &App, code: &Code) -> Result<Option<Quest>> {
    app.table.get(&Key::new(PARTITION, retired_sk(code.as_str()))).await
}

/// Returns the write that fails the transaction if a disabled quest of an administrator has this code.
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
        seed("DEEP_COMMENT", JudgedGoal::DeepComment, 1, "Write a thoughtful comment in one of your circles"),
        seed("QUALITY_POST", JudgedGoal::QualityPost, 1, "Start the day with a good post in a circle"),
        seed(
            "HELP_OTHERS",
            JudgedGoal::HelpOthers,
            3,
            "Write helpful comments in three threads of other users",
        ),
    ]
}

fn sk(code: &str) -> String {
    format!("QUEST#{code}")
}

fn retired_sk(code: &str) -> String {
    format!("DISABLED#{code}")
}

/// `QUESTS / QUEST#code`, or `QUESTS / DISABLED#code` for a disabled quest of an administrator. So a query for the
/// quests in use does not read disabled quests.
impl Row for Quest {
    fn key(&self) -> Key {
        let code = self.code.as_str();
        Key::new(PARTITION, if self.disabled && !self.seeded { retired_sk(code) } else { sk(code) })
    }
}
