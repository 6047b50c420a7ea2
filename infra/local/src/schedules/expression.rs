//! Schedule expressions: `rate(…)`, `cron(…)` and `at(…)`.

use anyhow::{Context, Result, bail, ensure};
use jiff::{SignedDuration, Timestamp, civil::DateTime, tz::TimeZone};

use super::cron::Cron;

pub(super) enum Expression {
    Rate(SignedDuration),
    Cron(Cron, TimeZone),
    At(Timestamp),
}

impl Expression {
    pub(super) fn read(text: &str, zone: &str) -> Result<Self> {
        let zone = TimeZone::get(zone).with_context(|| format!("failed to find the time zone `{zone}`"))?;
        let (kind, argument) = text
            .strip_suffix(')')
            .and_then(|text| text.split_once('('))
            .context("must be rate(…), cron(…) or at(…)")?;
        match kind {
            "rate" => Ok(Self::Rate(rate(argument)?)),
            "cron" => Ok(Self::Cron(Cron::read(argument)?, zone)),
            "at" => Ok(Self::At(argument.parse::<DateTime>()?.to_zoned(zone)?.timestamp())),
            _ => bail!("must be rate(…), cron(…) or at(…)"),
        }
    }

    /// Returns the first run of a new schedule, or `None` if the schedule never runs. Schedules with a rate run
    /// immediately.
    pub(super) fn first(&self, now: Timestamp) -> Option<Timestamp> {
        match self {
            Self::Rate(_) => Some(now),
            Self::Cron(..) | Self::At(_) => self.next(now, now),
        }
    }

    /// Returns whether the run after `run` follows within an hour.
    pub(super) fn is_frequent(&self, run: Timestamp) -> bool {
        let next = self.next(run, run);
        next.is_some_and(|next| next.duration_since(run) <= SignedDuration::from_hours(1))
    }

    /// Returns the first run after `now`, or `None` if there is none. `last` is the previous run.
    pub(super) fn next(&self, last: Timestamp, now: Timestamp) -> Option<Timestamp> {
        match self {
            Self::At(time) => Some(*time).filter(|time| *time > now),
            Self::Cron(cron, zone) => {
                let after = cron.after(now.to_zoned(zone.clone()).datetime())?;
                Some(after.to_zoned(zone.clone()).ok()?.timestamp())
            }
            Self::Rate(period) => {
                let missed = now.duration_since(last).as_secs().max(0) / period.as_secs();
                let steps = i32::try_from(missed + 1).ok()?;
                last.checked_add(period.checked_mul(steps)?).ok()
            }
        }
    }
}

fn rate(text: &str) -> Result<SignedDuration> {
    let (count, unit) = text.split_once(' ').context("a rate must be a number and a unit")?;
    let count: i64 = count.parse().with_context(|| format!("`{count}` is not a number"))?;
    ensure!(count > 0, "a rate must be at least 1");
    match (unit, count) {
        ("minute", 1) | ("minutes", _) => Ok(SignedDuration::from_mins(count)),
        ("hour", 1) | ("hours", _) => Ok(SignedDuration::from_hours(count)),
        ("day", 1) | ("days", _) => Ok(SignedDuration::from_hours(24 * count)),
        _ => bail!("the unit must be minute(s), hour(s) or day(s)"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn next(text: &str, zone: &str, now: &str) -> Result<String> {
        let now: Timestamp = now.parse()?;
        Ok(Expression::read(text, zone)?.next(now, now).context("never")?.to_string())
    }

    #[test]
    fn expressions_compute_the_next_run() -> Result<()> {
        let now = "2026-02-27T23:59:30Z";
        assert_eq!(next("rate(2 minutes)", "UTC", now)?, "2026-02-28T00:01:30Z");
        assert_eq!(next("cron(0 7 * * ? *)", "Asia/Ho_Chi_Minh", now)?, "2026-02-28T00:00:00Z");
        assert_eq!(next("cron(0/15 * * * ? *)", "UTC", now)?, "2026-02-28T00:00:00Z");
        assert_eq!(next("cron(30 8-9 ? * MON-FRI *)", "UTC", now)?, "2026-03-02T08:30:00Z");
        assert_eq!(next("cron(0 0 L 2 ? 2028)", "UTC", now)?, "2028-02-29T00:00:00Z");
        assert_eq!(next("at(2026-03-01T12:00:00)", "Europe/Berlin", now)?, "2026-03-01T11:00:00Z");
        Ok(())
    }

    #[test]
    fn invalid_expressions_are_refused() {
        let wrong = [
            "rate(0 minutes)",
            "rate(1 minutes, 2)",
            "cron(0 7 * * * *)",
            "cron(61 * * * ? *)",
            "cron(0 7 * *)",
            "every day",
        ];
        for text in wrong {
            assert!(Expression::read(text, "UTC").is_err(), "{text}");
        }
        assert!(Expression::read("rate(2 minutes)", "Asia/Hanoi_City").is_err());
    }
}
