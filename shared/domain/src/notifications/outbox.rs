//! What is still to be announced. Written with the flush and deleted after the announcement, so a
//! crash between the two only delays it.

use platform::{
    App, Result,
    table::{Key, Query, Row},
};
use serde::{Deserialize, Serialize};

use super::Notification;
use crate::{
    ids::{EventId, NotificationId, UserId},
    notifications::{NotificationNew, NotificationsFlushed},
};

const TOGETHER_MAX: usize = 100;

/// A group whose news is to be announced.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct OutboxEntry {
    recipient: UserId,
    notification: NotificationId,
    event: EventId,
}

impl OutboxEntry {
    pub(super) fn of(group: &Notification) -> Self {
        Self { recipient: group.subject.recipient, notification: group.id(), event: group.last_event }
    }
}

/// Announces what was flushed: how many to everybody, each to its recipient. 1 call and 1 RRU when
/// there is nothing; then an event and 1 WRU for each.
///
/// # Errors
/// Internal, when the bus does not take it: it is announced by the next run.
pub(super) async fn publish(app: &App) -> Result<()> {
    let news: Vec<OutboxEntry> =
        app.table.query(&Query::partition("NEWS").consistent().limit(TOGETHER_MAX)).await?;
    if news.is_empty() {
        return Ok(());
    }
    app.events.publish(&NotificationsFlushed { count: news.len() }).await?;
    for OutboxEntry { recipient, notification, .. } in &news {
        let told = NotificationNew { recipient_id: *recipient, notification_id: *notification };
        app.events.publish(&told).await?;
    }
    let keys: Vec<_> = news.iter().map(Row::key).collect();
    app.table.batch_write::<OutboxEntry>(&[], &keys).await
}

/// `NEWS / notification_event#group`
impl Row for OutboxEntry {
    fn key(&self) -> Key {
        Key::new("NEWS", format!("{}#{}", self.event, self.notification))
    }
}
