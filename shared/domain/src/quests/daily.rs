//! The day's quests, the same for everybody, and how far somebody is with them.

use futures::future::try_join_all;
use platform::{
    App, Result,
    error::Error,
    table::{Attempt, Key, Row, Write},
    time::Time,
};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use utoipa::ToSchema;

use super::{
    claim,
    definition::{self, Code, Description, Goal, PARTITION, Quest},
    progress,
};
use crate::ids::UserId;

/// Quests of a day.
const A_DAY: usize = 3;
const KEPT_SECONDS: i64 = 30 * 24 * 60 * 60;
const TRIES: usize = 4;

/// The quests of a day. It begins at 07:00 in UTC+7, which is midnight UTC.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Day {
    day: String,
    codes: Vec<Code>,
    chosen_at: Time,
}

/// The day's quests, as one person stands with them.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Daily {
    /// At most three.
    pub quests: Vec<DailyQuest>,
}

/// A quest of the day.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DailyQuest {
    /// The code again.
    pub id: Code,
    /// Its name, by which it is claimed.
    pub code: Code,
    /// The quest in words.
    pub description: Description,
    /// What it counts.
    pub action: Goal,
    /// What it earns.
    pub karma_reward: i64,
    /// How often it is to be done.
    pub requirement: usize,
    /// To how many different targets it was done today.
    pub progress: usize,
    /// Whether that is enough.
    pub completed: bool,
    /// When the reward was claimed.
    pub claimed_at: Option<Time>,
}

/// The day's quests, counted anew from the action log. 6 calls, 3 RRU and 1 for each 4 KB of the
/// day's actions that a quest counts.
///
/// # Errors
/// Internal only.
pub async fn daily(app: &App, user: UserId) -> Result<Daily> {
    let day = app.now().day();
    let (quests, claims) = futures::try_join!(of_today(app), claim::of_day(app, user, &day))?;
    let counted = quests.into_iter().map(async |quest| {
        let progress = progress::count(app, user, &quest, &day).await?;
        let claim = claims.iter().find(|it| it.code == quest.code);
        Ok::<_, Error>(DailyQuest {
            id: quest.code.clone(),
            code: quest.code,
            description: quest.description,
            action: quest.action,
            karma_reward: quest.karma_reward.karma(),
            requirement: quest.requirement.times(),
            progress,
            completed: progress >= quest.requirement.times(),
            claimed_at: claim.map(|it| it.claimed_at),
        })
    });
    Ok(Daily { quests: try_join_all(counted).await? })
}

/// The day's quests that are in use. 2 calls, 2 RRU; the first time of a day 1 more, if the reset
/// has not run.
pub(super) async fn of_today(app: &App) -> Result<Vec<Quest>> {
    let key = key(&app.now().day());
    let (quests, day) = futures::try_join!(definition::all(app), app.table.get::<Day>(&key))?;
    let day = match day {
        Some(day) => day,
        None => chosen_today(app).await?,
    };
    let find = |code: &Code| quests.iter().find(|it| it.code == *code && !it.disabled).cloned();
    Ok(day.codes.iter().filter_map(find).collect())
}

/// Chooses the day's quests from those in use; again only adds what there is room for.
/// Administrators' quests come before those that came with the service. 3 calls, 2 RRU, 1 WRU.
///
/// # Errors
/// Internal only.
pub async fn choose_today(app: &App) -> Result<()> {
    chosen_today(app).await.map(drop)
}

async fn chosen_today(app: &App) -> Result<Day> {
    let now = app.now();
    let key = key(&now.day());
    for _ in 0..TRIES {
        let (quests, before) = futures::try_join!(definition::all(app), app.table.get::<Day>(&key))?;
        let codes = before.as_ref().map(|it| it.codes.clone()).unwrap_or_default();
        let day = Day { day: now.day(), codes: choose(&quests, &codes, &now.day()), chosen_at: now };
        let write = match &before {
            Some(before) if before.codes == day.codes => return Ok(day),
            Some(before) => Write::put(&day).equals("codes", &before.codes),
            None => Write::create(&day),
        };
        if let Attempt::Done(day) = app.table.attempt::<Day>(write).await? {
            return Ok(day);
        }
    }
    Err(Error::internal(anyhow::anyhow!("the day's quests kept changing")))
}

/// Three of those in use: administrators' before seeds, those already chosen before others, and
/// among equals by a hash that is another one each day.
fn choose(quests: &[Quest], before: &[Code], day: &str) -> Vec<Code> {
    let mut in_use: Vec<_> = quests.iter().filter(|it| !it.disabled).collect();
    in_use.sort_by_cached_key(|it| {
        let hash = Sha256::digest(format!("{day}#{}", it.code.as_str()).as_bytes());
        (it.seeded, !before.contains(&it.code), hash.to_vec())
    });
    in_use.into_iter().take(A_DAY).map(|it| it.code.clone()).collect()
}

fn key(day: &str) -> Key {
    Key::new(PARTITION, format!("DAY#{day}"))
}

/// `QUESTS / DAY#date`, swept after a month
impl Row for Day {
    fn key(&self) -> Key {
        key(&self.day)
    }

    fn expires(&self) -> Option<Time> {
        Some(self.chosen_at.plus_seconds(KEPT_SECONDS))
    }
}
