//! Responses of the local stack itself, in the format of the API.

use axum::{
    Json,
    response::{IntoResponse, Response},
};
use lambda_http::http::StatusCode;
use serde::Serialize;

#[derive(Serialize)]
struct Success<T> {
    success: bool,
    data: T,
}

#[derive(Serialize)]
struct Refusal<'a> {
    success: bool,
    message: &'a str,
}

/// Builds the response `{success: true, data}`.
pub(crate) fn data(data: impl Serialize) -> Response {
    Json(Success { success: true, data }).into_response()
}

/// Builds the error response `{success: false, message}` with the header `x-error-code`.
pub(crate) fn refusal(status: StatusCode, message: &str) -> Response {
    let code = match status {
        StatusCode::BAD_REQUEST => "VALIDATION_FAILED",
        StatusCode::FORBIDDEN => "FORBIDDEN",
        StatusCode::NOT_FOUND => "NOT_FOUND",
        StatusCode::METHOD_NOT_ALLOWED => "METHOD_NOT_ALLOWED",
        StatusCode::PAYLOAD_TOO_LARGE => "PAYLOAD_TOO_LARGE",
        StatusCode::TOO_MANY_REQUESTS => "TOO_MANY_REQUESTS",
        _ => "INTERNAL_SERVER_ERROR",
    };
    (status, [("x-error-code", code)], Json(Refusal { success: false, message })).into_response()
}
