//! Notifications that are flushed but not published. The flush writes an entry in its transaction, and
//! publishing deletes it; a crash between the two only delays the publishing.

use platform::{
    App, Result,
    table::{Key, Query, Row},
};
use serde::{Deserialize, Serialize};

use super::{Notification, NotificationNew, NotificationsFlushed};
use crate::ids::{EventId, NotificationId, UserId};

const PARTITION: &str = "NEWS";
/// How many entries one run publishes.
const ENTRIES_MAX: usize = 100;

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

/// Publishes the entries: one event with their number for everybody, one event for each recipient.
/// Costs 1 call and 1 RRU without entries; else 1 event more than entries, and 1 WRU for each entry.
///
/// # Errors
/// Internal, when the bus refuses an event: the next run publishes it.
pub(super) async fn publish(app: &App) -> Result<()> {
    let query = Query::partition(PARTITION).consistent().limit(ENTRIES_MAX);
    let entries: Vec<OutboxEntry> = app.table.query(&query).await?;
    if entries.is_empty() {
        return Ok(());
    }
    app.bus.publish(&NotificationsFlushed { count: entries.len() }).await?;
    for OutboxEntry { recipient, notification, .. } in &entries {
        let event = NotificationNew { recipient_id: *recipient, notification_id: *notification };
        app.bus.publish(&event).await?;
    }
    let keys: Vec<_> = entries.iter().map(Row::key).collect();
    app.table.batch_write::<OutboxEntry>(&[], &keys).await
}

/// `NEWS / event#notification`
impl Row for OutboxEntry {
    fn key(&self) -> Key {
        Key::new(PARTITION, format!("{}#{}", self.event, self.notification))
    }
}
