//! Who may ask the console, and what a browser may do with its pages.

use axum::{extract::Request, middleware::Next, response::Response};
use lambda_http::http::{
    HeaderMap, HeaderName, HeaderValue, Method, StatusCode,
    header::{CACHE_CONTROL, CONTENT_SECURITY_POLICY, HOST, ORIGIN, REFERRER_POLICY, X_CONTENT_TYPE_OPTIONS},
};

use crate::answer;

const NAMES: [&str; 2] = ["127.0.0.1", "localhost"];
const SEC_FETCH_SITE: HeaderName = HeaderName::from_static("sec-fetch-site");
/// Its own files and nothing else.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; \
    connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

/// Refuses a request that a page of another site had its browser send here under that site's name.
pub(crate) async fn only_by_own_name(request: Request, next: Next) -> Response {
    let host = text(request.headers(), &HOST).unwrap_or_default();
    let name = host.rsplit_once(':').map_or(host, |(name, _)| name);
    match NAMES.contains(&name) {
        true => next.run(request).await,
        false => answer::refusal(StatusCode::FORBIDDEN, "This page is served at localhost only"),
    }
}

/// Refuses what a page of another site, or of another port, has its browser do here. Programs say nothing of sites.
pub(super) async fn only_from_here(request: Request, next: Next) -> Response {
    let reads = matches!(*request.method(), Method::GET | Method::HEAD | Method::OPTIONS);
    match reads || is_from_here(request.headers()) {
        true => next.run(request).await,
        false => answer::refusal(StatusCode::FORBIDDEN, "The console does nothing for pages of other sites"),
    }
}

fn is_from_here(headers: &HeaderMap) -> bool {
    let site = text(headers, &SEC_FETCH_SITE).is_none_or(|it| matches!(it, "same-origin" | "none"));
    let own = text(headers, &HOST).map(|host| format!("http://{host}"));
    let origin = headers.get(ORIGIN).is_none_or(|it| own.is_some_and(|own| it.as_bytes() == own.as_bytes()));
    site && origin
}

/// Gives pages the headers that they all have, unless they have others.
pub(super) async fn protect(request: Request, next: Next) -> Response {
    let mut response = next.run(request).await;
    let headers = response.headers_mut();
    for (name, value) in [
        (CONTENT_SECURITY_POLICY, POLICY),
        (CACHE_CONTROL, "no-store"),
        // Links in mails carry tokens, which no other site is told.
        (REFERRER_POLICY, "same-origin"),
        (X_CONTENT_TYPE_OPTIONS, "nosniff"),
    ] {
        headers.entry(name).or_insert(HeaderValue::from_static(value));
    }
    response
}

fn text<'a>(headers: &'a HeaderMap, name: &HeaderName) -> Option<&'a str> {
    headers.get(name).map(|it| it.to_str().unwrap_or_default())
}
