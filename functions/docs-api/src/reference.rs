//! The pages that show the API reference, the realtime events and the guides.

use axum::{
    http::{
        HeaderName,
        header::{CACHE_CONTROL, CONTENT_SECURITY_POLICY},
    },
    response::{Html, IntoResponse, Response},
};

const CACHE_ONE_MINUTE: (HeaderName, &str) = (CACHE_CONTROL, "public, max-age=60");
/// Content security policy of these pages. Scripts must come from this origin. OpenAPI Explorer needs inline styles and
/// `data:` images.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; \
    img-src 'self' data:; font-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; \
    frame-ancestors 'none'";

/// Returns the page that shows the operations of the OpenAPI document.
pub(crate) async fn show_operations() -> Response {
    page(include_str!("page/reference.html").to_owned())
}

/// Returns the page that shows the channels and events of the AsyncAPI document.
pub(crate) async fn show_events() -> Response {
    text_page("events", "realtime events", "/asyncapi.json")
}

/// Returns the page that shows the guides.
pub(crate) async fn show_guides() -> Response {
    text_page("guides", "guides", "/docs/guides.md")
}

/// Returns a page that loads the script `/docs/{name}.js`. The script shows the document at the path `document`.
fn text_page(name: &str, title: &str, document: &str) -> Response {
    page(format!(include_str!("page/text.html"), name = name, title = title, document = document))
}

fn page(html: String) -> Response {
    ([CACHE_ONE_MINUTE, (CONTENT_SECURITY_POLICY, POLICY)], Html(html)).into_response()
}
