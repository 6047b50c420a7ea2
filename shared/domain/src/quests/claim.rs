//! Rewards, each claimed once.

use platform::retry_stale;
use platform::{
    App, Result,
    error::Error,
    table::{Key, Query, Row, Write},
    time::Time,
};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{
    daily,
    definition::Code,
    karma::{self, Karma, KarmaReason},
    progress,
};
use crate::ids::UserId;

const CLAIMED: Error = Error::Conflict("this quest is claimed already");

/// A quest that somebody was rewarded for.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Claim {
    pub(super) user: UserId,
    pub(super) day: String,
    pub(super) code: Code,
    pub(super) claimed_at: Time,
}

/// What a claim brought.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Claimed {
    /// Karma that it earned: the quest's, as far as the day's three allow.
    #[schema(example = 1)]
    pub karma_earned: i64,
    /// All karma that the person has now.
    #[schema(example = 12)]
    pub new_total: i64,
}

/// Claims the reward of one of the day's quests. 6 calls: 5 RRU, 7 WRU.
///
/// # Errors
/// [`Error::NotFound`] for a quest that is not of the day, [`Error::Invalid`] while it is not
/// complete, [`Error::Conflict`] when it is claimed.
pub async fn claim(app: &App, user: UserId, code: Code) -> Result<Claimed> {
    let now = app.now();
    let day = now.day();
    let quests = daily::of_today(app).await?;
    let quest = quests.into_iter().find(|it| it.code == code).ok_or(Error::NotFound("quest"))?;
    let claim = Claim { user, day, code, claimed_at: now };
    let key = claim.key();
    let (done, earlier) =
        futures::try_join!(progress::count(app, user, &quest, &claim.day), app.table.get::<Claim>(&key))?;
    if earlier.is_some() {
        return Err(CLAIMED);
    }
    if done < quest.requirement.times() {
        return Err(Error::Invalid("this quest is not complete".into()));
    }
    retry_stale(async || {
        let before = Karma::of(app, user).await?;
        let earned = before.left_on(&claim.day).min(quest.karma_reward.karma());
        let claimed = Write::create(&claim).or(CLAIMED);
        let earned_writes = karma::earn_writes(app, &before, earned, &claim.day, KarmaReason::Quest);
        app.table.transact([claimed].into_iter().chain(earned_writes).collect()).await?;
        Ok(Claimed { karma_earned: earned, new_total: before.balance + earned })
    })
    .await
}

/// What somebody claimed on a day. 1 call, 1 RRU.
pub(super) async fn of_day(app: &App, user: UserId, day: &str) -> Result<Vec<Claim>> {
    let query = Query::partition(format!("USER#{user}")).prefix(format!("CLAIM#{day}#"));
    app.table.query(&query.consistent()).await
}

/// `USER#u / CLAIM#date#code`
impl Row for Claim {
    fn key(&self) -> Key {
        let sk = format!("CLAIM#{}#{}", self.day, self.code.as_str());
        Key::new(format!("USER#{}", self.user), sk)
    }
}
