//! `/circles`: groups that live of what their members write.

mod circles;

use shared::App;
use utoipa_axum::{router::OpenApiRouter, routes};

/// The routes of this function.
pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(circles::create, circles::list)).routes(routes!(circles::read))
}
