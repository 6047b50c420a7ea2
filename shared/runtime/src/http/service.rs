//! The middleware around a function's routes: prefix, request ID, log line, limit on the body size, and error
//! responses.

use std::{any::Any, collections::HashSet, sync::Arc, time::Instant};

use axum::{
    Extension, Router,
    body::{Body, HttpBody},
    extract::{Request, State},
    http::{
        HeaderMap, HeaderValue, Method,
        header::{CACHE_CONTROL, STRICT_TRANSPORT_SECURITY, X_CONTENT_TYPE_OPTIONS},
    },
    middleware::{self, Next},
    response::{IntoResponse, Response},
};
use lambda_http::{Adapter, LambdaEvent, request::RequestContext};
use lambda_runtime::Config;
use platform::{App, Error as Failed, logs, metrics, rate_limit, reads, request_id};
use tower::ServiceExt;
use tower_http::{
    catch_panic::CatchPanicLayer,
    compression::{CompressionLayer, DefaultPredicate, Predicate, predicate::SizeAbove},
};
use tracing::Instrument;

use super::{
    deprecations::add_deprecation_headers,
    front::{LoggedAddress, only_through_front},
    raw_path::with_encoded_path,
    route::{PREFIX, matched_operation, matched_route},
    routes::Routes,
    token_scopes::TokenScopes,
};
use crate::{Error, openapi, panics, rate_limit_headers};

/// Maximum size of a request body.
pub const BODY_MAX_BYTES: usize = 64 * 1024;

/// Minimum size of a response that is compressed.
const COMPRESSED_MIN_BYTES: u16 = 1024;

const HTTPS_FOR_A_YEAR: &str = "max-age=31536000";

/// Serves a function's routes until Lambda stops the function.
///
/// # Errors
/// Fails if a setting is malformed, if a secret is unreadable, or if the runtime API does not respond.
pub async fn serve(routes: impl FnOnce() -> Routes) -> Result<(), lambda_http::Error> {
    let started = Instant::now();
    logs::init();
    // Builds the routes while the secrets are read, so that a cold start is shorter.
    let (app, routes) = futures::join!(App::from_env(), async { routes() });
    let service = Adapter::from(service(routes, app?));
    let function = Config::from_env();
    logs::cold_start(started, function.memory, &function.version);
    let encoded = service.map_request(|LambdaEvent { payload, context }| LambdaEvent {
        payload: with_encoded_path(payload),
        context,
    });
    lambda_runtime::run(encoded).await
}

/// Returns the service that serves these routes, with and without the prefix `/api/v1`.
pub fn service(routes: Routes, app: App) -> Router {
    let (routes, api) = routes.into_parts();
    let hidden = if app.has_proposed_features() { HashSet::new() } else { openapi::proposed(&api) };
    Router::new()
        .merge(routes.clone())
        .nest(PREFIX, routes)
        .layer(Extension(TokenScopes::of(&api)))
        .layer(middleware::from_fn_with_state(Arc::new(openapi::deprecated(&api)), add_deprecation_headers))
        .layer(middleware::from_fn_with_state(Arc::new(hidden), hide_proposed))
        .fallback(async || Error::from(Failed::NotFound("route")))
        .method_not_allowed_fallback(async || Error::MethodNotAllowed)
        .layer(middleware::from_fn_with_state(app.clone(), only_through_front))
        .layer(CatchPanicLayer::custom(panicked))
        .layer(middleware::from_fn_with_state(app.clone(), observe))
        .layer(compression())
        .with_state(app)
}

/// Compresses large responses if the client accepts compression and the response is not already compressed.
fn compression() -> CompressionLayer<impl Predicate> {
    let is_worthwhile = DefaultPredicate::new().and(SizeAbove::new(COMPRESSED_MIN_BYTES));
    CompressionLayer::new().compress_when(is_worthwhile)
}

/// The operations of proposed features that are off, by method and by path without the prefix.
type Hidden = Arc<HashSet<(Method, String)>>;

/// Returns 404 for hidden operations.
async fn hide_proposed(State(hidden): State<Hidden>, request: Request, next: Next) -> Response {
    match hidden.contains(&matched_operation(request.method(), request.extensions())) {
        true => Error::from(Failed::NotFound("route")).into_response(),
        false => next.run(request).await,
    }
}

/// The part of a path after which a secret follows. Log lines have only the path up to this part.
const BEFORE_SECRET: &str = "/auth/export/";

/// Logs each request with its ID and cost, and adds the common response headers.
async fn observe(State(app): State<App>, request: Request, next: Next) -> Response {
    let id = gateway_id(&request);
    let method = request.method().clone();
    let route = matched_route(request.extensions());
    let path = request.uri().path().split_inclusive(BEFORE_SECRET).next().unwrap_or_default().to_owned();
    let span = tracing::info_span!("request", id, %method, path);
    // Boxed, because each async function that runs a future contains that future twice.
    let answered = Box::pin(answer(request, next));
    let counted = reads::count_large_response(&app, answered, response_size);
    let work = async {
        let ((mut response, limit), cost) = metrics::measure(rate_limit::with_nearest(counted)).await;
        if let Some(status) = limit {
            rate_limit_headers::write(status, response.headers_mut());
        }
        tracing::info!(
            status = response.status().as_u16(),
            route,
            readUnits = cost.read_units,
            writeUnits = cost.write_units,
            millis = cost.millis(),
            viewer = response.extensions().get().map(|LoggedAddress(address)| address.as_str()),
            "answered"
        );
        response
    };
    let known = Some(id.clone()).filter(|id| !id.is_empty());
    let mut response = request_id::within(known, work).instrument(span).await;
    if let Ok(id) = HeaderValue::from_str(&id) {
        response.headers_mut().insert("x-request-id", id);
    }
    add_security_headers(response.headers_mut());
    response
}

/// Adds headers that forbid content sniffing and require HTTPS. Also disables caching unless the response allows it,
/// because most responses are private.
fn add_security_headers(headers: &mut HeaderMap) {
    headers.insert(X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    headers.insert(STRICT_TRANSPORT_SECURITY, HeaderValue::from_static(HTTPS_FOR_A_YEAR));
    headers.entry(CACHE_CONTROL).or_insert(HeaderValue::from_static("no-store"));
}

fn response_size(response: &Response) -> usize {
    usize::try_from(response.body().size_hint().lower()).unwrap_or_default()
}

/// Returns the response, or an error if the request body is too large.
async fn answer(request: Request, next: Next) -> Response {
    match request.body().size_hint().lower() > BODY_MAX_BYTES as u64 {
        true => Error::PayloadTooLarge.into_response(),
        false => next.run(request).await,
    }
}

/// Returns the request's ID from API Gateway, which also writes the ID to its access log.
fn gateway_id(request: &Request) -> String {
    match request.extensions().get::<RequestContext>() {
        Some(RequestContext::ApiGatewayV2(context)) => context.request_id.clone().unwrap_or_default(),
        _ => String::new(),
    }
}

fn panicked(cause: Box<dyn Any + Send>) -> Response<Body> {
    Error::from(panics::panic_error(cause)).into_response()
}
