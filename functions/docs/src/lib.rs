//! The API reference, and the answer to every path that nobody serves.

mod assets;
mod document;
mod reference;

use axum::{response::Redirect, routing::get};
use shared::App;
use utoipa_axum::router::OpenApiRouter;

pub use document::document;

/// The routes of this function. They are not in the document: they are how it is read.
pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .route("/", get(async || Redirect::temporary("/docs")))
        .route("/openapi.json", get(document::show))
        .route("/docs", get(reference::show))
        .route("/docs/", get(reference::show))
        .merge(assets::routes().into())
}
