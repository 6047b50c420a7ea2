//! `/notification`: the caller's notifications.

mod lists;
mod marks;

use runtime::{http::Routes, routes};

/// The routes of this function.
pub fn routes() -> Routes {
    routes![
        lists::list_notifications,
        lists::list_unread_groups,
        marks::get_unread_status,
        marks::count_friend_requests,
        marks::mark_notification_read,
        marks::mark_all_notifications_read,
    ]
}
