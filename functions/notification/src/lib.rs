//! `/notification`: what happened that concerns the caller.

use shared::App;
use utoipa_axum::router::OpenApiRouter;

/// The routes of this function.
pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new()
}
