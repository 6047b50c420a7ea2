//! Maps errors to HTTP: status, code and body.

use axum::{
    Json,
    http::{HeaderValue, StatusCode, header::RETRY_AFTER},
    response::{IntoResponse, Response},
};
use platform::Error as Failed;
use serde_json::json;
use strum::IntoStaticStr;
use utoipa::ToSchema;

/// The result of a handler, an extractor or a middleware.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// The header with the [`ErrorCode`].
pub(crate) const X_ERROR_CODE: &str = "x-error-code";

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

/// The code of an error, for programs. The message of an error is for people.
#[derive(Clone, Copy, Debug, PartialEq, Eq, IntoStaticStr, ToSchema)]
#[schema(rename_all = "SCREAMING_SNAKE_CASE")]
#[strum(serialize_all = "SCREAMING_SNAKE_CASE")]
pub enum ErrorCode {
    /// 401: the token is missing or invalid, or the credentials are wrong.
    Unauthorized,
    /// 401: the password is correct, but the code of the second factor is missing.
    SecondFactorRequired,
    /// 400: the input is invalid.
    ValidationFailed,
    /// 404: the resource does not exist.
    NotFound,
    /// 403: the caller lacks the permission.
    Forbidden,
    /// 409: the request conflicts with the current state.
    Conflict,
    /// 429: a rate limit was exceeded, or the data changes too often.
    TooManyRequests,
    /// 413: the body is too large.
    PayloadTooLarge,
    /// 405: the path does not support the method.
    MethodNotAllowed,
    /// 500: an unexpected error of the server.
    InternalServerError,
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
    pub fn status(&self) -> (StatusCode, ErrorCode) {
        match self {
            Self::Failed(failed) => status(failed),
            Self::PayloadTooLarge => (StatusCode::PAYLOAD_TOO_LARGE, ErrorCode::PayloadTooLarge),
            Self::MethodNotAllowed => (StatusCode::METHOD_NOT_ALLOWED, ErrorCode::MethodNotAllowed),
        }
    }
}

/// Returns the status and error code of a domain error.
fn status(failed: &Failed) -> (StatusCode, ErrorCode) {
    match failed {
        Failed::Unauthenticated(_) => (StatusCode::UNAUTHORIZED, ErrorCode::Unauthorized),
        Failed::SecondFactorRequired => (StatusCode::UNAUTHORIZED, ErrorCode::SecondFactorRequired),
        Failed::Invalid(_) => (StatusCode::BAD_REQUEST, ErrorCode::ValidationFailed),
        Failed::NotFound(_) => (StatusCode::NOT_FOUND, ErrorCode::NotFound),
        Failed::Forbidden(_) | Failed::Suspended { .. } => (StatusCode::FORBIDDEN, ErrorCode::Forbidden),
        Failed::Conflict(_) => (StatusCode::CONFLICT, ErrorCode::Conflict),
        Failed::WriteConflict | Failed::Throttled(_) | Failed::LimitReached { .. } => {
            (StatusCode::TOO_MANY_REQUESTS, ErrorCode::TooManyRequests)
        }
        Failed::Internal(_) => (StatusCode::INTERNAL_SERVER_ERROR, ErrorCode::InternalServerError),
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
        let mut response = (status, [(X_ERROR_CODE, <&str>::from(code))], Json(body)).into_response();
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
