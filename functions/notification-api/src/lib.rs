//! `/notification`: the caller's notifications.

mod lists;
mod read_marks;

use runtime::{Routes, routes};

/// Returns this Lambda function's HTTP routes.
pub fn routes() -> Routes {
    routes![
        lists::list_notifications,
        lists::list_unread_groups,
        read_marks::get_unread_status,
        read_marks::count_friend_requests,
        read_marks::mark_notification_read,
        read_marks::mark_all_notifications_read,
    ]
}
