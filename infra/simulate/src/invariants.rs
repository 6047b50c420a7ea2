//! The invariants: at the end of each day everything must add up.

use anyhow::{Result, ensure};
use domain::{
    circles::{Change, Energy, EnergyEntry, EnergyReason, energy_key, museum},
    quests,
};
use local::Stack;
use platform::table::Query;

use crate::{days::Day, life::Life, population::Population};

/// What is known of a circle and its people when the last day was closed.
#[derive(Default)]
pub(crate) struct Account {
    pub(crate) died: bool,
    /// Karma that its people earned.
    pub(crate) earned: i64,
    /// Karma that they gave to it.
    pub(crate) spent: i64,
    closed: bool,
    /// Posts judged, and CPR that succeeded, by the log.
    posts: usize,
    saved: usize,
}

/// Checks everything, and counts the day.
pub(crate) async fn close(
    stack: &Stack,
    population: &mut Population,
    number: usize,
    faults: u32,
) -> Result<Day> {
    let mut day = Day { number, faults, ..Day::default() };
    // What was due and given up by a worker is done now: the day is over for everybody.
    for schedule in ["drain-hourly", "purge-hourly", "cpr-check-often"] {
        stack.fire(schedule).await?;
    }
    stack.settle(None).await?;
    let app = population.app.clone();
    for life in &mut population.circles {
        if life.account.closed {
            ensure!(museum::find(&app, stone_of(life)).await.is_ok(), "a stone is gone");
            day.stones += 1;
        } else {
            life.close(&app, &mut day).await?;
        }
        day.began_with(life.size, (!life.account.closed).then_some(life.people.len()));
        let (earned, spent) = (life.account.earned, life.account.spent);
        day.karma_earned += earned;
        day.karma_given += spent;
    }
    day.balance(&app, population).await?;
    Ok(day)
}

impl Life {
    async fn close(&mut self, app: &platform::App, day: &mut Day) -> Result<()> {
        let energy: Option<Energy> = app.table.get(&energy_key(self.id)).await?;
        let Some(energy) = energy else { anyhow::bail!("{} is gone without a death", self.id) };
        let entries = self.entries(app).await?;
        let born = Energy::new(self.id, energy.born_at);
        let hp = born.hp + entries.iter().map(|it| it.hp_delta).sum::<i64>();
        let exp = born.exp + entries.iter().map(|it| it.exp_delta).sum::<i64>();
        ensure!(energy.hp == hp, "{}: {} HP, but {hp} by the log", self.id, energy.hp);
        ensure!(energy.exp == exp, "{}: {} EXP, but {exp} by the log", self.id, energy.exp);
        ensure!((0..=energy.max_hp()).contains(&hp), "{}: {hp} HP of {}", self.id, energy.max_hp());
        ensure!((hp == 0) == energy.died_at.is_some(), "{}: {hp} HP, {:?}", self.id, energy.died_at);
        ensure!(
            energy.died_at.is_some() || Change::drain(&energy, app.now()).is_none(),
            "{} owes hours",
            self.id
        );
        let of_karma = entries.iter().filter(|it| it.reason == EnergyReason::KarmaSacrifice);
        let of_karma: i64 = of_karma.map(|it| it.hp_delta).sum();
        let (least, most) = (10 * (self.account.spent - day.number as i64 * 24), 10 * self.account.spent);
        ensure!((least..=most).contains(&of_karma), "{}: karma and HP differ", self.id);
        let stone = museum::find(app, stone_of(self)).await.ok();
        ensure!(stone.is_some() == energy.died_at.is_some(), "{}: its stone and its death differ", self.id);
        let of = |reason| entries.iter().filter(|it| it.reason == reason).count();
        let (posts, saved) = (of(EnergyReason::PostQuality), of(EnergyReason::CprSurvived));
        day.posts += posts - self.account.posts;
        day.saved += saved - self.account.saved;
        (self.account.posts, self.account.saved) = (posts, saved);
        if energy.died_at.is_some() {
            (self.account.died, self.account.closed) = (true, true);
            day.deaths += 1;
            day.stones += 1;
        } else {
            day.lives(&energy);
        }
        Ok(())
    }

    /// The whole log: what was written yesterday may be judged today.
    async fn entries(&self, app: &platform::App) -> Result<Vec<EnergyEntry>> {
        let mut entries = Vec::new();
        for kind in ["EXP#", "DRAIN#"] {
            let lines = Query::partition(format!("CIRCLE#{}", self.id)).prefix(kind).consistent();
            entries.extend(app.table.query::<EnergyEntry>(&lines).await?);
        }
        Ok(entries)
    }
}

impl Day {
    /// Karma: what people have is what they earned and did not give.
    async fn balance(&mut self, app: &platform::App, population: &Population) -> Result<()> {
        for life in population.circles.iter().filter(|it| it.account.earned > 0) {
            let mut left = 0;
            for who in &life.people {
                let karma = quests::karma(app, *who).await?;
                ensure!(karma.balance >= 0, "{who} has {} karma", karma.balance);
                let sum: i64 = karma.transactions.iter().map(|it| it.delta).sum();
                ensure!(
                    karma.transactions.len() >= 100 || karma.balance == sum,
                    "{who}: karma and its log differ"
                );
                left += karma.balance;
            }
            let (earned, spent) = (life.account.earned, life.account.spent);
            ensure!(left == earned - spent, "{}: {earned} karma in, {spent} out, {left} left", life.id);
        }
        Ok(())
    }
}

fn stone_of(life: &Life) -> domain::ids::StoneId {
    ulid::Ulid::from(life.id).into()
}
