//! `/notification`: the caller's notifications.

mod lists;
mod marks;

use platform::App;
use utoipa_axum::{router::OpenApiRouter, routes};

/// The routes of this function.
pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(lists::list_notifications))
        .routes(routes!(lists::list_unread_groups))
        .routes(routes!(marks::get_unread_status))
        .routes(routes!(marks::count_friend_requests))
        .routes(routes!(marks::mark_notification_read))
        .routes(routes!(marks::mark_all_notifications_read))
}
