//! Checks the invariants at the end of each day.

use anyhow::{Result, ensure};
use domain::{
    circles::{Change, Energy, EnergyEntry, EnergyReason, energy_key, museum},
    quests,
};
use local::Stack;
use platform::table::Query;

use crate::{days::Day, life::Life, population::Population};

/// Totals of a circle, which the checks compare with the data.
#[derive(Default)]
pub(crate) struct Account {
    pub(crate) died: bool,
    /// Karma that the circle's members earned.
    pub(crate) earned: i64,
    /// Karma that members gave to the circle.
    pub(crate) spent: i64,
    /// Whether the statistics include the circle's death.
    closed: bool,
    /// Number of judged posts in the circle's energy log.
    posts: usize,
    /// Number of successful CPRs in the circle's energy log.
    saved: usize,
}

/// Finishes the work of a day, checks the invariants, and returns the statistics.
pub(crate) async fn close(
    stack: &Stack,
    population: &mut Population,
    number: usize,
    faults: u32,
) -> Result<Day> {
    let mut day = Day { number, faults, ..Day::default() };
    // Repeats jobs that workers gave up on because of faults.
    for schedule in ["drain-hourly", "purge-hourly", "cpr-check-often"] {
        stack.fire(schedule).await?;
    }
    stack.settle(None).await?;
    let app = population.app.clone();
    for life in &mut population.circles {
        if life.account.closed {
            ensure!(museum::find(&app, stone_of(life)).await.is_ok(), "a memorial is missing");
            day.stones += 1;
        } else {
            life.close(&app, &mut day).await?;
        }
        day.add_size(life.size, (!life.account.closed).then_some(life.people.len()));
        day.karma_earned += life.account.earned;
        day.karma_given += life.account.spent;
    }
    day.check_karma(&app, population).await?;
    Ok(day)
}

impl Life {
    async fn close(&mut self, app: &platform::App, day: &mut Day) -> Result<()> {
        let energy: Option<Energy> = app.table.get(&energy_key(self.id)).await?;
        let Some(energy) = energy else { anyhow::bail!("{} has no energy row and did not die", self.id) };
        let entries = self.entries(app).await?;
        let born = Energy::new(self.id, energy.born_at);
        let hp = born.hp + entries.iter().map(|entry| entry.hp_delta).sum::<i64>();
        let exp = born.exp + entries.iter().map(|entry| entry.exp_delta).sum::<i64>();
        ensure!(energy.hp == hp, "{}: {} HP, but {hp} in the log", self.id, energy.hp);
        ensure!(energy.exp == exp, "{}: {} EXP, but {exp} in the log", self.id, energy.exp);
        ensure!((0..=energy.max_hp()).contains(&hp), "{}: {hp} HP of {}", self.id, energy.max_hp());
        ensure!((hp == 0) == energy.died_at.is_some(), "{}: {hp} HP, {:?}", self.id, energy.died_at);
        ensure!(
            energy.died_at.is_some() || Change::drain(&energy, app.now()).is_none(),
            "{} misses an hourly drain",
            self.id
        );
        let of_karma = entries.iter().filter(|entry| entry.reason == EnergyReason::KarmaSacrifice);
        let of_karma: i64 = of_karma.map(|entry| entry.hp_delta).sum();
        let (least, most) = (10 * (self.account.spent - day.number as i64 * 24), 10 * self.account.spent);
        ensure!(
            (least..=most).contains(&of_karma),
            "{}: its HP from karma does not match the karma given",
            self.id
        );
        let stone = museum::find(app, stone_of(self)).await.ok();
        ensure!(
            stone.is_some() == energy.died_at.is_some(),
            "{}: exactly the dead circles must have a stone",
            self.id
        );
        let count = |reason| entries.iter().filter(|entry| entry.reason == reason).count();
        let (posts, saved) = (count(EnergyReason::PostQuality), count(EnergyReason::CprSurvived));
        day.posts += posts - self.account.posts;
        day.saved += saved - self.account.saved;
        (self.account.posts, self.account.saved) = (posts, saved);
        if energy.died_at.is_some() {
            (self.account.died, self.account.closed) = (true, true);
            day.deaths += 1;
            day.stones += 1;
        } else {
            day.add_alive(&energy);
        }
        Ok(())
    }

    /// Returns the circle's whole energy log.
    async fn entries(&self, app: &platform::App) -> Result<Vec<EnergyEntry>> {
        let mut entries = Vec::new();
        for kind in ["EXP#", "DRAIN#"] {
            let query = Query::partition(format!("CIRCLE#{}", self.id)).prefix(kind).consistent();
            entries.extend(app.table.query::<EnergyEntry>(&query).await?);
        }
        Ok(entries)
    }
}

impl Day {
    /// Checks that each circle's members have the karma that they earned minus the karma that they gave.
    async fn check_karma(&mut self, app: &platform::App, population: &Population) -> Result<()> {
        for life in population.circles.iter().filter(|life| life.account.earned > 0) {
            let mut left = 0;
            for member in &life.people {
                let karma = quests::karma(app, *member).await?;
                ensure!(karma.balance >= 0, "{member} has {} karma", karma.balance);
                let sum: i64 = karma.transactions.iter().map(|change| change.delta).sum();
                ensure!(
                    karma.transactions.len() >= 100 || karma.balance == sum,
                    "{member}: karma and its log differ"
                );
                left += karma.balance;
            }
            let (earned, spent) = (life.account.earned, life.account.spent);
            ensure!(left == earned - spent, "{}: {earned} karma earned, {spent} given, {left} left", life.id);
        }
        Ok(())
    }
}

fn stone_of(life: &Life) -> domain::ids::StoneId {
    ulid::Ulid::from(life.id).into()
}
