//! The API reference, health checks, and the 404 response for unknown paths.

mod assets;
mod document;
mod health;
mod reference;

use axum::{Router, response::Redirect, routing::get};
use runtime::{Routes, routes};

const JSON: &str = "application/json";
const MARKDOWN: &str = "text/markdown; charset=utf-8";

/// API documents to serve.
#[derive(Clone, Copy)]
pub struct Documents {
    /// OpenAPI document of the operations.
    pub openapi: &'static str,
    /// AsyncAPI document of the pushed events.
    pub asyncapi: &'static str,
    /// Guides, as Markdown.
    pub guides: &'static str,
}

/// The API documents in this repository, embedded at build time. `make openapi` updates them.
pub const PUBLISHED: Documents = Documents {
    openapi: include_str!("../openapi.json"),
    asyncapi: include_str!("../asyncapi.json"),
    guides: include_str!("../guides.txt"),
};

/// Returns all HTTP routes of this function: the health checks, `documents` and the API reference.
pub fn routes(documents: Documents) -> Routes {
    described_routes().merge(reference_routes(documents))
}

/// Returns the routes that the API document describes: the health checks.
pub fn described_routes() -> Routes {
    routes![health::check_health, health::check_readiness]
}

fn reference_routes(documents: Documents) -> Routes {
    let routes = Router::new()
        .route("/", get(async || Redirect::temporary("/docs")))
        .route("/openapi.json", document::route(JSON, documents.openapi))
        .route("/asyncapi.json", document::route(JSON, documents.asyncapi))
        .route("/docs/guides.md", document::route(MARKDOWN, documents.guides))
        .route("/docs/guides", get(reference::show_guides))
        .route("/docs", get(reference::show_operations))
        .route("/docs/", get(reference::show_operations))
        .route("/docs/events", get(reference::show_events))
        .merge(assets::routes());
    routes.into()
}
