//! The day's quests, which are the same for all users.

use platform::{App, HOUR_SECONDS, Key, Result, Row, Time, Write, retry_on_conflict};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::{
    quest::{self, PARTITION, Quest},
    values::Code,
};

const QUESTS_PER_DAY: usize = 3;
const KEPT_SECONDS: i64 = 30 * 24 * HOUR_SECONDS;

/// The chosen quests of a day. A day starts at 00:00 UTC.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct ChosenQuests {
    day: String,
    codes: Vec<Code>,
    chosen_at: Time,
}

/// Returns the day's quests. Omits quests that are disabled, and quests that no user can complete while proposed
/// features are off.
pub(super) async fn quests(app: &App) -> Result<Vec<Quest>> {
    let key = key(&app.now().day());
    let (quests, chosen) = futures::try_join!(quest::current(app), app.table.get::<ChosenQuests>(&key))?;
    let codes = match chosen {
        Some(chosen) => chosen.codes,
        None => chosen_codes(app).await?,
    };
    let find =
        |code: &Code| quests.iter().find(|quest| quest.code == *code && is_usable(app, quest)).cloned();
    Ok(codes.iter().filter_map(find).collect())
}

/// Chooses the day's quests from the enabled quests, administrators' quests first. A repeated call replaces quests that
/// were disabled since the first call.
pub async fn choose_today(app: &App) -> Result<()> {
    chosen_codes(app).await.map(drop)
}

async fn chosen_codes(app: &App) -> Result<Vec<Code>> {
    let now = app.now();
    let key = key(&now.day());
    retry_on_conflict(async || {
        let (quests, before) = futures::try_join!(quest::current(app), app.table.get::<ChosenQuests>(&key))?;
        let earlier = before.as_ref().map_or(&[][..], |chosen| &chosen.codes);
        let usable = quests.iter().filter(|quest| is_usable(app, quest)).collect();
        let codes = choose(usable, earlier, &now.day());
        let chosen = ChosenQuests { day: now.day(), codes, chosen_at: now };
        match &before {
            Some(before) if before.codes == chosen.codes => {}
            Some(before) => app.table.write(Write::put(&chosen).equals("codes", &before.codes)).await?,
            None => app.table.write(Write::create(&chosen)).await?,
        }
        Ok(chosen.codes)
    })
    .await
}

fn is_usable(app: &App, quest: &Quest) -> bool {
    !quest.disabled && quest.action.is_reachable(app)
}

/// Returns the codes of three of the usable quests. Prefers quests in `earlier`, then administrators' quests, then
/// seeded quests. Within each group, the order depends on a hash that differs each day.
fn choose(mut usable: Vec<&Quest>, earlier: &[Code], day: &str) -> Vec<Code> {
    usable.sort_by_cached_key(|quest| {
        let hash = Sha256::digest(format!("{day}#{}", quest.code.as_str()).as_bytes());
        (!earlier.contains(&quest.code), quest.seeded, hash.to_vec())
    });
    usable.into_iter().take(QUESTS_PER_DAY).map(|quest| quest.code.clone()).collect()
}

fn key(day: &str) -> Key {
    Key::new(PARTITION, format!("DAY#{day}"))
}

/// `QUESTS / DAY#date`, kept for a month
impl Row for ChosenQuests {
    fn key(&self) -> Key {
        key(&self.day)
    }

    fn expires(&self) -> Option<Time> {
        Some(self.chosen_at.plus_seconds(KEPT_SECONDS))
    }
}
