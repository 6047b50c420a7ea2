//! Notifications that are flushed but not published. The flush writes an entry in its transaction; the end of the run
//! takes all entries there are, so that everybody hears of their sum once. A crash between the two only delays that.

use platform::{
    App, Result,
    outbox::letter_write,
    retry_stale,
    table::{Key, Query, Row, Write},
};
use serde::{Deserialize, Serialize};

use super::{Notification, NotificationNew, NotificationsFlushed};
use crate::ids::{EventId, NotificationId, UserId};

const PARTITION: &str = "NEWS";
/// How many entries one run publishes: one less than a transaction has steps.
const ENTRIES_MAX: usize = 99;

/// A notification that is to be published.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct OutboxEntry {
    recipient: UserId,
    notification: NotificationId,
    event: EventId,
}

impl OutboxEntry {
    pub(super) fn of(notification: &Notification) -> Self {
        Self {
            recipient: notification.subject.recipient,
            notification: notification.id(),
            event: notification.last_event,
        }
    }
}

/// Takes the entries, and has published: their number for everybody, and each for its recipient. Costs 1 call and 1
/// RRU without entries; else 1 call, 2 WRU for each entry and 2 for each 1 KB of events more.
///
/// # Errors
/// [`platform::Error::LimitReached`] when other runs take them all the time.
pub(super) async fn publish(app: &App) -> Result<()> {
    retry_stale(async || {
        let query = Query::partition(PARTITION).consistent().limit(ENTRIES_MAX);
        let entries: Vec<OutboxEntry> = app.table.query(&query).await?;
        match entries.is_empty() {
            true => Ok(()),
            false => app.table.transact(publish_writes(app, &entries)).await,
        }
    })
    .await
}

/// Returns the writes that publish the entries. They are stale when another run took one of them.
fn publish_writes(app: &App, entries: &[OutboxEntry]) -> Vec<Write> {
    let mut letter = letter_write(app).then_publish(&NotificationsFlushed { count: entries.len() });
    for &OutboxEntry { recipient, notification, .. } in entries {
        letter =
            letter.then_publish(&NotificationNew { recipient_id: recipient, notification_id: notification });
    }
    let taken = entries.iter().map(|it| Write::delete(it.key()).exists().into());
    [letter].into_iter().chain(taken).collect()
}

/// `NEWS / event#notification`
impl Row for OutboxEntry {
    fn key(&self) -> Key {
        Key::new(PARTITION, format!("{}#{}", self.event, self.notification))
    }
}
