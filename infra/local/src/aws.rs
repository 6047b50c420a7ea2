//! One address for the small AWS services: queues, bus, mail.

use std::sync::Arc;

use axum::{
    Json, Router,
    body::to_bytes,
    extract::{Request, State},
    response::{IntoResponse, Response},
};
use lambda_http::http::StatusCode;
use serde_json::json;

use crate::{eventbridge::Bus, s3::Objects, ses::Mailbox, sqs, sqs::Queues};

/// The account that everything belongs to.
pub(crate) const ACCOUNT: &str = "000000000000";
/// The region that everything is in.
pub(crate) const REGION: &str = "us-east-1";

/// Ten messages of 1 MiB, escaped.
const BODY_MAX_BYTES: usize = 16 * 1024 * 1024;

/// The services behind the address.
pub(crate) struct Services {
    pub(crate) queues: Queues,
    pub(crate) bus: Bus,
    pub(crate) mailbox: Mailbox,
    pub(crate) objects: Objects,
}

pub(crate) fn router(services: Services) -> Router {
    Router::new().fallback(answer).with_state(Arc::new(services))
}

async fn answer(State(services): State<Arc<Services>>, request: Request) -> Response {
    if services.objects.has(request.uri().path()) {
        return services.objects.answer(request).await;
    }
    let (parts, body) = request.into_parts();
    let Ok(body) = to_bytes(body, BODY_MAX_BYTES).await else {
        return refuse(StatusCode::PAYLOAD_TOO_LARGE, "RequestEntityTooLarge", "the request is too large");
    };
    let target =
        parts.headers.get("x-amz-target").and_then(|target| target.to_str().ok()).unwrap_or_default();
    match (target.split_once('.'), parts.uri.path()) {
        (Some(("AmazonSQS", operation)), _) => match sqs::answer(&services.queues, operation, &body).await {
            Ok(answer) => Json(answer).into_response(),
            Err(refusal) => {
                let legacy = format!("{};Sender", refusal.legacy);
                let code = format!("com.amazonaws.sqs#{}", refusal.code);
                let answer = refuse(StatusCode::BAD_REQUEST, &code, &refusal.message);
                ([("x-amzn-query-error", legacy)], answer).into_response()
            }
        },
        (Some(("AWSEvents", "PutEvents")), _) => match services.bus.put(&body) {
            Ok(answer) => Json(answer).into_response(),
            Err(error) => refuse(StatusCode::BAD_REQUEST, "ValidationException", &error.to_string()),
        },
        (_, "/v2/email/outbound-emails") => match services.mailbox.accept(&body) {
            Ok(answer) => Json(answer).into_response(),
            Err(error) => refuse(StatusCode::BAD_REQUEST, "BadRequestException", &format!("{error:#}")),
        },
        _ => refuse(
            StatusCode::NOT_FOUND,
            "UnknownOperationException",
            "the local stack does not have this operation",
        ),
    }
}

fn refuse(status: StatusCode, code: &str, message: &str) -> Response {
    let kind = code.rsplit('#').next().unwrap_or(code).to_owned();
    let body = json!({ "__type": code, "message": message });
    (status, [("x-amzn-errortype", kind)], Json(body)).into_response()
}
