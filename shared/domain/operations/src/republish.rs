//! Delivers outboxes again, for operators after the stream has lost records.
//!
//! Delivering an outbox twice has no effect on workers. A repeated push keeps the ID of the first push.

use futures::future::try_join_all;
use platform::{
    App, Result, outbox,
    table::{Key, Next, Write},
    time::Time,
};
use serde::Deserialize;

const PARALLEL_WRITES: usize = 25;

/// A time range. Outboxes that were written in this range are delivered again.
#[derive(Clone, Copy, Debug)]
pub struct Window {
    /// The start, inclusive.
    pub since: Time,
    /// The end, inclusive.
    pub until: Time,
}

/// A row with an outbox.
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
/// Fails if DynamoDB fails.
pub async fn republish(app: &App, window: Window, from: Option<Next>) -> Result<(usize, Option<Next>)> {
    let (rows, next) = app.table.scan::<OutboxRow>(from).await?;
    let writes: Vec<_> = rows.iter().filter_map(|row| touch_write(app, window, row)).collect();
    let found = writes.len();
    let mut writes = writes.into_iter().peekable();
    while writes.peek().is_some() {
        try_join_all(writes.by_ref().take(PARALLEL_WRITES).map(|write| touch(app, write))).await?;
    }
    Ok((found, next))
}

/// Writes a row's outbox again, so that the relay delivers it. Does nothing if the row was written meanwhile, because
/// the relay then delivers the new outbox.
async fn touch(app: &App, write: Write) -> Result<()> {
    app.table.try_write(write).await.map(drop)
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
