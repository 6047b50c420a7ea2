//! Events that a worker may record again, days later: they lie on a record, and from its flush on a row says for a
//! week that they were counted.

use std::collections::HashSet;

use futures::future::try_join_all;
use platform::{App, Result, table::Row};

use super::{Pending, recent_events::NotificationEventRow};

/// Has these records leave out what an earlier flush has counted.
///
/// The records are to be read before: whoever takes an event off a record writes its row first.
pub(super) async fn leave_out(app: &App, records: &mut [Pending]) -> Result<()> {
    let keys: HashSet<_> = rows(records.iter()).map(|it| it.key()).collect();
    let keys: Vec<_> = keys.into_iter().collect();
    let counted: Vec<NotificationEventRow> = app.table.batch_get(&keys).await?;
    for record in records {
        let earlier = counted.iter().filter(|it| it.is_of_another_flush(record));
        record.repeated = earlier.map(|it| it.id).collect();
    }
    Ok(())
}

/// Takes the counts that were read off records, as [`Pending::take`] does.
pub(super) async fn take(app: &App, records: &[&Pending]) -> Result<()> {
    let rows: Vec<_> = rows(records.iter().copied()).collect();
    app.table.batch_write(&rows, &[]).await?;
    try_join_all(records.iter().map(|it| it.take(app))).await.map(drop)
}

/// The rows of what these records list that may be recorded again, and that none has counted before.
fn rows<'a>(records: impl Iterator<Item = &'a Pending>) -> impl Iterator<Item = NotificationEventRow> {
    records.flat_map(|record| record.repeatable().map(|it| NotificationEventRow::counted(record, it)))
}
