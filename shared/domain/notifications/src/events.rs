//! The bus events that notifications publish.

use base::{NotificationId, UserId};

platform::bus_events! {
    /// A notification was created, or its count increased.
    NotificationNew {
        /// The user who is notified.
        recipient_id: UserId,
        /// The new or updated notification.
        notification_id: NotificationId,
    }

    /// New notifications were written. All clients receive this event, so it contains only the number of notifications.
    #[derive(utoipa::ToSchema)]
    NotificationsFlushed {
        /// The number of notifications.
        count: usize,
    }
}
