//! The books: at the end of each day everything must add up.

use anyhow::{Result, ensure};
use shared::{
    circles::{Change, Energy, Entry, Reason, energy_key},
    museum, quests,
    table::Query,
};
use tests::World;

use crate::{
    crowd::{Crowd, Life, moment},
    days::Day,
};

const DAY_SECONDS: i64 = 24 * 3600;

/// What is known of a circle and its people when the last day was closed.
#[derive(Default)]
pub(crate) struct Account {
    pub(crate) died: bool,
    /// Karma that its people earned.
    pub(crate) earned: i64,
    /// Karma that they gave to it.
    pub(crate) spent: i64,
    closed: bool,
    /// HP by the log.
    hp: Option<i64>,
    /// HP that came of karma, by the log.
    of_karma: i64,
    exp: i64,
}

/// Checks everything, and counts the day.
pub(crate) async fn close(world: &World, crowd: &mut Crowd, number: usize, faults: u32) -> Result<Day> {
    let mut day = Day { number, faults, ..Day::default() };
    // What was due and given up by a worker is done now: the day is over for everybody.
    for schedule in ["drain-hourly", "purge-hourly", "cpr-check-often"] {
        world.stack.fire(schedule).await?;
    }
    world.stack.settle(None).await?;
    let app = crowd.app.clone();
    for life in &mut crowd.circles {
        if life.account.closed {
            ensure!(museum::find(&app, stone_of(life)).await.is_ok(), "a stone is gone");
            day.stones += 1;
        } else {
            life.close(&app, &mut day).await?;
        }
        let (earned, spent) = (life.account.earned, life.account.spent);
        day.karma_earned += earned;
        day.karma_given += spent;
    }
    day.balance(&app, crowd).await?;
    Ok(day)
}

impl Life {
    async fn close(&mut self, app: &shared::App, day: &mut Day) -> Result<()> {
        let energy: Option<Energy> = app.table.get(&energy_key(self.id)).await?;
        let Some(energy) = energy else { anyhow::bail!("{} is gone without a death", self.id) };
        let entries = self.entries_of_today(app).await?;
        let before = *self.account.hp.get_or_insert(Energy::new(self.id, energy.born_at).hp);
        let hp = before + entries.iter().map(|it| it.hp_delta).sum::<i64>();
        let exp = self.account.exp + entries.iter().map(|it| it.exp_delta).sum::<i64>();
        ensure!(energy.hp == hp, "{}: {} HP, but {hp} by the log", self.id, energy.hp);
        ensure!(energy.exp == exp, "{}: {} EXP, but {exp} by the log", self.id, energy.exp);
        ensure!((0..=energy.max_hp()).contains(&hp), "{}: {hp} HP of {}", self.id, energy.max_hp());
        ensure!((hp == 0) == energy.died_at.is_some(), "{}: {hp} HP, {:?}", self.id, energy.died_at);
        ensure!(
            energy.died_at.is_some() || Change::drain(&energy, app.now()).is_none(),
            "{} owes hours",
            self.id
        );
        let of_karma = entries.iter().filter(|it| it.reason == Reason::KarmaSacrifice);
        self.account.of_karma += of_karma.map(|it| it.hp_delta).sum::<i64>();
        let (least, most) = (10 * (self.account.spent - day.number as i64 * 24), 10 * self.account.spent);
        ensure!((least..=most).contains(&self.account.of_karma), "{}: karma and HP differ", self.id);
        (self.account.hp, self.account.exp) = (Some(hp), exp);
        let stone = museum::find(app, stone_of(self)).await.ok();
        ensure!(stone.is_some() == energy.died_at.is_some(), "{}: its stone and its death differ", self.id);
        day.saved += entries.iter().filter(|it| it.reason == Reason::CprSurvived).count();
        day.posts += entries.iter().filter(|it| it.reason == Reason::PostQuality).count();
        if energy.died_at.is_some() {
            (self.account.died, self.account.closed) = (true, true);
            day.deaths += 1;
            day.stones += 1;
        } else {
            day.lives(&energy);
        }
        Ok(())
    }

    /// Lines since the day began; the keys of both kinds begin with the time.
    async fn entries_of_today(&self, app: &shared::App) -> Result<Vec<Entry>> {
        let from = moment(app.now().seconds() - DAY_SECONDS);
        let mut entries = Vec::new();
        for kind in ["EXP", "DRAIN"] {
            let first = if self.account.hp.is_none() { format!("{kind}#") } else { format!("{kind}#{from}") };
            let lines = Query::partition(format!("CIRCLE#{}", self.id)).between(first, format!("{kind}#~"));
            entries.extend(app.table.query::<Entry>(&lines.consistent()).await?);
        }
        // A drain is named by its hour, others by when they were begun: the first moment belongs to yesterday.
        entries.retain(|it: &Entry| self.account.hp.is_none() || ulid::Ulid::from(it.id).0 > from.0);
        Ok(entries)
    }
}

impl Day {
    /// Karma: what people have is what they earned and did not give.
    async fn balance(&mut self, app: &shared::App, crowd: &Crowd) -> Result<()> {
        for life in crowd.circles.iter().filter(|it| it.account.earned > 0) {
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

fn stone_of(life: &Life) -> shared::id::StoneId {
    ulid::Ulid::from(life.id).into()
}
