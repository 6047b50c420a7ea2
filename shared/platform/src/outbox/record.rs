//! A row that is there for its outbox only.

use serde::{Deserialize, Serialize};
use ulid::Ulid;

use crate::{
    App,
    table::{Key, Row, Write},
    time::Time,
};

/// Longer than the stream keeps a record, and than an operator takes to have it delivered again.
const KEPT_SECONDS: i64 = 7 * 24 * 60 * 60;

#[derive(Serialize, Deserialize)]
struct OutboxRecord {
    pk: String,
    expires: Time,
}

/// Returns the write of a row of its own, for a transaction that writes no other row that is in no index: an outbox on
/// one that is would be copied into the index, and would come to the relay again with each change of the row.
pub fn outbox_record_write(app: &App) -> Write {
    let id: Ulid = app.ids.next(app.now());
    let record = OutboxRecord { pk: format!("OUTBOX#{id}"), expires: app.now().plus_seconds(KEPT_SECONDS) };
    Write::create(&record)
}

/// `OUTBOX#id / OUTBOX`, swept after a week
impl Row for OutboxRecord {
    fn key(&self) -> Key {
        Key::new(&self.pk, "OUTBOX")
    }

    fn expires(&self) -> Option<Time> {
        Some(self.expires)
    }
}
