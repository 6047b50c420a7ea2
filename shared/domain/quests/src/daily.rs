//! The day's quests with a user's progress.

use base::UserId;
use futures::future::try_join_all;
use platform::{App, Error, Result, Time};
use serde::Serialize;
use utoipa::ToSchema;

use super::{
    Code, Description, Goal, Quest,
    claim::{self, Claim},
    progress, today,
};

/// The day's quests with a user's progress.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = DailyQuests)]
pub struct Daily {
    /// The quests, at most 3.
    pub quests: Vec<DailyQuest>,
}

/// One of the day's quests with a user's progress.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DailyQuest {
    /// The same as `code`.
    pub id: Code,
    /// The quest's name, which a claim of the reward uses.
    pub code: Code,
    /// A description for users.
    pub description: Description,
    /// The actions or posts that count for the quest.
    pub action: Goal,
    /// The karma for completing the quest.
    pub karma_reward: i64,
    /// The number of different targets, such as posts, that the user must reach.
    pub requirement: usize,
    /// The number of different targets that the user has reached today.
    pub progress: usize,
    /// Whether the requirement is met.
    pub completed: bool,
    /// RFC 3339 time at which the user claimed the reward. Null if the reward was not claimed.
    pub claimed_at: Option<Time>,
}

/// Returns the day's quests with a user's current progress.
pub async fn daily(app: &App, user: UserId) -> Result<Daily> {
    let day = app.now().day();
    let (quests, claims) = futures::try_join!(today::quests(app), claim::of_day(app, user, &day))?;
    let quests = quests.into_iter().map(async |quest| {
        let progress = progress::count(app, user, &quest, &day).await?;
        let claim = claims.iter().find(|claim| claim.code == quest.code);
        Ok::<_, Error>(DailyQuest::new(quest, progress, claim))
    });
    Ok(Daily { quests: try_join_all(quests).await? })
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
            claimed_at: claim.map(|claim| claim.claimed_at),
        }
    }
}
