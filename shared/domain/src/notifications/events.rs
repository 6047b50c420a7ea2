//! What the bus is told of notifications.

use crate::ids::{NotificationId, UserId};

platform::bus_events! {
    /// Somebody has news: a group of notifications is new, or has more in it.
    NotificationNew {
        /// Who.
        recipient_id: UserId,
        /// Which group.
        notification_id: NotificationId,
    }

    /// A batch of notifications was flushed; for everybody, so it says only how many.
    NotificationsFlushed {
        /// How many groups.
        count: usize,
    }
}
