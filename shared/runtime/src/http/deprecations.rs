//! Adds headers to the responses of deprecated operations: the dates of deprecation and removal, and the successor.

use std::{collections::HashMap, sync::Arc};

use axum::{
    extract::{Request, State},
    http::{HeaderName, HeaderValue, Method, header::LINK},
    middleware::Next,
    response::Response,
};
use jiff::{Timestamp, civil::Date, fmt::rfc2822::DateTimePrinter, tz::TimeZone};
use platform::Error as Failed;

use super::route::{PREFIX, matched_operation};
use crate::{Result, openapi::Deprecation};

const DEPRECATION: HeaderName = HeaderName::from_static("deprecation");
const SUNSET: HeaderName = HeaderName::from_static("sunset");
/// Link that points to the API reference.
const REFERENCE: &str = r#"</docs>; rel="deprecation"; type="text/html""#;

/// The deprecated operations of a function, by method and by path without the prefix.
pub(super) type Deprecations = Arc<HashMap<(Method, String), Deprecation>>;

/// Adds the deprecation headers to every response of a deprecated operation, including errors.
pub(super) async fn add_deprecation_headers(
    State(deprecations): State<Deprecations>,
    request: Request,
    next: Next,
) -> Response {
    if deprecations.is_empty() {
        return next.run(request).await;
    }
    let operation = matched_operation(request.method(), request.extensions());
    let path = request.uri().path().to_owned();
    let mut response = next.run(request).await;
    if let Some(deprecation) = deprecations.get(&operation) {
        let (_, route) = operation;
        let headers = headers(deprecation, &route, &path).unwrap_or_else(|error| {
            tracing::error!("failed to write the deprecation headers of {route}: {error:?}");
            Vec::new()
        });
        for (name, value) in headers {
            response.headers_mut().append(name, value);
        }
    }
    response
}

fn headers(deprecation: &Deprecation, route: &str, path: &str) -> Result<Vec<(HeaderName, HeaderValue)>> {
    let value = |text: String| HeaderValue::from_str(&text).map_err(Failed::internal);
    let sunset = DateTimePrinter::new().timestamp_to_rfc9110_string(&midnight(deprecation.sunset)?);
    let mut headers = vec![
        (DEPRECATION, value(format!("@{}", midnight(deprecation.since)?.as_second()))?),
        (SUNSET, value(sunset.map_err(Failed::internal)?)?),
        (LINK, HeaderValue::from_static(REFERENCE)),
    ];
    if let Some(successor) = &deprecation.successor {
        let link = format!(r#"<{}>; rel="successor-version""#, fill_parameters(successor, route, path));
        headers.push((LINK, value(link)?));
    }
    Ok(headers)
}

fn midnight(day: Date) -> Result<Timestamp> {
    Ok(day.to_zoned(TimeZone::UTC).map_err(Failed::internal)?.timestamp())
}

/// Returns the successor's path, with the prefix and the path parameters of this request.
fn fill_parameters(successor: &str, route: &str, path: &str) -> String {
    let (prefix, path) = path.strip_prefix(PREFIX).map_or(("", path), |path| (PREFIX, path));
    let parameters: HashMap<_, _> = route.split('/').zip(path.split('/')).collect();
    let segments = successor.split('/').map(|segment| parameters.get(segment).copied().unwrap_or(segment));
    prefix.to_owned() + &segments.collect::<Vec<_>>().join("/")
}
