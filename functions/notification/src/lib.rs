//! `/notification`: the caller's notifications.

mod lists;
mod marks;

use platform::App;
use utoipa_axum::{router::OpenApiRouter, routes};

/// The routes of this function.
pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(lists::notifications))
        .routes(routes!(lists::unread_groups))
        .routes(routes!(marks::unread))
        .routes(routes!(marks::friend_requests))
        .routes(routes!(marks::read))
        .routes(routes!(marks::read_all))
}
