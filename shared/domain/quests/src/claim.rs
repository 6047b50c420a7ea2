//! Claims the reward for a quest. Each reward can be claimed once.

use base::UserId;
use platform::{App, Error, Key, Once, Query, Result, Row, Time, Write};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{Code, Karma, karma, progress, today};

const CLAIMED: Error = Error::Conflict("this quest is already claimed");

/// A quest whose reward a user has claimed.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Claim {
    pub(super) user: UserId,
    pub(super) day: String,
    pub(super) code: Code,
    pub(super) claimed_at: Time,
}

/// The result of a claim.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[schema(as = QuestClaim)]
#[serde(rename_all = "camelCase")]
pub struct Claimed {
    /// The earned karma. Less than the quest's reward if the full reward would exceed the daily limit of 3.
    #[schema(example = 1)]
    pub karma_earned: i64,
    /// The user's karma after the claim.
    #[schema(example = 12)]
    pub new_total: i64,
    /// Whether the daily limit reduced the reward. The user then earns only the karma that is left for the day.
    pub cap_reached: bool,
}

/// Claims the reward for one of the day's quests.
///
/// # Errors
/// - [`Error::NotFound`] if the quest is not one of the day's quests.
/// - [`Error::Invalid`] if the quest is not complete.
/// - [`Error::Conflict`] if the user already claimed the reward.
pub async fn claim(app: &App, user: UserId, code: Code, once: &Once) -> Result<Claimed> {
    once.run(app, user, async || {
        let (claim, reward) = complete(app, user, code.clone()).await?;
        let before = Karma::of(app, user).await?;
        let earned = before.left_on(&claim.day).min(reward);
        let claimed = Write::create(&claim).or(CLAIMED);
        let writes = [claimed].into_iter().chain(karma::earn_writes(app, &before, earned, &claim.day));
        let new_total = before.balance + earned;
        Ok((writes.collect(), Claimed { karma_earned: earned, new_total, cap_reached: earned < reward }))
    })
    .await
}

/// Returns the claim of a complete quest, and the quest's reward.
async fn complete(app: &App, user: UserId, code: Code) -> Result<(Claim, i64)> {
    let now = app.now();
    let quests = today::quests(app).await?;
    let quest = quests.into_iter().find(|quest| quest.code == code).ok_or(Error::NotFound("quest"))?;
    let claim = Claim { user, day: now.day(), code, claimed_at: now };
    let key = claim.key();
    let (done, earlier) =
        futures::try_join!(progress::count(app, user, &quest, &claim.day), app.table.get::<Claim>(&key))?;
    if earlier.is_some() {
        return Err(CLAIMED);
    }
    if done < quest.requirement.times() {
        return Err(Error::Invalid("this quest is not complete yet".into()));
    }
    Ok((claim, quest.karma_reward.karma()))
}

/// Returns a user's claims on a day.
pub(super) async fn of_day(app: &App, user: UserId, day: &str) -> Result<Vec<Claim>> {
    let query = Query::partition(user.partition()).prefix(prefix(day));
    app.table.query(&query.consistent()).await
}

fn prefix(day: &str) -> String {
    format!("CLAIM#{day}#")
}

/// `USER#u / CLAIM#date#code`
impl Row for Claim {
    fn key(&self) -> Key {
        let sk = format!("{}{}", prefix(&self.day), self.code.as_str());
        Key::new(self.user.partition(), sk)
    }
}
