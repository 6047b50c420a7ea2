//! When each schedule comes next, on disk: a restart neither loses a time nor begins anew.

use std::collections::HashMap;

use jiff::Timestamp;
use rusqlite::{Connection, Result, params};

use super::Schedule;
use crate::disk::{Disk, Unwritten};

const ALL: &str = "SELECT name, expression, next FROM schedules";
const PUT: &str = "INSERT OR REPLACE INTO schedules (name, expression, next) VALUES (?, ?, ?)";

/// Returns when each comes next: as it was kept, unless its expression is another by now.
pub(super) fn take_up(
    disk: &Disk,
    schedules: &[Schedule],
    now: Timestamp,
) -> anyhow::Result<Vec<Option<Timestamp>>> {
    let kept = disk.read(all)?;
    let next = |schedule: &Schedule| match kept.get(&(schedule.name.clone(), expression(schedule))) {
        Some(next) => *next,
        None => schedule.expression.first(now),
    };
    let next: Vec<_> = schedules.iter().map(next).collect();
    disk.write(|it| {
        it.execute("DELETE FROM schedules", [])?;
        schedules.iter().zip(&next).try_for_each(|(schedule, next)| put(it, schedule, *next))
    })?;
    Ok(next)
}

/// Keeps when one comes next; never again, if that is `None`.
pub(super) fn write(disk: &Disk, schedule: &Schedule, next: Option<Timestamp>) -> Result<(), Unwritten> {
    disk.write(|it| put(it, schedule, next))
}

fn put(connection: &Connection, schedule: &Schedule, next: Option<Timestamp>) -> Result<()> {
    let next = next.map(Timestamp::as_microsecond);
    connection.prepare_cached(PUT)?.execute(params![schedule.name, expression(schedule), next])?;
    Ok(())
}

fn all(connection: &Connection) -> Result<HashMap<(String, String), Option<Timestamp>>> {
    let mut statement = connection.prepare(ALL)?;
    let rows = statement.query_map([], |row| {
        let next: Option<i64> = row.get(2)?;
        Ok(((row.get(0)?, row.get(1)?), next.and_then(|next| Timestamp::from_microsecond(next).ok())))
    })?;
    rows.collect()
}

/// The same text means another time in another zone.
fn expression(schedule: &Schedule) -> String {
    format!("{} {}", schedule.text, schedule.zone)
}
