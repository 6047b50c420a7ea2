//! How many notifications were flushed and not announced yet. The end of a tick announces their sum to everybody, once;
//! after a crash the next tick does.

use base::jobs::OutboundJob;
use platform::{
    App, Result, retry_on_conflict,
    table::{Key, Row, Write},
};
use serde::{Deserialize, Serialize};

use super::{NotificationNew, NotificationsFlushed};

/// How many were flushed since the last announcement.
#[derive(Serialize, Deserialize)]
struct News {
    count: i64,
}

/// Counts notifications that were flushed, and has each pushed to its recipient, and to the devices of those who have
/// some.
pub(super) async fn add(app: &App, flushed: &[NotificationNew], pushes: &[OutboundJob]) -> Result<()> {
    let count = Write::update(count_key()).add("count", flushed.len() as i64);
    let count = flushed.iter().fold(count, Write::then_publish);
    app.table.write(pushes.iter().fold(count, Write::then)).await
}

/// Has the sum of all that was flushed announced.
///
/// # Errors
/// [`platform::Error::LimitReached`] when other ticks take the news all the time.
pub(super) async fn announce(app: &App) -> Result<()> {
    retry_on_conflict(async || {
        let News { count } = app.table.get(&count_key()).await?.unwrap_or(News { count: 0 });
        match count {
            0 => Ok(()),
            _ => app.table.write(announce_write(count)).await,
        }
    })
    .await
}

/// Returns the write that announces a sum, and takes it. It is stale when another tick did.
fn announce_write(count: i64) -> Write {
    let flushed = NotificationsFlushed { count: usize::try_from(count).unwrap_or_default() };
    Write::update(count_key()).add("count", -count).equals("count", count).then_publish(&flushed)
}

fn count_key() -> Key {
    Key::new("NEWS", "COUNT")
}

/// `NEWS / COUNT`
impl Row for News {
    fn key(&self) -> Key {
        count_key()
    }
}
