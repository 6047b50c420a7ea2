//! The page and the script of the API reference.

use axum::{
    http::{
        HeaderName,
        header::{CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE},
    },
    response::{Html, IntoResponse, Response},
};

const CACHE_ONE_MINUTE: (HeaderName, &str) = (CACHE_CONTROL, "public, max-age=60");
/// Content security policy of the API reference. Scripts must come from this origin. Swagger UI needs inline styles and
/// `data:` images.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; \
    img-src 'self' data:; font-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; \
    frame-ancestors 'none'";

pub(crate) async fn show() -> Response {
    let page = Html(include_str!("reference.html"));
    ([CACHE_ONE_MINUTE, (CONTENT_SECURITY_POLICY, POLICY)], page).into_response()
}

pub(crate) async fn script() -> Response {
    ([CACHE_ONE_MINUTE, (CONTENT_TYPE, "text/javascript")], include_str!("reference.js")).into_response()
}
