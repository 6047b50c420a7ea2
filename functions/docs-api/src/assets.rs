//! The scripts and styles of the reference, out of the binary itself.

use axum::{
    Router,
    http::{HeaderValue, header::CACHE_CONTROL},
    middleware::map_response,
    response::Response,
};
use platform::App;
use swagger_ui_dist::{ApiDefinition, OpenApiSource};

/// Swagger UI's files, below `/docs/ui`.
pub(crate) fn routes() -> Router<App> {
    let api = ApiDefinition {
        uri_prefix: "/docs/ui",
        api_definition: OpenApiSource::Uri("/openapi.json"),
        title: Some("API reference"),
    };
    swagger_ui_dist::generate_routes(api).layer(map_response(cached)).with_state(())
}

/// Files change with a release of the service only: a day is short enough.
async fn cached(mut file: Response) -> Response {
    file.headers_mut().insert(CACHE_CONTROL, HeaderValue::from_static("public, max-age=86400"));
    file
}
