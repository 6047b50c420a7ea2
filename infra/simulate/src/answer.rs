//! Answers of DynamoDB that a model gives in its place.

use aws_smithy_runtime_api::{client::orchestrator::HttpResponse, http::StatusCode};
use aws_smithy_types::body::SdkBody;
use serde_json::Value;

pub(crate) fn answer(status: u16, body: &Value) -> HttpResponse {
    let status = StatusCode::try_from(status).unwrap_or_else(|_| unreachable!("a status"));
    let mut response = HttpResponse::new(status, SdkBody::from(body.to_string()));
    response.headers_mut().insert("content-type", "application/x-amz-json-1.0");
    response
}
