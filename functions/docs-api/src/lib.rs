//! The API reference, and the answer to every path that nobody serves.

mod assets;
mod reference;

use axum::{
    Router,
    http::header::{CACHE_CONTROL, CONTENT_TYPE},
    response::{IntoResponse, Redirect, Response},
    routing::get,
};
use runtime::http::Routes;

/// The documents that this function shows.
#[derive(Clone, Copy)]
pub struct Documents {
    /// What clients may ask: OpenAPI.
    pub openapi: &'static str,
    /// What they may hear: AsyncAPI.
    pub asyncapi: &'static str,
}

/// The documents as they were when this crate was published: the functions that they describe are not linked
/// for them. `make openapi` writes them anew.
pub const PUBLISHED: Documents =
    Documents { openapi: include_str!("../openapi.json"), asyncapi: include_str!("../asyncapi.json") };

/// The routes of this function, which shows `documents`. They are not in them: they are how these are read.
pub fn routes(documents: Documents) -> Routes {
    let routes = Router::new()
        .route("/", get(async || Redirect::temporary("/docs")))
        .route("/openapi.json", get(async move || show(documents.openapi)))
        .route("/asyncapi.json", get(async move || show(documents.asyncapi)))
        .route("/docs", get(reference::show))
        .route("/docs/", get(reference::show))
        .route("/docs/reference.js", get(reference::script))
        .merge(assets::routes());
    routes.into()
}

fn show(document: &'static str) -> Response {
    ([(CONTENT_TYPE, "application/json"), (CACHE_CONTROL, "public, max-age=60")], document).into_response()
}
