//! Counts the notifications that the flush job writes. When the job ends, it announces the count to all clients. After
//! a crash, the next run announces the count.

use base::OutboundJob;
use platform::{App, Key, Result, Row, Write, caused::CausedBy, retry_on_conflict};
use serde::{Deserialize, Serialize};

use super::{NotificationNew, NotificationsFlushed};

/// The number of notifications flushed since the last announcement.
#[derive(Serialize, Deserialize)]
struct FlushedCount {
    count: i64,
}

/// Adds the number of events in `flushed` to the count. Also publishes these events, and sends the jobs in `pushes`.
pub(super) async fn add(
    app: &App,
    flushed: &[CausedBy<NotificationNew>],
    pushes: &[CausedBy<OutboundJob>],
) -> Result<()> {
    let count = Write::update(count_key()).add("count", flushed.len() as i64);
    let count = flushed.iter().fold(count, Write::then_publish);
    app.table.write(pushes.iter().fold(count, Write::then)).await
}

/// Announces the count to all clients, and resets the count.
///
/// # Errors
/// Fails with [`platform::Error::LimitReached`] if concurrent runs change the count at every attempt.
pub(super) async fn announce(app: &App) -> Result<()> {
    retry_on_conflict(async || match app.table.get(&count_key()).await? {
        None | Some(FlushedCount { count: 0 }) => Ok(()),
        Some(FlushedCount { count }) => app.table.write(announce_write(count)).await,
    })
    .await
}

/// Returns the write that announces `count`, and subtracts `count` from the stored count. Fails with a conflict if the
/// stored count changed.
fn announce_write(count: i64) -> Write {
    let flushed = NotificationsFlushed { count: usize::try_from(count).unwrap_or_default() };
    Write::update(count_key()).add("count", -count).equals("count", count).then_publish(&flushed)
}

fn count_key() -> Key {
    Key::new("NEWS", "COUNT")
}

/// `NEWS / COUNT`
impl Row for FlushedCount {
    fn key(&self) -> Key {
        count_key()
    }
}
