//! The day's quests as a user sees them, with their progress.

use base::ids::UserId;
use futures::future::try_join_all;
use platform::{App, Result, error::Error, time::Time};
use serde::Serialize;
use utoipa::ToSchema;

use super::{
    claim::{self, Claim},
    progress,
    quest::{Goal, Quest},
    todays,
    values::{Code, Description},
};

/// The day's quests with a user's progress.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Daily {
    /// The quests, at most three.
    pub quests: Vec<DailyQuest>,
}

/// One of the day's quests with a user's progress.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DailyQuest {
    /// The same as `code`.
    pub id: Code,
    /// The quest's name, with which it is claimed.
    pub code: Code,
    /// The quest in words.
    pub description: Description,
    /// What the quest counts.
    pub action: Goal,
    /// The karma that the quest earns.
    pub karma_reward: i64,
    /// The number of different targets that the quest requires.
    pub requirement: usize,
    /// The number of different targets that the user has reached today.
    pub progress: usize,
    /// Whether the requirement is met.
    pub completed: bool,
    /// The time when the user claimed the reward.
    pub claimed_at: Option<Time>,
}

/// Returns the day's quests and counts a user's progress anew.
pub async fn daily(app: &App, user: UserId) -> Result<Daily> {
    let day = app.now().day();
    let (quests, claims) = futures::try_join!(todays::quests(app), claim::of_day(app, user, &day))?;
    let counted = quests.into_iter().map(async |quest| {
        let progress = progress::count(app, user, &quest, &day).await?;
        let claim = claims.iter().find(|it| it.code == quest.code);
        Ok::<_, Error>(DailyQuest::new(quest, progress, claim))
    });
    Ok(Daily { quests: try_join_all(counted).await? })
}

impl DailyQuest {
    fn new(quest: Quest, progress: usize, claim: Option<&Claim>) -> Self {
        Self {
            id: quest.code.clone(),
            code: quest.code,
            description: quest.description,
            action: quest.action,
            karma_reward: quest.karma_reward.karma(),
            requirement: quest.requirement.times(),
            progress,
            completed: progress >= quest.requirement.times(),
            claimed_at: claim.map(|it| it.claimed_at),
        }
    }
}
