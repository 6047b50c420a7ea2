//! S3 errors.

use axum::response::{IntoResponse, Response};
use lambda_http::http::StatusCode;

/// An S3 error: status, code and message.
pub(super) type Refusal = (StatusCode, &'static str, &'static str);

pub(super) const NOT_SIGNED: Refusal = (StatusCode::FORBIDDEN, "AccessDenied", "Access Denied");
pub(super) const EXPIRED: Refusal = (StatusCode::FORBIDDEN, "AccessDenied", "Request has expired");
pub(super) const FORGED: Refusal =
    (StatusCode::FORBIDDEN, "SignatureDoesNotMatch", "The request signature we calculated does not match");
pub(super) const NO_KEY: Refusal = (StatusCode::NOT_FOUND, "NoSuchKey", "The specified key does not exist.");
pub(super) const TOO_LARGE: Refusal =
    (StatusCode::BAD_REQUEST, "EntityTooLarge", "Your proposed upload exceeds the maximum allowed size");
pub(super) const ALREADY_EXISTS: Refusal = (
    StatusCode::PRECONDITION_FAILED,
    "PreconditionFailed",
    "At least one of the pre-conditions you specified did not hold",
);
pub(super) const NO_RANGE: Refusal =
    (StatusCode::RANGE_NOT_SATISFIABLE, "InvalidRange", "The requested range is not satisfiable");
pub(super) const NOT_STORED: Refusal = (
    StatusCode::INTERNAL_SERVER_ERROR,
    "InternalError",
    "We encountered an internal error. Please try again.",
);
pub(super) const NO_METHOD: Refusal =
    (StatusCode::METHOD_NOT_ALLOWED, "MethodNotAllowed", "The method is not allowed against this resource.");

pub(super) fn refuse((status, code, message): Refusal) -> Response {
    let body = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<Error><Code>{code}</Code><Message>{message}</Message></Error>"
    );
    (status, [("content-type", "application/xml")], body).into_response()
}
