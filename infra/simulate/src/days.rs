//! What became of a day.

use comfy_table::{Table, presets::UTF8_HORIZONTAL_ONLY};
use domain::circles::{Energy, Stage};

/// Levels that there are.
const LEVELS: usize = 5;

/// A day, when its invariants were closed.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Day {
    /// Which one: 1 is the first.
    pub number: usize,
    /// Circles that live.
    pub alive: usize,
    /// Circles that died on this day.
    pub deaths: usize,
    /// Stones in the museum.
    pub stones: usize,
    /// Circles that were saved on this day.
    pub saved: usize,
    /// Posts of this day that changed something.
    pub posts: usize,
    /// Of those that live: healthy, sick, dying.
    pub stages: [usize; 3],
    /// Of those that live, by level.
    pub levels: [usize; LEVELS],
    /// HP of those that live, in percent of the most, in ascending order.
    pub percents: Vec<i64>,
    /// Karma that was earned so far.
    pub karma_earned: i64,
    /// Karma that was given so far.
    pub karma_given: i64,
    /// Calls to AWS that went wrong.
    pub faults: u32,
}

impl Day {
    /// Counts a circle that lives.
    pub(crate) fn lives(&mut self, energy: &Energy) {
        self.alive += 1;
        match energy.stage() {
            Stage::Healthy => self.stages[0] += 1,
            Stage::Sick => self.stages[1] += 1,
            Stage::Dying | Stage::Dead => self.stages[2] += 1,
        }
        self.levels[usize::from(energy.level().number) - 1] += 1;
        let percent = energy.hp * 100 / energy.max_hp();
        let position = self.percents.partition_point(|it| *it < percent);
        self.percents.insert(position, percent);
    }

    /// HP in percent that so many of a hundred circles do not surpass; 0 when none lives.
    pub fn percentile(&self, part: usize) -> i64 {
        let position = self.percents.len().saturating_sub(1) * part / 100;
        self.percents.get(position).copied().unwrap_or(0)
    }
}

/// The days, one a line.
pub fn table(days: &[Day]) -> Table {
    let mut table = Table::new();
    table.load_preset(UTF8_HORIZONTAL_ONLY);
    table.set_header([
        "day",
        "alive",
        "died",
        "saved",
        "posts",
        "healthy",
        "sick",
        "dying",
        "HP % 10/50/90",
        "levels 1-5",
        "karma in",
        "out",
        "faults",
    ]);
    for day in days {
        let percents = [10, 50, 90].map(|it| day.percentile(it).to_string()).join(" / ");
        let levels = day.levels.map(|it| it.to_string()).join(" ");
        let counts = [day.number, day.alive, day.deaths, day.saved, day.posts].into_iter().chain(day.stages);
        let row = counts.map(|it| it.to_string()).chain([percents, levels]);
        let karma = [day.karma_earned, day.karma_given].map(|it| it.to_string());
        table.add_row(row.chain(karma).chain([day.faults.to_string()]));
    }
    table
}
