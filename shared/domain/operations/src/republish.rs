//! Redelivers outboxes, the messages that a write stores in its row, after the DynamoDB stream has lost records.
//!
//! Workers ignore an outbox that is delivered twice. A repeated push to clients has the same ID as the first push.

use futures::{StreamExt, TryStreamExt, stream};
use platform::{App, Key, Result, Time, Write, outbox, table::Next};
use serde::Deserialize;

const PARALLEL_WRITES: usize = 25;

/// The time range in which the redelivered outboxes were written.
#[derive(Clone, Copy, Debug)]
pub struct Window {
    /// The start, inclusive.
    pub since: Time,
    /// The end, inclusive.
    pub until: Time,
}

#[derive(Deserialize)]
struct OutboxRow {
    pk: String,
    sk: String,
    outbox: String,
}

/// Reads a page of the table, and redelivers the outboxes that were written in `window`. Returns the number of these
/// outboxes, and the cursor of the next page.
///
/// # Errors
/// Fails if a request to DynamoDB fails.
pub async fn republish(app: &App, window: Window, from: Option<Next>) -> Result<(usize, Option<Next>)> {
    let (rows, next) = app.table.scan::<OutboxRow>(from).await?;
    let writes: Vec<_> = rows.iter().filter_map(|row| touch_write(app, window, row)).collect();
    let found = writes.len();
    // A write is refused if its row changed after the read. In that case, the relay delivers the row's new outbox.
    let writes = writes.into_iter().map(|write| app.table.try_write(write));
    stream::iter(writes).buffer_unordered(PARALLEL_WRITES).try_for_each(async |_| Ok(())).await?;
    Ok((found, next))
}

/// Returns the write that makes the relay deliver the outbox again, or `None` if the outbox was written outside of
/// `window`.
fn touch_write(app: &App, window: Window, OutboxRow { pk, sk, outbox }: &OutboxRow) -> Option<Write> {
    let written_at = outbox::written_at(outbox)?;
    let again = outbox::for_redelivery(outbox, app.now())?;
    let is_inside = window.since <= written_at && written_at <= window.until;
    is_inside.then(|| {
        Write::update(Key::new(pk, sk)).set(outbox::ATTRIBUTE, again).equals(outbox::ATTRIBUTE, outbox)
    })
}
