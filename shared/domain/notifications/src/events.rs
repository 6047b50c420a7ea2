//! The bus events that notifications publish.

use base::ids::{NotificationId, UserId};

platform::bus_events! {
    /// A notification is new, or counts more events than before.
    NotificationNew {
        /// The user whose notification it is.
        recipient_id: UserId,
        /// The notification.
        notification_id: NotificationId,
    }

    /// A batch of notifications was flushed. Everybody receives it, so it says only how many.
    NotificationsFlushed {
        /// The number of notifications.
        count: usize,
    }
}
