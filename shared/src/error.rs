//! Every way that work can fail, and the one place that knows what HTTP calls it.

use std::borrow::Cow;

use axum::{
    Json,
    http::{HeaderName, HeaderValue, StatusCode, header::RETRY_AFTER},
    response::{IntoResponse, Response},
};
use serde_json::json;

/// What the domain answers with.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// Carries the code string of an error, beside the body that has only a message.
pub const X_ERROR_CODE: HeaderName = HeaderName::from_static("x-error-code");

/// Why something was not done.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// No valid credentials.
    #[error("{0}")]
    Unauthorized(&'static str),
    /// Input that cannot be accepted; the message names the field.
    #[error("{0}")]
    Invalid(Cow<'static, str>),
    /// The thing named here does not exist.
    #[error("no such {0}")]
    NotFound(&'static str),
    /// The caller may not do this.
    #[error("{0}")]
    Forbidden(Cow<'static, str>),
    /// It was already done, or done by someone else at the same time.
    #[error("{0}")]
    Conflict(&'static str),
    /// A limit was passed; it opens again after so many seconds.
    #[error("too many requests: try again in {retry_after} seconds")]
    TooManyRequests {
        /// Seconds until another try makes sense.
        retry_after: i64,
    },
    /// The body is larger than the service reads.
    #[error("the body must have at most 65536 bytes")]
    PayloadTooLarge,
    /// The path exists, with other methods.
    #[error("this path does not have that method")]
    MethodNotAllowed,
    /// Ours to mend. The cause is logged at the boundary and never shown.
    #[error("something went wrong")]
    Internal(#[source] anyhow::Error),
}

impl Error {
    /// Bad input: `field` is as the client wrote it, `why` is half a sentence.
    pub fn invalid(field: &str, why: &str) -> Self {
        Self::Invalid(format!("{field}: {why}").into())
    }

    /// Something of ours that must not happen, in words for the log.
    pub fn internal(cause: impl Into<anyhow::Error>) -> Self {
        Self::Internal(cause.into())
    }

    pub(crate) fn status(&self) -> (StatusCode, &'static str) {
        match self {
            Self::Unauthorized(_) => (StatusCode::UNAUTHORIZED, "UNAUTHORIZED"),
            Self::Invalid(_) => (StatusCode::BAD_REQUEST, "VALIDATION_FAILED"),
            Self::NotFound(_) => (StatusCode::NOT_FOUND, "NOT_FOUND"),
            Self::Forbidden(_) => (StatusCode::FORBIDDEN, "FORBIDDEN"),
            Self::Conflict(_) => (StatusCode::CONFLICT, "CONFLICT"),
            Self::TooManyRequests { .. } => (StatusCode::TOO_MANY_REQUESTS, "TOO_MANY_REQUESTS"),
            Self::PayloadTooLarge => (StatusCode::PAYLOAD_TOO_LARGE, "PAYLOAD_TOO_LARGE"),
            Self::MethodNotAllowed => (StatusCode::METHOD_NOT_ALLOWED, "METHOD_NOT_ALLOWED"),
            Self::Internal(_) => (StatusCode::INTERNAL_SERVER_ERROR, "INTERNAL_SERVER_ERROR"),
        }
    }
}

impl IntoResponse for Error {
    fn into_response(self) -> Response {
        if let Self::Internal(cause) = &self {
            tracing::error!("request failed: {cause:#}");
        }
        let (status, code) = self.status();
        let body = json!({ "success": false, "message": self.to_string() });
        let mut response = (status, [(X_ERROR_CODE, code)], Json(body)).into_response();
        if let Self::TooManyRequests { retry_after } = self {
            response.headers_mut().insert(RETRY_AFTER, HeaderValue::from(retry_after));
        }
        response
    }
}

impl From<serde_json::Error> for Error {
    fn from(cause: serde_json::Error) -> Self {
        Self::internal(cause)
    }
}
