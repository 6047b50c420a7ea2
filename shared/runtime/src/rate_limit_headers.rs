//! The `ratelimit-*` headers of an answer.

use std::sync::{Arc, Mutex, PoisonError};

use axum::http::{Extensions, HeaderMap, HeaderName, HeaderValue};
use platform::{Result, rate_limit::RateLimitStatus};

/// Carries a [`RateLimitStatus`] from where it is counted to the headers of the answer.
#[derive(Clone, Default)]
pub(crate) struct RateLimitHeaders(Arc<Mutex<Option<RateLimitStatus>>>);

impl RateLimitHeaders {
    /// Writes the headers, where the request was counted.
    pub(crate) fn write(&self, headers: &mut HeaderMap) {
        let noted = *self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(RateLimitStatus { limit, used, reset }) = noted else { return };
        let remaining = (limit - used).max(0);
        for (name, value) in [("limit", limit), ("remaining", remaining), ("reset", reset)] {
            if let Ok(name) = HeaderName::try_from(format!("ratelimit-{name}")) {
                headers.insert(name, HeaderValue::from(value));
            }
        }
    }
}

/// Notes the status for the headers of the answer, and refuses the request when it is one too many.
///
/// # Errors
/// [`platform::Error::LimitReached`] over the limit.
pub fn enforce(standing: RateLimitStatus, request: &Extensions) -> Result<()> {
    if let Some(headers) = request.get::<RateLimitHeaders>() {
        *headers.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(standing);
    }
    standing.enforce()
}
