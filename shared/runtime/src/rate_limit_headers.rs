//! The `ratelimit-*` headers of a response.

use axum::http::{HeaderMap, HeaderName, HeaderValue};
use platform::rate_limit::RateLimitStatus;

/// Adds the `ratelimit-*` headers for this status.
pub(crate) fn write(status: RateLimitStatus, headers: &mut HeaderMap) {
    for (name, value) in [("limit", status.limit), ("remaining", status.remaining()), ("reset", status.reset)]
    {
        if let Ok(name) = HeaderName::try_from(format!("ratelimit-{name}")) {
            headers.insert(name, HeaderValue::from(value));
        }
    }
}
