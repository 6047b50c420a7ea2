//! `/posts`: writing, reading, answering, liking, and the feeds.

use shared::App;
use utoipa_axum::router::OpenApiRouter;

/// The routes of this function.
pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new()
}
