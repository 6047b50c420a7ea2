//! The API reference, and the answer to every path that nobody serves.

mod assets;
mod reference;

use axum::{
    http::header::{CACHE_CONTROL, CONTENT_TYPE},
    response::{IntoResponse, Redirect, Response},
    routing::get,
};
use platform::App;
use utoipa_axum::router::OpenApiRouter;

/// The document as it was when this crate was published: the functions that it describes are not linked
/// for it. `make openapi` writes it anew.
pub const PUBLISHED: &str = include_str!("../openapi.json");

/// The routes of this function, which shows `document`. They are not in it: they are how it is read.
pub fn routes(document: &'static str) -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .route("/", get(async || Redirect::temporary("/docs")))
        .route("/openapi.json", get(async move || show(document)))
        .route("/docs", get(reference::show))
        .route("/docs/", get(reference::show))
        .route("/docs/reference.js", get(reference::script))
        .merge(assets::routes().into())
}

fn show(document: &'static str) -> Response {
    ([(CONTENT_TYPE, "application/json"), (CACHE_CONTROL, "public, max-age=60")], document).into_response()
}
