//! Maps errors to HTTP: status, code and body.

use axum::{
    Json,
    http::{HeaderValue, StatusCode, header::RETRY_AFTER},
    response::{IntoResponse, Response},
};
use platform::Error as Failed;
use serde_json::json;

/// The result of a handler, an extractor or a middleware.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// The response header with the token that a banned user needs for an appeal.
pub const X_APPEAL_TOKEN: &str = "x-appeal-token";

/// Why a request failed.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The domain returned an error.
    #[error(transparent)]
    Failed(#[from] Failed),
    /// The body is too large.
    #[error("the body must have at most 65536 bytes")]
    PayloadTooLarge,
    /// The path exists, but does not support the request's method.
    #[error("this path does not support this method")]
    MethodNotAllowed,
}

impl Error {
    /// Returns the recommended delay before a retry in seconds, or `None` if no delay is recommended.
    fn retry_after(&self) -> Option<i64> {
        match self {
            Self::Failed(Failed::WriteConflict | Failed::Throttled(_)) => Some(1),
            Self::Failed(Failed::LimitReached { retry_after }) => Some(*retry_after),
            _ => None,
        }
    }

    /// Returns the status and the error code of the response.
    pub fn status(&self) -> (StatusCode, &'static str) {
        match self {
            Self::Failed(failed) => status(failed),
            Self::PayloadTooLarge => (StatusCode::PAYLOAD_TOO_LARGE, "PAYLOAD_TOO_LARGE"),
            Self::MethodNotAllowed => (StatusCode::METHOD_NOT_ALLOWED, "METHOD_NOT_ALLOWED"),
        }
    }
}

/// Returns the status and error code of a domain error.
fn status(failed: &Failed) -> (StatusCode, &'static str) {
    match failed {
        Failed::Unauthenticated(_) => (StatusCode::UNAUTHORIZED, "UNAUTHORIZED"),
        Failed::SecondFactorRequired => (StatusCode::UNAUTHORIZED, "SECOND_FACTOR_REQUIRED"),
        Failed::Invalid(_) => (StatusCode::BAD_REQUEST, "VALIDATION_FAILED"),
        Failed::NotFound(_) => (StatusCode::NOT_FOUND, "NOT_FOUND"),
        Failed::Forbidden(_) | Failed::Suspended { .. } => (StatusCode::FORBIDDEN, "FORBIDDEN"),
        Failed::Conflict(_) => (StatusCode::CONFLICT, "CONFLICT"),
        Failed::WriteConflict | Failed::Throttled(_) | Failed::LimitReached { .. } => {
            (StatusCode::TOO_MANY_REQUESTS, "TOO_MANY_REQUESTS")
        }
        Failed::Internal(_) => (StatusCode::INTERNAL_SERVER_ERROR, "INTERNAL_SERVER_ERROR"),
    }
}

impl IntoResponse for Error {
    fn into_response(self) -> Response {
        match &self {
            Self::Failed(Failed::Internal(cause)) => tracing::error!("request failed: {cause:#}"),
            Self::Failed(Failed::Throttled(cause)) => tracing::warn!("request refused: {cause:#}"),
            _ => {}
        }
        let (status, code) = self.status();
        let body = json!({ "success": false, "message": self.to_string() });
        let mut response = (status, [("x-error-code", code)], Json(body)).into_response();
        if let Self::Failed(Failed::Suspended { appeal_token, .. }) = &self
            && let Ok(token) = HeaderValue::try_from(appeal_token)
        {
            response.headers_mut().insert(X_APPEAL_TOKEN, token);
        }
        if let Some(seconds) = self.retry_after() {
            response.headers_mut().insert(RETRY_AFTER, HeaderValue::from(seconds));
        }
        response
    }
}
