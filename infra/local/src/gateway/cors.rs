//! CORS as HTTP APIs answer it: preflights never reach a function.

use axum::response::{IntoResponse, Response};
use lambda_http::http::{HeaderName, HeaderValue, Method, StatusCode, request::Parts};

use crate::template::Cors;

pub(super) fn is_preflight(parts: &Parts) -> bool {
    parts.method == Method::OPTIONS && parts.headers.contains_key("access-control-request-method")
}

pub(super) fn preflight(cors: &Cors, origin: &HeaderValue) -> Response {
    let mut response = StatusCode::NO_CONTENT.into_response();
    if decorate(cors, origin, &mut response) {
        set(&mut response, "access-control-allow-methods", &cors.allow_methods.join(","));
        set(&mut response, "access-control-allow-headers", &cors.allow_headers.join(","));
        if let Some(seconds) = cors.max_age {
            set(&mut response, "access-control-max-age", &seconds.to_string());
        }
    }
    response
}

/// Marks an answer as readable for an allowed origin; says whether it is one.
pub(super) fn decorate(cors: &Cors, origin: &HeaderValue, response: &mut Response) -> bool {
    let anyone = cors.allow_origins.iter().any(|allowed| allowed == "*");
    let Some(origin) =
        origin.to_str().ok().filter(|origin| anyone || cors.allow_origins.iter().any(|a| a == origin))
    else {
        return false;
    };
    set(response, "access-control-allow-origin", if anyone { "*" } else { origin });
    if !anyone {
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
