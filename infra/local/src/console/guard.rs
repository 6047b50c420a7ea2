//! Protects the console against other sites.

use axum::{extract::Request, middleware::Next, response::Response};
use lambda_http::http::{
    HeaderMap, HeaderName, HeaderValue, Method, StatusCode,
    header::{CACHE_CONTROL, CONTENT_SECURITY_POLICY, HOST, ORIGIN, REFERRER_POLICY, X_CONTENT_TYPE_OPTIONS},
};

use crate::answer;

const NAMES: [&str; 2] = ["127.0.0.1", "localhost"];
const SEC_FETCH_SITE: HeaderName = HeaderName::from_static("sec-fetch-site");
/// Content security policy that allows only the console's own files.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; \
    connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

/// Refuses requests whose host name is not local, to prevent DNS rebinding attacks.
pub(crate) async fn require_local_host(request: Request, next: Next) -> Response {
    let host = text(request.headers(), &HOST).unwrap_or_default();
    let name = host.rsplit_once(':').map_or(host, |(name, _)| name);
    match NAMES.contains(&name) {
        true => next.run(request).await,
        false => {
            answer::refusal(StatusCode::FORBIDDEN, "This page is available on localhost and 127.0.0.1 only")
        }
    }
}

/// Refuses writes from pages on other sites or ports. Requests by programs have no origin and are allowed.
pub(super) async fn require_same_origin(request: Request, next: Next) -> Response {
    let reads = matches!(*request.method(), Method::GET | Method::HEAD | Method::OPTIONS);
    match reads || is_same_origin(request.headers()) {
        true => next.run(request).await,
        false => answer::refusal(StatusCode::FORBIDDEN, "The console refuses requests from other sites"),
    }
}

fn is_same_origin(headers: &HeaderMap) -> bool {
    let site = text(headers, &SEC_FETCH_SITE).is_none_or(|site| matches!(site, "same-origin" | "none"));
    let own = text(headers, &HOST).map(|host| format!("http://{host}"));
    let origin =
        headers.get(ORIGIN).is_none_or(|origin| own.is_some_and(|own| origin.as_bytes() == own.as_bytes()));
    site && origin
}

/// Adds security headers that the response does not have yet.
pub(super) async fn protect(request: Request, next: Next) -> Response {
    let mut response = next.run(request).await;
    let headers = response.headers_mut();
    for (name, value) in [
        (CONTENT_SECURITY_POLICY, POLICY),
        (CACHE_CONTROL, "no-store"),
        // Links in emails contain tokens, which other sites must not see.
        (REFERRER_POLICY, "same-origin"),
        (X_CONTENT_TYPE_OPTIONS, "nosniff"),
    ] {
        headers.entry(name).or_insert(HeaderValue::from_static(value));
    }
    response
}

fn text<'a>(headers: &'a HeaderMap, name: &HeaderName) -> Option<&'a str> {
    headers.get(name).map(|value| value.to_str().unwrap_or_default())
}
