//! Names of HTTP headers that a setting can choose.

use http::HeaderName;

/// Headers that clients, the gateway or the CDN set for other purposes. They cannot contain a signature.
const OTHER_HEADERS: [&str; 33] = [
    "accept",
    "accept-encoding",
    "accept-language",
    "cache-control",
    "connection",
    "content-encoding",
    "content-length",
    "content-type",
    "cookie",
    "date",
    "expect",
    "forwarded",
    "host",
    "idempotency-key",
    "keep-alive",
    "origin",
    "proxy-authorization",
    "proxy-connection",
    "range",
    "referer",
    "te",
    "trailer",
    "transfer-encoding",
    "upgrade",
    "user-agent",
    "via",
    "x-amzn-trace-id",
    "x-forwarded-for",
    "x-forwarded-port",
    "x-forwarded-proto",
    "x-origin-secret",
    "x-viewer-address",
    "x-viewer-host",
];

/// Returns whether a text is the name of a header that has no other meaning.
pub(super) fn is_free_header(text: &str) -> bool {
    HeaderName::try_from(text).is_ok_and(|name| !OTHER_HEADERS.contains(&name.as_str()))
}
