//! Serves SQS, EventBridge, SES, S3, Secrets Manager and Bedrock at one address.

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
    bedrock::Models,
    disk::SaveFailed,
    eventbridge::Bus,
    iam::Iam,
    rights::{self, EMAILS},
    s3::Objects,
    secrets::SecretStore,
    ses::{self, Mailbox},
    signed::{access_key, header},
    sqs::{self, Queues},
};

/// Maximum size of a request body. An SQS batch of 1 MiB fits even with escaped text.
const BODY_MAX_BYTES: usize = 16 * 1024 * 1024;

pub(crate) struct Services {
    pub(crate) queues: Queues,
    pub(crate) bus: Bus,
    pub(crate) mailbox: Mailbox,
    pub(crate) models: Models,
    pub(crate) objects: Objects,
    pub(crate) secrets: SecretStore,
    pub(crate) iam: Arc<Iam>,
}

impl Services {
    /// Runs a `PutEvents` request that an AWS service sends. `None` has no effect.
    fn publish(&self, event: Option<serde_json::Value>) -> anyhow::Result<()> {
        event.map_or(Ok(()), |event| self.bus.put(event.to_string().as_bytes()).map(drop))
    }
}

pub(crate) fn router(services: Arc<Services>) -> Router {
    Router::new().fallback(answer).with_state(services)
}

/// Responds to a request over HTTP, if its caller has the permission.
async fn answer(State(services): State<Arc<Services>>, request: Request) -> Response {
    let (parts, body) = request.into_parts();
    if services.objects.has(parts.uri.path()) {
        return services.objects.answer(Request::from_parts(parts, body)).await;
    }
    let Ok(body) = to_bytes(body, BODY_MAX_BYTES).await else {
        return refuse(StatusCode::PAYLOAD_TOO_LARGE, "RequestEntityTooLarge", "the request is too large");
    };
    let Some(caller) = caller(&parts) else {
        return refuse(StatusCode::FORBIDDEN, "MissingAuthenticationToken", "the request is not signed");
    };
    match services.iam.check(caller, rights::required(target(&parts), parts.uri.path(), &body).as_deref()) {
        Ok(()) => serve(&services, &parts, &body).await,
        Err(refusal) => refuse(StatusCode::BAD_REQUEST, "AccessDeniedException", &refusal),
    }
}

/// Responds to a request for any service except S3. The caller has already checked the permission.
pub(crate) async fn serve(services: &Services, parts: &Parts, body: &[u8]) -> Response {
    match (target(parts).split_once('.'), parts.uri.path()) {
        (Some(("secretsmanager", operation)), _) => match services.secrets.answer(operation, body) {
            Ok(Some(answer)) => Json(answer).into_response(),
            Ok(None) => refuse(
                StatusCode::BAD_REQUEST,
                "ResourceNotFoundException",
                "Secrets Manager can't find the specified secret value.",
            ),
            Err(error) => fail(&error),
        },
        (Some(("AmazonSQS", operation)), _) => {
            let answer = sqs::answer(&services.queues, operation, body).await;
            answer.map(Json).map_err(|refusal| refuse_sqs(&refusal)).into_response()
        }
        (Some(("AWSEvents", "PutEvents")), _) => {
            let answer = services.bus.put(body);
            answer.map(Json).map_err(|error| refuse_or_fail("ValidationException", &error)).into_response()
        }
        (_, EMAILS) if ses::is_limited(body) => refuse(
            StatusCode::TOO_MANY_REQUESTS,
            "TooManyRequestsException",
            "Maximum sending rate exceeded.",
        ),
        (_, EMAILS) if !ses::unverified(body).is_empty() => {
            let message =
                "Email address is not verified. The following identities failed the check in region";
            let addresses = ses::unverified(body).join(", ");
            refuse(StatusCode::BAD_REQUEST, "MessageRejected", &format!("{message} US-EAST-1: {addresses}"))
        }
        (_, EMAILS) => match services.mailbox.accept(body) {
            Ok(answer) => {
                let published = services.publish(ses::event(body));
                published.map(|()| Json(answer)).map_err(|error| fail(&*error)).into_response()
            }
            Err(error) => refuse_or_fail("BadRequestException", &error),
        },
        _ => services.models.answer(parts, body).await.unwrap_or_else(|| {
            let message = "the local stack does not support this operation";
            refuse(StatusCode::NOT_FOUND, "UnknownOperationException", message)
        }),
    }
}

fn target(parts: &Parts) -> &str {
    header(&parts.headers, "x-amz-target").unwrap_or_default()
}

/// Returns the access key ID in the authorization header, or `None` if the request is not signed.
fn caller(parts: &Parts) -> Option<&str> {
    let (_, credential) = header(&parts.headers, "authorization")?.split_once("Credential=")?;
    Some(access_key(credential))
}

fn refuse_sqs(refusal: &sqs::Refusal) -> Response {
    if refusal.is_internal() {
        return fail(refusal);
    }
    let legacy = format!("{};Sender", refusal.legacy_code());
    let code = format!("com.amazonaws.sqs#{}", refusal.code);
    let answer = refuse(StatusCode::BAD_REQUEST, &code, &refusal.message);
    ([("x-amzn-query-error", legacy)], answer).into_response()
}

/// Returns the response for an invalid request, or for a change that could not be saved.
fn refuse_or_fail(code: &str, error: &anyhow::Error) -> Response {
    if error.is::<SaveFailed>() {
        return fail(&**error);
    }
    refuse(StatusCode::BAD_REQUEST, code, &format!("{error:#}"))
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
