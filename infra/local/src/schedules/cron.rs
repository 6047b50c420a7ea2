//! AWS cron expressions: minutes, hours, day of month, month, day of week, year.

use anyhow::{Context, Result, ensure};
use jiff::{
    ToSpan,
    civil::{Date, DateTime, Time},
};

const MONTHS: [&str; 12] =
    ["JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC"];
const WEEKDAYS: [&str; 7] = ["SUN", "MON", "TUE", "WED", "THU", "FRI", "SAT"];
/// Maximum number of days to search for the next date. Leap days are at most 8 years apart.
const DAYS_MAX: usize = 366 * 9;

pub(super) struct Cron {
    minutes: Vec<i16>,
    hours: Vec<i16>,
    days: Vec<i16>,
    last_day: bool,
    months: Vec<i16>,
    weekdays: Vec<i16>,
    years: Vec<i16>,
}

impl Cron {
    pub(super) fn read(text: &str) -> Result<Self> {
        let fields: Vec<_> = text.split_whitespace().collect();
        let [minutes, hours, days, months, weekdays, years] = fields.as_slice() else {
            anyhow::bail!("cron must have six fields");
        };
        ensure!(
            (*days == "?") != (*weekdays == "?"),
            "exactly one of day of month and day of week must be `?`"
        );
        let last_day = *days == "L";
        Ok(Self {
            minutes: field(minutes, 0, 59, &[])?,
            hours: field(hours, 0, 23, &[])?,
            days: if last_day { Vec::new() } else { field(days, 1, 31, &[])? },
            last_day,
            months: field(months, 1, 12, &MONTHS)?,
            weekdays: field(weekdays, 1, 7, &WEEKDAYS)?,
            years: field(years, 1970, 2199, &[])?,
        })
    }

    /// Returns the first time after `time` that matches the expression, or `None`.
    pub(super) fn after(&self, time: DateTime) -> Option<DateTime> {
        let today = time.date();
        (0..DAYS_MAX)
            .map_while(|days| today.checked_add(i64::try_from(days).ok()?.days()).ok())
            .filter(|date| self.has(*date))
            .flat_map(|date| self.times().map(move |at| date.to_datetime(at)))
            .find(|candidate| *candidate > time)
    }

    fn has(&self, date: Date) -> bool {
        let day = if self.last_day {
            date.day() == date.days_in_month()
        } else {
            self.days.contains(&date.day().into())
        };
        let weekday = i16::from(date.weekday().to_sunday_one_offset());
        day && self.weekdays.contains(&weekday)
            && self.months.contains(&date.month().into())
            && self.years.contains(&date.year())
    }

    fn times(&self) -> impl Iterator<Item = Time> {
        let time =
            |hour: i16, minute: i16| Time::new(hour.try_into().ok()?, minute.try_into().ok()?, 0, 0).ok();
        self.hours
            .iter()
            .flat_map(move |hour| self.minutes.iter().filter_map(move |minute| time(*hour, *minute)))
    }
}

/// Parses a field with `*`, `?`, lists, ranges, steps or names. Returns the matching numbers.
fn field(text: &str, min: i16, max: i16, names: &[&str]) -> Result<Vec<i16>> {
    let number = |text: &str| -> Result<i16> {
        let name = names.iter().position(|name| name.eq_ignore_ascii_case(text));
        let number = match name {
            Some(position) => min + i16::try_from(position)?,
            None => text.parse().with_context(|| format!("`{text}` is not a number or a name"))?,
        };
        ensure!((min..=max).contains(&number), "{number} is not between {min} and {max}");
        Ok(number)
    };
    let mut all = Vec::new();
    for part in text.split(',') {
        let (range, step) = part.split_once('/').map_or((part, None), |(range, step)| (range, Some(step)));
        let step: usize = step.unwrap_or("1").parse().context("a step must be a number")?;
        ensure!(step > 0, "a step must be at least 1");
        let (from, to) = match range.split_once('-') {
            _ if range == "*" || range == "?" => (min, max),
            Some((from, to)) => (number(from)?, number(to)?),
            None if part.contains('/') => (number(range)?, max),
            None => (number(range)?, number(range)?),
        };
        all.extend((from..=to).step_by(step));
    }
    all.sort_unstable();
    all.dedup();
    Ok(all)
}
