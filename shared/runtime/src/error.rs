//! Errors of HTTP: the status, the code and the body of each failure.

use axum::{
    Json,
    http::{HeaderName, HeaderValue, StatusCode, header::RETRY_AFTER},
    response::{IntoResponse, Response},
};
use platform::Error as Failed;
use serde_json::json;

/// The result of a handler, an extractor or a middleware.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// The header that holds the code of an error; the body holds only a message.
pub const X_ERROR_CODE: HeaderName = HeaderName::from_static("x-error-code");

/// Why a request did not succeed.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The domain refused the request or failed.
    #[error(transparent)]
    Failed(#[from] Failed),
    /// The body is larger than the service reads.
    #[error("the body must have at most 65536 bytes")]
    PayloadTooLarge,
    /// The path exists, with other methods.
    #[error("this path does not have that method")]
    MethodNotAllowed,
}

impl Error {
    /// Returns after how many seconds another try makes sense, where one does.
    fn retry_after(&self) -> Option<i64> {
        match self {
            Self::Failed(Failed::WriteConflict | Failed::Throttled(_)) => Some(1),
            Self::Failed(Failed::LimitReached { retry_after }) => Some(*retry_after),
            _ => None,
        }
    }

    /// Returns the status and the code string of the answer.
    pub fn status(&self) -> (StatusCode, &'static str) {
        match self {
            Self::Failed(failed) => status(failed),
            Self::PayloadTooLarge => (StatusCode::PAYLOAD_TOO_LARGE, "PAYLOAD_TOO_LARGE"),
            Self::MethodNotAllowed => (StatusCode::METHOD_NOT_ALLOWED, "METHOD_NOT_ALLOWED"),
        }
    }
}

/// Maps a failure of the domain to HTTP. No other place does.
fn status(failed: &Failed) -> (StatusCode, &'static str) {
    match failed {
        Failed::Unauthenticated(_) => (StatusCode::UNAUTHORIZED, "UNAUTHORIZED"),
        Failed::SecondFactorRequired => (StatusCode::UNAUTHORIZED, "SECOND_FACTOR_REQUIRED"),
        Failed::Invalid(_) => (StatusCode::BAD_REQUEST, "VALIDATION_FAILED"),
        Failed::NotFound(_) => (StatusCode::NOT_FOUND, "NOT_FOUND"),
        Failed::Forbidden(_) => (StatusCode::FORBIDDEN, "FORBIDDEN"),
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
        let mut response = (status, [(X_ERROR_CODE, code)], Json(body)).into_response();
        if let Some(seconds) = self.retry_after() {
            response.headers_mut().insert(RETRY_AFTER, HeaderValue::from(seconds));
        }
        response
    }
}
