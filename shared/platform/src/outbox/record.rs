//! Rows that exist only for their outbox.

use serde::{Deserialize, Serialize};
use ulid::Ulid;

use crate::{App, Job, Key, Row, Time, Write};

/// Lifetime of a row. Gives an operator time to deliver the outbox again.
const LIFETIME_SECONDS: i64 = 7 * 24 * 60 * 60;

#[derive(Serialize, Deserialize)]
struct OutboxRecord {
    pk: String,
    expires: Time,
}

/// Returns the write of a separate row for an outbox. Use it in a transaction in which all other rows are in an index.
///
/// An outbox on an indexed row would be copied into the index. Each later change to the row would also send the outbox
/// to the relay.
pub fn outbox_record_write(app: &App) -> Write {
    let id: Ulid = app.ids.next(app.now());
    let record =
        OutboxRecord { pk: format!("OUTBOX#{id}"), expires: app.now().plus_seconds(LIFETIME_SECONDS) };
    Write::create(&record)
}

/// Returns the write of a separate row for an outbox with these jobs, or `None` if there are no jobs. See
/// [`outbox_record_write`].
pub fn outbox_jobs_write<J: Job>(app: &App, jobs: impl IntoIterator<Item = J>) -> Option<Write> {
    let mut jobs = jobs.into_iter().peekable();
    jobs.peek()?;
    Some(jobs.fold(outbox_record_write(app), |record, job| record.then(&job)))
}

/// `OUTBOX#id / OUTBOX`, expires after a week
impl Row for OutboxRecord {
    fn key(&self) -> Key {
        Key::new(&self.pk, "OUTBOX")
    }

    fn expires(&self) -> Option<Time> {
        Some(self.expires)
    }
}
