//! The scripts and styles of the API reference, embedded in the binary.

use axum::{
    Router,
    http::{HeaderValue, header::CACHE_CONTROL},
    middleware::map_response,
    response::Response,
};
use platform::App;
use swagger_ui_dist::{ApiDefinition, OpenApiSource};

/// Returns the routes below `/docs/ui`, which serve the files of Swagger UI.
pub(crate) fn routes() -> Router<App> {
    let api = ApiDefinition {
        uri_prefix: "/docs/ui",
        api_definition: OpenApiSource::Uri("/openapi.json"),
        title: Some("API reference"),
    };
    swagger_ui_dist::generate_routes(api).layer(map_response(cached)).with_state(())
}

/// Adds a header that allows clients to cache the file for a day.
async fn cached(mut file: Response) -> Response {
    file.headers_mut().insert(CACHE_CONTROL, HeaderValue::from_static("public, max-age=86400"));
    file
}
