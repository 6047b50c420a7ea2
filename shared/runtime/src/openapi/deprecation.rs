//! Deprecated operations. An extension beside the route marks an operation as deprecated: `("x-deprecated" = json!({
//! "since": "2026-03-01", "sunset": "2026-09-01", "successor": "/posts/{publicId}" }))`.

use std::collections::HashMap;

use axum::http::Method;
use jiff::{ToSpan, civil::Date};
use serde::Deserialize;
use serde_json::Value;
use utoipa::openapi::{Deprecated, OpenApi, RefOr, Type, path::Operation};

use super::{common::header, operations};

/// Minimum time from deprecation to removal.
const NOTICE_MIN_DAYS: i32 = 90;

const HEADERS: [(&str, &str); 3] = [
    ("deprecation", "Time of the deprecation (RFC 9745)"),
    ("sunset", "Time from which the operation may be removed (RFC 8594)"),
    ("link", "Links to this reference (`deprecation`) and to the replacement (`successor-version`)"),
];

/// The days of an operation's deprecation and removal, and its replacement. Days begin at midnight UTC.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Deprecation {
    /// Day of the deprecation.
    pub since: Date,
    /// Day from which the operation may be removed.
    pub sunset: Date,
    /// Path of the replacement, with the same path parameters, or `None`.
    pub successor: Option<String>,
}

/// Returns the deprecated operations, by method and by path without the prefix.
pub fn deprecated(api: &OpenApi) -> HashMap<(Method, String), Deprecation> {
    let valid = operations(api).filter_map(|(method, path, operation)| {
        Some(((method, path.to_owned()), Deprecation::deserialize(extension(operation)?).ok()?))
    });
    valid.collect()
}

/// Returns an error message for each invalid deprecation.
pub fn deprecation_problems(api: &OpenApi) -> Vec<String> {
    let marked = operations(api)
        .filter_map(|(method, path, operation)| Some((format!("{method} {path}"), extension(operation)?)));
    marked.filter_map(|(name, value)| Some(format!("{name}: {}", problem(api, value)?))).collect()
}

/// Marks the operation if it is deprecated, and describes the deprecation headers of its responses.
pub(super) fn mark(operation: &mut Operation) {
    if extension(operation).is_none() {
        return;
    }
    operation.deprecated = Some(Deprecated::True);
    for response in operation.responses.responses.values_mut() {
        if let RefOr::T(response) = response {
            let headers = HEADERS.map(|(name, text)| (name.to_owned(), RefOr::T(header(Type::String, text))));
            response.headers.extend(headers);
        }
    }
}

fn extension(operation: &Operation) -> Option<&Value> {
    operation.extensions.as_ref()?.get("x-deprecated")
}

fn problem(api: &OpenApi, extension: &Value) -> Option<String> {
    let Deprecation { since, sunset, successor } = match Deprecation::deserialize(extension) {
        Ok(deprecation) => deprecation,
        Err(error) => return Some(error.to_string()),
    };
    if since.saturating_add(NOTICE_MIN_DAYS.days()) > sunset {
        return Some(format!(
            "sunset: must be at least {NOTICE_MIN_DAYS} days after since ({since} to {sunset})"
        ));
    }
    let unknown = successor.filter(|path| !api.paths.paths.contains_key(path))?;
    Some(format!("successor: the path {unknown} does not exist"))
}
