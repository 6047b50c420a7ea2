//! CORS headers of an HTTP API. The gateway answers preflight requests without calling a function.

use axum::response::{IntoResponse, Response};
use lambda_http::http::{HeaderName, HeaderValue, Method, StatusCode, request::Parts};

use crate::template::Cors;

pub(super) fn is_preflight(parts: &Parts) -> bool {
    parts.method == Method::OPTIONS && parts.headers.contains_key("access-control-request-method")
}

pub(super) fn preflight(cors: &Cors, origin: &HeaderValue) -> Response {
    let mut response = StatusCode::NO_CONTENT.into_response();
    if add_headers(cors, origin, &mut response) {
        set(&mut response, "access-control-allow-methods", &cors.allow_methods.join(","));
        set(&mut response, "access-control-allow-headers", &cors.allow_headers.join(","));
        if let Some(seconds) = cors.max_age {
            set(&mut response, "access-control-max-age", &seconds.to_string());
        }
    }
    response
}

/// Adds CORS headers if the origin is allowed. Returns whether they were added.
pub(super) fn add_headers(cors: &Cors, origin: &HeaderValue, response: &mut Response) -> bool {
    let allows = |origin: &str| cors.allow_origins.iter().any(|allowed| allowed == origin);
    let any_origin = allows("*");
    let Some(origin) = origin.to_str().ok().filter(|origin| any_origin || allows(origin)) else {
        return false;
    };
    set(response, "access-control-allow-origin", if any_origin { "*" } else { origin });
    if !any_origin {
        response.headers_mut().append("vary", HeaderValue::from_static("origin"));
    }
    if cors.allow_credentials {
        set(response, "access-control-allow-credentials", "true");
    }
    set(response, "access-control-expose-headers", &cors.expose_headers.join(","));
    true
}

fn set(response: &mut Response, name: &'static str, value: &str) {
    if let (false, Ok(value)) = (value.is_empty(), HeaderValue::from_str(value)) {
        response.headers_mut().insert(HeaderName::from_static(name), value);
    }
}
