//! The `ratelimit-*` headers of a response.

use axum::http::HeaderMap;
use platform::rate_limit::RateLimitStatus;

/// Adds the `ratelimit-*` headers for this status.
pub(crate) fn write(status: RateLimitStatus, headers: &mut HeaderMap) {
    headers.insert("ratelimit-limit", status.limit.into());
    headers.insert("ratelimit-remaining", status.remaining().into());
    headers.insert("ratelimit-reset", status.reset.into());
}
