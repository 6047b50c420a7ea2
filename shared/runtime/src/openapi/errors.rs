//! The error responses that operations share, as components of the OpenAPI document.

use axum::http::{Method, StatusCode};
use platform::Error as Failed;
use serde_json::{Value, json};
use utoipa::openapi::{
    Content, ContentBuilder, Ref, RefOr, Response, ResponseBuilder,
    path::{Operation, ParameterIn},
};

use crate::{Error, error::X_ERROR_CODE};

/// An error response: its component name, its cause, and an example.
pub(super) struct SharedError {
    name: &'static str,
    cause: &'static str,
    error: Error,
}

impl SharedError {
    /// Returns the response as a named component.
    pub(super) fn component(&self) -> (String, RefOr<Response>) {
        let code: &str = self.error.status().1.into();
        let mut response = ResponseBuilder::new()
            .description(format!("`{code}`: {}", self.cause))
            .content("application/json", self.content())
            .header_ref(X_ERROR_CODE, header(X_ERROR_CODE))
            .header_ref("x-request-id", header("x-request-id"));
        if matches!(self.error, Error::Failed(Failed::LimitReached { .. })) {
            response = response.header_ref("retry-after", header("retry-after"));
        }
        (self.name.to_owned(), RefOr::T(response.build()))
    }

    /// Adds the response to an operation, unless the operation describes this status itself.
    fn describe(&self, operation: &mut Operation) {
        let (status, _) = self.error.status();
        let response = RefOr::Ref(Ref::from_response_name(self.name));
        operation.responses.responses.entry(status.as_str().to_owned()).or_insert(response);
    }

    fn content(&self) -> Content {
        content(json!({ "success": false, "message": self.error.to_string() }))
    }
}

fn content(example: Value) -> Content {
    let schema = RefOr::Ref(Ref::from_schema_name("Failure"));
    ContentBuilder::new().schema(Some(schema)).example(Some(example)).build()
}

/// Adds the body and the code to the errors that an operation describes itself.
fn complete_own(operation: &mut Operation) {
    for (status, response) in &mut operation.responses.responses {
        if let RefOr::T(response) = response
            && status.starts_with(['4', '5'])
        {
            let message = response.description.split_once("`: ").map_or("", |(_, message)| message);
            // A second code with its message may follow.
            let message = message.split_once(". `").map_or(message, |(first, _)| first);
            let example = json!({ "success": false, "message": message });
            response.content.insert("application/json".to_owned(), RefOr::T(content(example)));
            response.headers.insert(X_ERROR_CODE.to_owned(), RefOr::Ref(header(X_ERROR_CODE)));
        }
    }
}

/// Returns all shared error responses.
pub(super) fn shared_errors() -> [SharedError; 7] {
    let shared = |name, cause, error| SharedError { name, cause, error };
    let content = Failed::invalid("content", "must have 1 to 5000 characters").into();
    let token = Failed::Unauthenticated("sign in first").into();
    let author = Failed::Forbidden("only the author may do this".into()).into();
    let limit = Failed::LimitReached { retry_after: 42 }.into();
    let internal = Failed::internal(anyhow::anyhow!("an example")).into();
    [
        shared("ValidationFailed", "the input is invalid. The message names the field.", content),
        shared("Unauthorized", "the token is missing or invalid. Sign in, or refresh the tokens.", token),
        shared("Forbidden", "the caller lacks the permission", author),
        shared("NotFound", "the resource in the path does not exist", Failed::NotFound("post").into()),
        shared("PayloadTooLarge", "the body has more than 64 KiB", Error::PayloadTooLarge),
        shared(
            "TooManyRequests",
            "a rate limit was exceeded, or the data changes too often. Retry after `retry-after` seconds.",
            limit,
        ),
        shared("InternalServerError", "an unexpected server error occurred. Retrying is safe.", internal),
    ]
}

/// Adds the errors that an operation can return. The errors depend on the operation's method, parameters, body and
/// security.
pub(super) fn describe(method: &Method, operation: &mut Operation) {
    complete_own(operation);
    for shared in shared_errors() {
        if can_return(shared.error.status().0, method, operation) {
            shared.describe(operation);
        }
    }
}

fn can_return(status: StatusCode, method: &Method, operation: &Operation) -> bool {
    match status {
        // Every operation except a GET checks its body, even if the body must be empty.
        StatusCode::BAD_REQUEST => *method != Method::GET || has_parameter(operation, &ParameterIn::Query),
        // An application token that lacks the scope gets 403.
        StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN => operation.security.is_some(),
        StatusCode::NOT_FOUND => has_parameter(operation, &ParameterIn::Path),
        StatusCode::PAYLOAD_TOO_LARGE => operation.request_body.is_some(),
        StatusCode::TOO_MANY_REQUESTS | StatusCode::INTERNAL_SERVER_ERROR => true,
        _ => false,
    }
}

fn has_parameter(operation: &Operation, place: &ParameterIn) -> bool {
    operation.parameters.iter().flatten().any(|parameter| match parameter {
        RefOr::T(parameter) => parameter.parameter_in == *place,
        RefOr::Ref(_) => false,
    })
}

/// Returns a reference to a shared header.
pub(super) fn header(name: &str) -> Ref {
    Ref::new(format!("#/components/headers/{name}"))
}
