//! Counts an event only once, even if a worker records it twice, days apart. When a flush counts such an event, it also
//! writes a row for the event. Later flushes find this row and skip the event. The row expires after a week.

use std::collections::HashSet;

use futures::future::try_join_all;
use platform::{App, Result, table::Row};

use super::{Pending, recent_events::NotificationEventRow};

/// Marks the listed events that an earlier flush already counted.
///
/// The records must be read before this call, because a flush writes an event's row before it removes the event.
pub(super) async fn mark_counted(app: &App, records: &mut [Pending]) -> Result<()> {
    let keys: HashSet<_> = rows(records.iter()).map(|it| it.key()).collect();
    let keys: Vec<_> = keys.into_iter().collect();
    let counted: Vec<NotificationEventRow> = app.table.batch_get(&keys).await?;
    for record in records {
        let earlier = counted.iter().filter(|it| it.is_of_another_flush(record));
        record.repeated = earlier.map(|it| it.id).collect();
    }
    Ok(())
}

/// Writes a row for each flushed event that a worker may record again. Then removes the flushed events with
/// [`Pending::remove_flushed`].
pub(super) async fn remove_flushed(app: &App, records: &[&Pending]) -> Result<()> {
    let rows: Vec<_> = rows(records.iter().copied()).collect();
    app.table.batch_write(&rows, &[]).await?;
    try_join_all(records.iter().map(|it| it.remove_flushed(app))).await.map(drop)
}

/// Returns a row for each new event that a worker may record again.
fn rows<'a>(records: impl Iterator<Item = &'a Pending>) -> impl Iterator<Item = NotificationEventRow> {
    records.flat_map(|record| record.repeatable().map(|event| NotificationEventRow::counted(record, event)))
}
