//! Prevents an event from counting twice if a worker records the event twice, even days apart. A flush that counts an
//! event of a worker also writes a row for the event. Later flushes find this row and skip the event. The row expires
//! after a week.
//!
//! Withdrawals get such rows too, because later flushes may read the row of the withdrawn event. A worker may also
//! record an event after a flush counted the event's withdrawal. So the withdrawn event also gets a row, which excludes
//! the event.

use std::collections::{HashMap, HashSet};

use futures::future::try_join_all;
use platform::{App, Result, Row};

use super::{Pending, event_row::NotificationEventRow};

/// Sets [`Pending::repeated`] of each record to the listed events that an earlier flush already counted.
///
/// The records must be read before this call, because a flush writes an event's row before it removes the event.
pub(super) async fn mark_counted(app: &App, records: &mut [Pending]) -> Result<()> {
    let events =
        records.iter().flat_map(|record| record.kept_events().map(|event| record.event_key(event.id)));
    let keys: HashSet<_> = events.collect();
    let keys: Vec<_> = keys.into_iter().collect();
    let counted: Vec<NotificationEventRow> = app.table.batch_get(&keys).await?;
    for record in records {
        let earlier = counted.iter().filter(|row| row.is_of_another_flush(record));
        record.repeated = earlier.map(|row| row.id).collect();
    }
    Ok(())
}

/// Writes a row for each flushed event that later flushes must skip. Then removes the flushed events with
/// [`Pending::remove_flushed`].
pub(super) async fn remove_flushed(app: &App, records: &[&Pending]) -> Result<()> {
    app.table.batch_write(&rows(records), &[]).await?;
    try_join_all(records.iter().map(|record| record.remove_flushed(app))).await.map(drop)
}

/// Returns rows for the new events that later flushes must skip. Each row has a different key.
fn rows(records: &[&Pending]) -> Vec<NotificationEventRow> {
    let rows = records.iter().flat_map(|record| {
        let excluded = record.kept_events().flat_map(|event| NotificationEventRow::excluded(record, event));
        let counted = record.kept_events().map(|event| NotificationEventRow::counted(record, event));
        excluded.chain(counted).map(|row| (row.key(), row))
    });
    rows.collect::<HashMap<_, _>>().into_values().collect()
}
