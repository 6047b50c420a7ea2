//! The messages on disk. What is in flight is visible at once after a restart, so that is not kept.

use std::collections::BTreeMap;

use jiff::Timestamp;
use rusqlite::{Connection, Error, Result, Row, params, types::Type};

use super::{Message, Queue};
use crate::disk::{Disk, Unwritten};

const ALL: &str = "SELECT queue, sequence, id, body, attributes, sent, first_received, receives, visible_at \
                   FROM messages ORDER BY queue, sequence";
const PUT: &str = "INSERT OR REPLACE INTO messages \
                   (queue, sequence, id, body, attributes, sent, first_received, receives, visible_at) \
                   VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)";
const DELETE: &str = "DELETE FROM messages WHERE queue = ? AND sequence = ?";

/// Writes what changed in these queues, in one transaction.
pub(super) fn write<'a>(
    disk: &Disk,
    queues: impl IntoIterator<Item = &'a mut Queue>,
) -> Result<(), Unwritten> {
    let changed: Vec<_> = queues.into_iter().filter(|queue| queue.changes().next().is_some()).collect();
    if !changed.is_empty() {
        disk.write(|it| changed.iter().try_for_each(|queue| put_changes(it, queue)))?;
    }
    changed.into_iter().for_each(Queue::is_written);
    Ok(())
}

/// Puts every message back into its queue; those whose queue is gone leave the disk too.
pub(super) fn restore(disk: &Disk, queues: &mut BTreeMap<String, Queue>) -> Result<(), Unwritten> {
    let mut homeless = Vec::new();
    for (name, sequence, message) in disk.read(all)? {
        match queues.get_mut(&name) {
            Some(queue) => queue.put_back(sequence, message),
            None => homeless.push((name, sequence)),
        }
    }
    disk.write(|it| homeless.iter().try_for_each(|(name, sequence)| delete(it, name, *sequence)))
}

/// Keeps a message in its place.
fn put(connection: &Connection, queue: &str, sequence: u64, message: &Message) -> Result<()> {
    let failed = |error| Error::ToSqlConversionFailure(Box::new(error));
    let visible_at = if message.in_flight { message.sent } else { message.visible_at };
    let attributes = serde_json::to_string(&message.attributes).map_err(failed)?;
    connection.prepare_cached(PUT)?.execute(params![
        queue,
        sequence,
        message.id,
        message.body,
        attributes,
        message.sent.as_microsecond(),
        message.first_received.map(Timestamp::as_microsecond),
        message.receives,
        visible_at.as_microsecond(),
    ])?;
    Ok(())
}

fn put_changes(connection: &Connection, queue: &Queue) -> Result<()> {
    let name = &queue.settings.name;
    queue.changes().try_for_each(|(sequence, message)| match message {
        Some(message) => put(connection, name, sequence, message),
        None => delete(connection, name, sequence),
    })
}

fn delete(connection: &Connection, queue: &str, sequence: u64) -> Result<()> {
    connection.prepare_cached(DELETE)?.execute(params![queue, sequence]).map(drop)
}

fn all(connection: &Connection) -> Result<Vec<(String, u64, Message)>> {
    let mut statement = connection.prepare(ALL)?;
    let rows = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?, message(row)?)))?;
    rows.collect()
}

fn message(row: &Row<'_>) -> Result<Message> {
    let attributes: String = row.get(4)?;
    let attributes = serde_json::from_str(&attributes);
    let first_received: Option<i64> = row.get(6)?;
    Ok(Message {
        id: row.get(2)?,
        body: row.get(3)?,
        attributes: attributes.map_err(|it| Error::FromSqlConversionFailure(4, Type::Text, Box::new(it)))?,
        sent: time(row.get(5)?)?,
        first_received: first_received.map(time).transpose()?,
        receives: row.get(7)?,
        visible_at: time(row.get(8)?)?,
        in_flight: false,
    })
}

fn time(microseconds: i64) -> Result<Timestamp> {
    Timestamp::from_microsecond(microseconds).map_err(|_| Error::IntegralValueOutOfRange(0, microseconds))
}
