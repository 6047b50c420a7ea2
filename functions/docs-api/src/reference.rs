//! The page on which the API can be read and tried.

use axum::{
    http::{
        HeaderName,
        header::{CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE},
    },
    response::{Html, IntoResponse, Response},
};

const A_MINUTE: (HeaderName, &str) = (CACHE_CONTROL, "public, max-age=60");
/// Scripts and styles come from here alone; Swagger UI draws with styles and images of its own.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; \
    img-src 'self' data:; font-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; \
    frame-ancestors 'none'";

pub(crate) async fn show() -> Response {
    let page = Html(include_str!("reference.html"));
    ([A_MINUTE, (CONTENT_SECURITY_POLICY, POLICY)], page).into_response()
}

pub(crate) async fn script() -> Response {
    ([A_MINUTE, (CONTENT_TYPE, "text/javascript")], include_str!("reference.js")).into_response()
}
