//! Tells whoever asks a deprecated operation until when it is there, and where to go.

use std::{collections::HashMap, sync::Arc};

use axum::{
    extract::{Request, State},
    http::{
        HeaderName, HeaderValue, Method,
        header::{InvalidHeaderValue, LINK},
    },
    middleware::Next,
    response::Response,
};
use jiff::{Timestamp, civil::Date, fmt::rfc2822::DateTimePrinter, tz::TimeZone};
use platform::Error as Failed;

use super::route::{PREFIX, matched_route};
use crate::{error::Result, openapi::Deprecation};

const DEPRECATION: HeaderName = HeaderName::from_static("deprecation");
const SUNSET: HeaderName = HeaderName::from_static("sunset");
/// Where people read of it.
const REFERENCE: &str = r#"</docs>; rel="deprecation"; type="text/html""#;

/// The deprecated operations of a function, by method and path without a prefix.
pub(super) type Deprecations = Arc<HashMap<(Method, String), Deprecation>>;

/// Adds the headers to what a deprecated operation answers, whatever that is.
pub(super) async fn announce(
    State(deprecations): State<Deprecations>,
    request: Request,
    next: Next,
) -> Response {
    if deprecations.is_empty() {
        return next.run(request).await;
    }
    // The handler of GET answers HEAD too.
    let method = if request.method() == Method::HEAD { Method::GET } else { request.method().clone() };
    let route = matched_route(request.extensions());
    let path = request.uri().path().to_owned();
    let mut response = next.run(request).await;
    if let Some(it) = deprecations.get(&(method, route.clone())) {
        let headers = headers(it, &route, &path).unwrap_or_else(|error| {
            tracing::error!("what {route} says of its end cannot be told: {error:?}");
            Vec::new()
        });
        for (name, value) in headers {
            response.headers_mut().append(name, value);
        }
    }
    response
}

fn headers(it: &Deprecation, route: &str, path: &str) -> Result<Vec<(HeaderName, HeaderValue)>> {
    let value = |text: String| HeaderValue::from_str(&text).map_err(unwritable);
    let sunset = DateTimePrinter::new().timestamp_to_rfc9110_string(&midnight(it.sunset)?);
    let mut headers = vec![
        (DEPRECATION, value(format!("@{}", midnight(it.since)?.as_second()))?),
        (SUNSET, value(sunset.map_err(Failed::internal)?)?),
        (LINK, HeaderValue::from_static(REFERENCE)),
    ];
    if let Some(successor) = &it.successor {
        let link = format!(r#"<{}>; rel="successor-version""#, filled(successor, route, path));
        headers.push((LINK, value(link)?));
    }
    Ok(headers)
}

fn midnight(day: Date) -> Result<Timestamp> {
    Ok(day.to_zoned(TimeZone::UTC).map_err(Failed::internal)?.timestamp())
}

fn unwritable(error: InvalidHeaderValue) -> Failed {
    Failed::internal(error)
}

/// Returns the successor's path as this request would ask it: with its prefix, and its ids in the place of their names.
fn filled(successor: &str, route: &str, path: &str) -> String {
    let (prefix, path) = path.strip_prefix(PREFIX).map_or(("", path), |it| (PREFIX, it));
    let named: HashMap<_, _> = route.split('/').zip(path.split('/')).collect();
    let segments = successor.split('/').map(|it| named.get(it).copied().unwrap_or(it));
    prefix.to_owned() + &segments.collect::<Vec<_>>().join("/")
}
