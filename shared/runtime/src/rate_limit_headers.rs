//! The `ratelimit-*` headers of an answer.

use axum::http::{HeaderMap, HeaderName, HeaderValue};
use platform::rate_limit::RateLimitStatus;

/// Writes the headers of the limit that the request struck or came nearest to.
pub(crate) fn write(status: RateLimitStatus, headers: &mut HeaderMap) {
    for (name, value) in [("limit", status.limit), ("remaining", status.remaining()), ("reset", status.reset)]
    {
        if let Ok(name) = HeaderName::try_from(format!("ratelimit-{name}")) {
            headers.insert(name, HeaderValue::from(value));
        }
    }
}
