//! The HTTP API: throttle, CORS, routes, and requests as functions receive them.

mod cors;
mod event;
mod routes;
mod throttle;

use std::{net::SocketAddr, panic::AssertUnwindSafe, sync::Arc, time::Duration};

use axum::{
    Router,
    body::Body,
    extract::{ConnectInfo, Request, State},
    response::Response,
};
use bytes::Bytes;
use futures::FutureExt;
use http_body_util::{BodyExt, Limited};
use lambda_http::http::{Method, StatusCode, request::Parts};
use tokio::time::{Instant, error::Elapsed};
use tower::ServiceExt;

use crate::{
    answer,
    clock::Clock,
    functions::Function,
    recorder::{self, Brought, Ended, Recorder, Running},
    sqs::uuid,
    template,
};
pub(crate) use routes::{Routes, Target};
use throttle::Throttle;

/// What API Gateway accepts; functions have limits of their own.
const BODY_MAX_BYTES: usize = 10 * 1024 * 1024;

/// What is told about each request that was answered.
pub struct RequestLine<'a> {
    /// GET, POST, …
    pub method: &'a Method,
    /// The path, without the query.
    pub path: &'a str,
    /// What was answered.
    pub status: StatusCode,
    /// From the first byte to the answer's head.
    pub took: Duration,
}

/// Hears about each request.
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

    /// Everything but the console's paths.
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
        let mut response = self.pass(peer, parts, body).await;
        if let (Some(cors), Some(origin)) = (&self.cors, &origin) {
            cors::decorate(cors, origin, &mut response);
        }
        response
    }

    async fn pass(&self, peer: SocketAddr, parts: Parts, body: Body) -> Response {
        if let Some(Err(wait)) = self.throttle.as_ref().map(Throttle::take) {
            let mut response = answer::refusal(StatusCode::TOO_MANY_REQUESTS, "Too Many Requests");
            response.headers_mut().insert("retry-after", wait.into());
            return response;
        }
        let body = match Limited::new(body, BODY_MAX_BYTES).collect().await {
            Ok(body) => body.to_bytes(),
            Err(error) if error.is::<http_body_util::LengthLimitError>() => {
                return answer::refusal(StatusCode::PAYLOAD_TOO_LARGE, "Request Entity Too Large");
            }
            Err(_) => return answer::refusal(StatusCode::BAD_REQUEST, "Bad Request"),
        };
        match self.routes.find(&parts.method, parts.uri.path()) {
            Some(target) => self.invoke(target, peer, &parts, &body).await,
            None => answer::refusal(StatusCode::NOT_FOUND, "Not Found"),
        }
    }

    async fn invoke(&self, target: &Target, peer: SocketAddr, parts: &Parts, body: &Bytes) -> Response {
        let running = target.watch.begin(uuid());
        let Ok(event) = event::of(self, target, peer, parts, body, &running.id) else {
            return answer::refusal(StatusCode::BAD_REQUEST, "Bad Request");
        };
        let (function, limit) = (target.function.clone(), target.timeout);
        // Its own task: a caller that hangs up does not stop a function half way.
        let call = Arc::clone(&running).scope(tokio::time::timeout(limit, call(function, event)));
        let (watch, of) = (target.watch.clone(), Arc::clone(&running));
        let brought = Brought::Request(format!("{} {}", parts.method, parts.uri.path()));
        let call = tokio::spawn(async move { watch.follow(of, brought, call, ended).await });
        let mut response = match call.await {
            Ok(Ok(response)) => response,
            Ok(Err(_)) => answer::refusal(StatusCode::SERVICE_UNAVAILABLE, "Service Unavailable"),
            Err(_) => answer::refusal(StatusCode::INTERNAL_SERVER_ERROR, "Internal Server Error"),
        };
        response.extensions_mut().insert(running);
        response
    }
}

fn ended(answer: &Result<Response, Elapsed>) -> Ended {
    match answer {
        Ok(response) => Ended::Answered(response.status().as_u16()),
        Err(late) => Ended::Broke(late.to_string()),
    }
}

/// What a function's runtime does with an event.
async fn call(function: Function, event: String) -> Response {
    match function {
        Function::Http(router) => route(router, event).await,
        Function::Remote(remote) => remote.request(event).await.unwrap_or_else(|error| {
            tracing::error!(%error, "a function did not answer");
            answer::refusal(StatusCode::INTERNAL_SERVER_ERROR, "Internal Server Error")
        }),
        Function::Sqs(_) | Function::Stream(_) => {
            answer::refusal(StatusCode::INTERNAL_SERVER_ERROR, "Internal Server Error")
        }
    }
}

async fn route(router: Router, event: String) -> Response {
    // Parsing panics on what is no URL; a function would end there and the caller see a 500.
    let request = AssertUnwindSafe(async { lambda_http::request::from_str(&event) }).catch_unwind().await;
    match request {
        Ok(Ok(request)) => {
            let response = router.oneshot(request).await.unwrap_or_else(|never| match never {});
            through_lambda(response).await
        }
        _ => answer::refusal(StatusCode::BAD_REQUEST, "Bad Request"),
    }
}

/// An answer leaves a function as text or in base64: what is neither marked as compressed nor of a known type
/// is no text, and what is text is UTF-8 afterwards.
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
    let invocation = response.extensions_mut().remove::<Arc<Running>>();
    let at = gateway.clock.now();
    gateway.recorder.memory().requests.push(recorder::Request { at, method, path, status, took, invocation });
    response
}
