//! The emulated API Gateway: throttling, CORS, routing, and the events that functions get.

mod cors;
mod event;
mod routes;
mod throttle;

use std::{net::SocketAddr, panic::AssertUnwindSafe, sync::Arc, time::Duration};

use axum::{
    Json, Router,
    body::Body,
    extract::{ConnectInfo, Request, State},
    response::{IntoResponse, Response},
};
use bytes::Bytes;
use futures::FutureExt;
use http_body_util::{BodyExt, Limited};
use lambda_http::{
    http::{Method, StatusCode, request::Parts},
    request::LambdaRequest,
};
use runtime::http::with_encoded_path;
use serde_json::json;
use tokio::time::{Instant, error::Elapsed};
use tower::ServiceExt;

use crate::{
    clock::Clock,
    functions::Function,
    recorder::{self, CallResult, Payload, Recorder, RunningCall},
    sqs::uuid,
    template,
};
pub(crate) use routes::{Routes, Target};
use throttle::Throttle;

/// API Gateway's limit on the size of a request body:
/// <https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-quotas.html>.
const BODY_MAX_BYTES: usize = 10 * 1024 * 1024;

/// A request and its response, for the request log.
pub struct RequestLine<'a> {
    /// HTTP method.
    pub method: &'a Method,
    /// Path without the query.
    pub path: &'a str,
    /// Response status.
    pub status: StatusCode,
    /// Time until the response headers were sent.
    pub took: Duration,
}

/// Called after each request.
pub type RequestLog = Arc<dyn Fn(&RequestLine<'_>) + Send + Sync>;

pub(crate) struct Gateway {
    pub(crate) routes: Routes,
    pub(crate) domain: String,
    pub(crate) clock: Clock,
    pub(crate) log: Option<RequestLog>,
    recorder: Recorder,
    throttle: Option<Throttle>,
    cors: Option<template::Cors>,
}

impl Gateway {
    pub(crate) fn new(
        api: template::Api,
        routes: Routes,
        domain: String,
        clock: Clock,
        (log, recorder): (Option<RequestLog>, Recorder),
    ) -> Self {
        let throttle = api.default_route_settings.map(Throttle::new);
        Self { routes, domain, clock, log, recorder, throttle, cors: api.cors_configuration }
    }

    pub(crate) fn router(self) -> Router {
        Router::new().fallback(answer_request).with_state(Arc::new(self))
    }

    async fn answer(&self, peer: SocketAddr, request: Request) -> Response {
        let (parts, body) = request.into_parts();
        let origin = parts.headers.get("origin").cloned();
        if let (Some(cors), Some(origin)) = (&self.cors, &origin)
            && cors::is_preflight(&parts)
        {
            return cors::preflight(cors, origin);
        }
        let mut response = self.route(peer, parts, body).await;
        if let (Some(cors), Some(origin)) = (&self.cors, &origin) {
            cors::add_headers(cors, origin, &mut response);
        }
        response
    }

    async fn route(&self, peer: SocketAddr, parts: Parts, body: Body) -> Response {
        if self.throttle.as_ref().is_some_and(|throttle| !throttle.take()) {
            return refusal(StatusCode::TOO_MANY_REQUESTS);
        }
        let body = match Limited::new(body, BODY_MAX_BYTES).collect().await {
            Ok(body) => body.to_bytes(),
            Err(error) if error.is::<http_body_util::LengthLimitError>() => {
                return refusal(StatusCode::PAYLOAD_TOO_LARGE);
            }
            Err(_) => return refusal(StatusCode::BAD_REQUEST),
        };
        match self.routes.find(&parts.method, parts.uri.path()) {
            Some(target) => self.invoke(target, peer, &parts, &body).await,
            None => refusal(StatusCode::NOT_FOUND),
        }
    }

    async fn invoke(&self, target: &Target, peer: SocketAddr, parts: &Parts, body: &Bytes) -> Response {
        let running = target.watch.begin(uuid());
        let Ok(event) = event::build(self, target, peer, parts, body, &running.id) else {
            return refusal(StatusCode::BAD_REQUEST);
        };
        let (function, limit) = (target.function.clone(), target.timeout);
        // Boxed, because each async function that runs a future contains that future twice.
        let call = Box::pin(tokio::time::timeout(limit, call(function, event)));
        let call = Arc::clone(&running).scope(call);
        let (watch, followed) = (target.watch.clone(), Arc::clone(&running));
        let payload = Payload::Request(format!("{} {}", parts.method, parts.uri.path()));
        // Runs in a separate task, so that the function continues if the client disconnects.
        let call = tokio::spawn(async move { watch.follow(followed, payload, call, call_result).await });
        let mut response = match call.await {
            Ok(Ok(response)) => response,
            // On AWS, the gateway waits longer than any function's timeout, so it sees a failed function.
            Ok(Err(_)) | Err(_) => refusal(StatusCode::INTERNAL_SERVER_ERROR),
        };
        response.extensions_mut().insert(running);
        response
    }
}

fn call_result(answer: &Result<Response, Elapsed>) -> CallResult {
    match answer {
        Ok(response) => CallResult::Answered(response.status().as_u16()),
        Err(elapsed) => CallResult::Failed(elapsed.to_string()),
    }
}

/// Builds a response of the gateway itself. As on AWS, the response has neither an error code nor the format of the
/// API.
fn refusal(status: StatusCode) -> Response {
    let message = match status {
        StatusCode::PAYLOAD_TOO_LARGE => Some("Request Entity Too Large"),
        status => status.canonical_reason(),
    };
    (status, Json(json!({ "message": message }))).into_response()
}

async fn call(function: Function, event: String) -> Response {
    match function {
        Function::Http(router) => call_router(router, event).await,
        Function::Remote(remote) => remote.request(event).await.unwrap_or_else(|error| {
            tracing::error!(%error, "failed to call a function");
            refusal(StatusCode::INTERNAL_SERVER_ERROR)
        }),
        Function::Sqs(_) | Function::Stream(_) => refusal(StatusCode::INTERNAL_SERVER_ERROR),
    }
}

async fn call_router(router: Router, event: String) -> Response {
    // Parsing panics if the URL is invalid. On Lambda, the panic ends the function, and the caller gets a 500.
    let request = AssertUnwindSafe(async {
        let event = serde_json::from_str::<LambdaRequest>(&event)?;
        Ok::<lambda_http::Request, serde_json::Error>(with_encoded_path(event).into())
    });
    match request.catch_unwind().await {
        Ok(Ok(request)) => {
            let response = router.oneshot(request).await.unwrap_or_else(|never| match never {});
            through_lambda(response).await
        }
        _ => refusal(StatusCode::BAD_REQUEST),
    }
}

/// Converts the body as Lambda does. Uncompressed bodies of known text types are re-encoded as UTF-8.
async fn through_lambda(response: Response) -> Response {
    lambda_http::IntoResponse::into_response(response).await.map(|body| Body::from(body.to_vec()))
}

async fn answer_request(
    State(gateway): State<Arc<Gateway>>,
    ConnectInfo(peer): ConnectInfo<SocketAddr>,
    request: Request,
) -> Response {
    let (method, path) = (request.method().clone(), request.uri().path().to_owned());
    let start = Instant::now();
    let mut response = gateway.answer(peer, request).await;
    let (status, took) = (response.status(), start.elapsed());
    if let Some(log) = &gateway.log {
        log(&RequestLine { method: &method, path: &path, status, took });
    }
    let invocation = response.extensions_mut().remove::<Arc<RunningCall>>();
    let at = gateway.clock.now();
    gateway.recorder.memory().requests.push(recorder::Request { at, method, path, status, took, invocation });
    response
}
