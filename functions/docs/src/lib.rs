//! The API reference, and the answer to every path that nobody serves.

use shared::App;
use utoipa_axum::router::OpenApiRouter;

/// The routes of this function.
pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new()
}
