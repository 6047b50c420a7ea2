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
struct Letter {
    pk: String,
    expires: Time,
}

/// Returns the write of a row of its own, for a transaction that writes no other row that is in no index: an outbox on
/// one that is would be copied into the index, and would come to the relay again with each change of the row.
pub fn letter_write(app: &App) -> Write {
    let id: Ulid = app.ids.next(app.now());
    let letter = Letter { pk: format!("LETTER#{id}"), expires: app.now().plus_seconds(KEPT_SECONDS) };
    Write::create(&letter)
}

/// `LETTER#id / LETTER`, swept after a week
impl Row for Letter {
    fn key(&self) -> Key {
        Key::new(&self.pk, "LETTER")
    }

    fn expires(&self) -> Option<Time> {
        Some(self.expires)
    }
}
