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
    /// The circles by the size with which they began, in ascending order.
    pub sizes: Vec<Size>,
}

/// The circles that began with as many members.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Size {
    /// Members that each began with.
    pub members: usize,
    /// Circles that there were.
    pub circles: usize,
    /// Circles that live.
    pub alive: usize,
    /// Members of those that live.
    pub people: usize,
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

    /// Counts a circle that began with so many members; `people` are in it if it lives.
    pub(crate) fn began_with(&mut self, members: usize, people: Option<usize>) {
        let position = self.sizes.partition_point(|it| it.members < members);
        if self.sizes.get(position).is_none_or(|it| it.members != members) {
            self.sizes.insert(position, Size { members, ..Size::default() });
        }
        let size = &mut self.sizes[position];
        size.circles += 1;
        size.alive += usize::from(people.is_some());
        size.people += people.unwrap_or(0);
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

/// What share of the circles of each size lives after the last day.
pub fn shares(days: &[Day]) -> Table {
    let mut table = Table::new();
    table.load_preset(UTF8_HORIZONTAL_ONLY);
    let after = format!("live after {} days", days.len());
    table.set_header(["members at first", "circles", &after, "share", "members now, on average"]);
    for size in days.last().map_or(&[][..], |it| &it.sizes) {
        let share = format!("{} %", size.alive * 100 / size.circles.max(1));
        let average = size.people / size.alive.max(1);
        let counts = [size.members, size.circles, size.alive].map(|it| it.to_string());
        table.add_row(counts.into_iter().chain([share, average.to_string()]));
    }
    table
}
