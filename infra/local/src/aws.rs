//! Serves SQS, EventBridge, SES, S3 and Secrets Manager at one address.

use std::sync::Arc;

use axum::{
    Json, Router,
    body::to_bytes,
    extract::{Request, State},
    response::{IntoResponse, Response},
};
use lambda_http::http::{StatusCode, request::Parts};
use serde_json::json;

use crate::{
    account::{ACCOUNT, REGION},
    disk::SaveFailed,
    eventbridge::Bus,
    iam::Iam,
    s3::Objects,
    secrets::SecretStore,
    ses::Mailbox,
    sqs,
    sqs::Queues,
};

/// Maximum size of a request body. An SQS batch of 1 MiB fits even with escaped text.
const BODY_MAX_BYTES: usize = 16 * 1024 * 1024;

/// The emulated AWS services.
pub(crate) struct Services {
    pub(crate) queues: Queues,
    pub(crate) bus: Bus,
    pub(crate) mailbox: Mailbox,
    pub(crate) objects: Objects,
    pub(crate) secrets: SecretStore,
    pub(crate) iam: Arc<Iam>,
}

pub(crate) fn router(services: Arc<Services>) -> Router {
    Router::new().fallback(answer).with_state(services)
}

/// Responds to a request for any of the emulated services.
pub(crate) async fn answer(State(services): State<Arc<Services>>, request: Request) -> Response {
    let (parts, body) = request.into_parts();
    if services.objects.has(parts.uri.path()) {
        return services.objects.answer(Request::from_parts(parts, body)).await;
    }
    let Ok(body) = to_bytes(body, BODY_MAX_BYTES).await else {
        return refuse(StatusCode::PAYLOAD_TOO_LARGE, "RequestEntityTooLarge", "the request is too large");
    };
    let target =
        parts.headers.get("x-amz-target").and_then(|target| target.to_str().ok()).unwrap_or_default();
    if let Some((action, arn)) = required_right(target, parts.uri.path(), &body)
        && !services.iam.allows(&caller(&parts), action, &arn)
    {
        let message = format!("User is not authorized to perform: {action} on resource: {arn}");
        return refuse(StatusCode::BAD_REQUEST, "AccessDeniedException", &message);
    }
    match (target.split_once('.'), parts.uri.path()) {
        (Some(("secretsmanager", operation)), _) => match services.secrets.answer(operation, &body) {
            Ok(Some(answer)) => Json(answer).into_response(),
            Ok(None) => refuse(
                StatusCode::BAD_REQUEST,
                "ResourceNotFoundException",
                "Secrets Manager can't find the specified secret value.",
            ),
            Err(error) => fail(&error),
        },
        (Some(("AmazonSQS", operation)), _) => match sqs::answer(&services.queues, operation, &body).await {
            Ok(answer) => Json(answer).into_response(),
            Err(refusal) if refusal.is_internal() => fail(&refusal),
            Err(refusal) => {
                let legacy = format!("{};Sender", refusal.legacy);
                let code = format!("com.amazonaws.sqs#{}", refusal.code);
                let answer = refuse(StatusCode::BAD_REQUEST, &code, &refusal.message);
                ([("x-amzn-query-error", legacy)], answer).into_response()
            }
        },
        (Some(("AWSEvents", "PutEvents")), _) => match services.bus.put(&body) {
            Ok(answer) => Json(answer).into_response(),
            Err(error) if error.is::<SaveFailed>() => fail(&*error),
            Err(error) => refuse(StatusCode::BAD_REQUEST, "ValidationException", &error.to_string()),
        },
        (_, "/v2/email/outbound-emails") => match services.mailbox.accept(&body) {
            Ok(answer) => Json(answer).into_response(),
            Err(error) if error.is::<SaveFailed>() => fail(&*error),
            Err(error) => refuse(StatusCode::BAD_REQUEST, "BadRequestException", &format!("{error:#}")),
        },
        _ => refuse(
            StatusCode::NOT_FOUND,
            "UnknownOperationException",
            "the local stack does not support this operation",
        ),
    }
}

/// Returns the action and the ARN of a required permission. Covers requests that the IAM interceptor does not check.
fn required_right(target: &str, path: &str, body: &[u8]) -> Option<(&'static str, String)> {
    if target == "secretsmanager.GetSecretValue" {
        return Some(("secretsmanager:GetSecretValue", SecretStore::secret_id(body)));
    }
    let domain = || Mailbox::sender(body)?.split('@').nth(1).map(str::to_owned);
    (path == "/v2/email/outbound-emails")
        .then(|| format!("arn:aws:ses:{REGION}:{ACCOUNT}:identity/{}", domain().unwrap_or_default()))
        .map(|arn| ("ses:SendEmail", arn))
}

/// Returns the access key ID in the `authorization` header.
fn caller(parts: &Parts) -> String {
    let header = parts.headers.get("authorization").and_then(|value| value.to_str().ok()).unwrap_or_default();
    let signed = header.split("Credential=").nth(1);
    let is_end = |letter: char| !letter.is_ascii_alphanumeric();
    signed.and_then(|key| key.split(is_end).next()).unwrap_or_default().to_owned()
}

/// Returns the response for a change that could not be saved.
fn fail(error: &(dyn std::error::Error + 'static)) -> Response {
    tracing::error!(error, "failed to save a change");
    refuse(StatusCode::INTERNAL_SERVER_ERROR, "InternalFailure", &error.to_string())
}

fn refuse(status: StatusCode, code: &str, message: &str) -> Response {
    let kind = code.rsplit('#').next().unwrap_or(code).to_owned();
    let body = json!({ "__type": code, "message": message });
    (status, [("x-amzn-errortype", kind)], Json(body)).into_response()
}
