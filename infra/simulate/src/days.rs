//! Statistics of the simulated days.

use comfy_table::{Table, presets::UTF8_HORIZONTAL_ONLY};
use domain::circles::{Energy, Stage};

/// Number of levels of circles.
const LEVELS: usize = 5;

/// Statistics at the end of a day.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Day {
    /// Number of the day. The first day has number 1.
    pub number: usize,
    /// Number of living circles.
    pub alive: usize,
    /// Number of circles that died on this day.
    pub deaths: usize,
    /// Number of dead circles' memorials in the museum.
    pub stones: usize,
    /// Number of circles that a CPR rescued on this day.
    pub saved: usize,
    /// Number of posts whose verdict changed a circle's energy on this day.
    pub posts: usize,
    /// Numbers of healthy, sick and dying circles.
    pub stages: [usize; 3],
    /// Number of living circles at each level.
    pub levels: [usize; LEVELS],
    /// HP of each living circle in percent of the maximum, in ascending order.
    pub percents: Vec<i64>,
    /// Karma that members earned since the first day.
    pub karma_earned: i64,
    /// Karma that members gave to circles since the first day.
    pub karma_given: i64,
    /// Number of calls to AWS that failed on this day.
    pub faults: u32,
    /// Circles grouped by initial number of members, smallest first.
    pub sizes: Vec<Size>,
}

/// Circles that started with the same number of members.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Size {
    /// Initial number of members of each circle.
    pub members: usize,
    /// Number of circles of this size, living and dead.
    pub circles: usize,
    /// Number of living circles.
    pub alive: usize,
    /// Total number of members of the living circles.
    pub people: usize,
}

impl Day {
    /// Adds a living circle to the statistics.
    pub(crate) fn add_alive(&mut self, energy: &Energy) {
        self.alive += 1;
        match energy.stage() {
            Stage::Healthy => self.stages[0] += 1,
            Stage::Sick => self.stages[1] += 1,
            Stage::Dying | Stage::Dead => self.stages[2] += 1,
        }
        self.levels[usize::from(energy.level().number) - 1] += 1;
        let percent = energy.hp * 100 / energy.max_hp();
        let index = self.percents.partition_point(|other| *other < percent);
        self.percents.insert(index, percent);
    }

    /// Adds a circle that started with `members` members. `people` is the current number, or `None` if the circle is
    /// dead.
    pub(crate) fn add_size(&mut self, members: usize, people: Option<usize>) {
        let index = self.sizes.partition_point(|size| size.members < members);
        if self.sizes.get(index).is_none_or(|size| size.members != members) {
            self.sizes.insert(index, Size { members, ..Size::default() });
        }
        let size = &mut self.sizes[index];
        size.circles += 1;
        size.alive += usize::from(people.is_some());
        size.people += people.unwrap_or(0);
    }

    /// Returns a percentile of `percents`. `rank` is 0 to 100. Returns 0 if no circle is alive.
    pub fn percentile(&self, rank: usize) -> i64 {
        let index = self.percents.len().saturating_sub(1) * rank / 100;
        self.percents.get(index).copied().unwrap_or(0)
    }
}

/// Returns a table with one row per day.
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
        let percents = [10, 50, 90].map(|rank| day.percentile(rank).to_string()).join(" / ");
        let levels = day.levels.map(|count| count.to_string()).join(" ");
        let counts = [day.number, day.alive, day.deaths, day.saved, day.posts].into_iter().chain(day.stages);
        let row = counts.map(|count| count.to_string()).chain([percents, levels]);
        let karma = [day.karma_earned, day.karma_given].map(|count| count.to_string());
        table.add_row(row.chain(karma).chain([day.faults.to_string()]));
    }
    table
}

/// Returns a table with the share of circles that survived, by size.
pub fn shares(days: &[Day]) -> Table {
    let mut table = Table::new();
    table.load_preset(UTF8_HORIZONTAL_ONLY);
    let after = format!("alive after {} days", days.len());
    table.set_header(["first members", "circles", &after, "share", "average members now"]);
    for size in days.last().map_or(&[][..], |day| &day.sizes) {
        let share = format!("{} %", size.alive * 100 / size.circles.max(1));
        let average = size.people / size.alive.max(1);
        let counts = [size.members, size.circles, size.alive].map(|count| count.to_string());
        table.add_row(counts.into_iter().chain([share, average.to_string()]));
    }
    table
}
