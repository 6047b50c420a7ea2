//! Stored quests, and the seeded quests, which are built into the service.

use std::borrow::Cow;

use ledger::action_log::ActionType;
use platform::{App, Error, Key, Query, Result, Row, Time, Write};
use serde::{Deserialize, Serialize};
use strum::{AsRefStr, VariantNames};
use utoipa::{
    PartialSchema, ToSchema,
    openapi::{ObjectBuilder, RefOr, Schema, schema::Type},
};

use super::values::{Code, Description, Requirement, Reward};

pub(super) const PARTITION: &str = "QUESTS";

/// A goal that counts posts or comments in circles by the judge's score.
#[derive(Clone, Copy, Debug, PartialEq, Eq, AsRefStr, VariantNames, Serialize, Deserialize)]
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
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged, expecting = "must be one of the 13 actions, or DEEP_COMMENT, QUALITY_POST or HELP_OTHERS")]
pub enum Goal {
    /// Actions in the action log.
    Action(ActionType),
    /// Judged posts.
    Judged(JudgedGoal),
}

/// Actions that are possible only in circles.
const CIRCLE_ACTIONS: [ActionType; 4] =
    [ActionType::InviteSent, ActionType::InviteAccepted, ActionType::JoinCircle, ActionType::LeaveCircle];

impl Goal {
    /// Returns the name in codes.
    pub(super) fn name(&self) -> &str {
        match self {
            Self::Action(action) => action.as_ref(),
            Self::Judged(goal) => goal.as_ref(),
        }
    }

    /// Returns the label and the unit in descriptions.
    pub(super) fn label(self) -> (&'static str, &'static str) {
        match self {
            Self::Action(action) => {
                let label = ActionType::ALL.iter().find(|(kind, ..)| *kind == action);
                label.map_or(("", ""), |(_, label, unit)| (label, unit))
            }
            Self::Judged(JudgedGoal::DeepComment) => ("Thoughtful comments in your circles", "comments"),
            Self::Judged(JudgedGoal::QualityPost) => ("Start the day with a good post in a circle", "post"),
            Self::Judged(JudgedGoal::HelpOthers) => ("Helpful comments in threads of other users", "threads"),
        }
    }

    /// Returns whether users can reach the goal. Goals in circles can be reached only while proposed features are on.
    pub(super) fn is_reachable(self, app: &App) -> bool {
        let in_circle = match self {
            Self::Action(action) => CIRCLE_ACTIONS.contains(&action),
            Self::Judged(_) => true,
        };
        app.has_proposed_features() || !in_circle
    }

    /// Checks that a requirement can be reached in a day.
    ///
    /// # Errors
    /// Fails with [`Error::Invalid`] if a user cannot reach that many targets in a day.
    pub(super) fn check(self, requirement: Requirement) -> Result<()> {
        match self {
            Self::Judged(JudgedGoal::QualityPost) if requirement.times() > 1 => {
                Err(Error::invalid("requirement", "must be 1, because only the first post of a day counts"))
            }
            _ => Ok(()),
        }
    }
}

/// Describes all goals as one enumeration, because generators of clients cannot read a union of two enumerations.
impl PartialSchema for Goal {
    fn schema() -> RefOr<Schema> {
        let actions = ActionType::ALL.iter().map(|(action, ..)| action.as_ref());
        let goals = actions.chain(JudgedGoal::VARIANTS.iter().copied());
        ObjectBuilder::new()
            .schema_type(Type::String)
            .description(Some("The actions or posts that count for a quest."))
            .enum_values(Some(goals))
            .into()
    }
}

impl ToSchema for Goal {
    fn name() -> Cow<'static, str> {
        "QuestGoal".into()
    }
}

/// A quest.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
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
    /// Whether the quest's code belongs to a quest that is built into the service.
    pub seeded: bool,
    /// RFC 3339 time at which the quest was defined.
    pub created_at: Time,
}

/// Returns the enabled quests and all seeded quests, sorted by code.
pub(super) async fn current(app: &App) -> Result<Vec<Quest>> {
    let stored = Query::partition(PARTITION).prefix(sk("")).consistent();
    let mut quests: Vec<Quest> = app.table.query(&stored).await?;
    for seed in seeds(app) {
        if !quests.iter().any(|quest| quest.code == seed.code) {
            quests.push(seed);
        }
    }
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

/// Returns the write that deletes an administrator's disabled quest with this code, if there is one.
pub(super) fn delete_retired_write(code: &Code) -> Write {
    Write::delete(Key::new(PARTITION, retired_sk(code.as_str()))).into()
}

/// Returns the built-in quests. While proposed features are off, the built-in quests are not about circles.
fn seeds(app: &App) -> [Quest; 3] {
    let seed = |code: &str, action, requirement, description: &str| Quest {
        code: Code(code.to_owned()),
        action,
        requirement: Requirement(requirement),
        description: Description(description.to_owned()),
        karma_reward: Reward::default(),
        disabled: false,
        seeded: true,
        created_at: Time::from_seconds(0),
    };
    if !app.has_proposed_features() {
        return [
            seed("WRITE_POST", Goal::Action(ActionType::PostCreated), 1, "Write a post"),
            seed("LIKE_POSTS", Goal::Action(ActionType::LikeCreated), 3, "Like three posts"),
            seed("FOLLOW_USER", Goal::Action(ActionType::FollowFollowingCreated), 1, "Follow a user"),
        ];
    }
    let [comment, post, help] = [
        "Write a thoughtful comment in one of your circles",
        "Start the day with a good post in a circle",
        "Write helpful comments in three threads of other users",
    ];
    [
        seed("DEEP_COMMENT", Goal::Judged(JudgedGoal::DeepComment), 1, comment),
        seed("QUALITY_POST", Goal::Judged(JudgedGoal::QualityPost), 1, post),
        seed("HELP_OTHERS", Goal::Judged(JudgedGoal::HelpOthers), 3, help),
    ]
}

fn sk(code: &str) -> String {
    format!("QUEST#{code}")
}

fn retired_sk(code: &str) -> String {
    format!("DISABLED#{code}")
}

/// `QUESTS / QUEST#code`, or `QUESTS / DISABLED#code` for an administrator's disabled quest. So a query for enabled
/// quests does not read disabled quests.
impl Row for Quest {
    fn key(&self) -> Key {
        let code = self.code.as_str();
        Key::new(PARTITION, if self.disabled && !self.seeded { retired_sk(code) } else { sk(code) })
    }
}
