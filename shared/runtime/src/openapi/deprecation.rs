//! Operations that are on their way out. One says it beside its route, in a line:
//! `("x-deprecated" = json!({ "since": "2026-03-01", "sunset": "2026-09-01", "successor": "/posts/{publicId}" }))`.

use std::collections::HashMap;

use axum::http::Method;
use jiff::{ToSpan, civil::Date};
use serde::Deserialize;
use serde_json::Value;
use utoipa::openapi::{
    Deprecated, Header, HeaderBuilder, ObjectBuilder, OpenApi, RefOr, Type, path::Operation,
};

use super::operations;

/// The extension with which an operation says that it is on its way out.
pub const X_DEPRECATED: &str = "x-deprecated";

/// The days for which clients can still ask what they are told to leave.
const NOTICE_MIN_DAYS: i32 = 90;

const HEADERS: [(&str, &str); 3] = [
    ("deprecation", "The time since which the operation is deprecated (RFC 9745)"),
    ("sunset", "The time from which on it may be gone (RFC 8594)"),
    ("link", "Where to read of it (`deprecation`), and what takes its place (`successor-version`)"),
];

/// Since when an operation is deprecated, when it goes, and what takes its place. Days begin at midnight UTC.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Deprecation {
    /// The day from which on clients are to leave it.
    pub since: Date,
    /// The day from which on it may be gone.
    pub sunset: Date,
    /// The path that takes its place, with the same names in braces.
    pub successor: Option<String>,
}

/// Returns the operations that are deprecated: method and path, without a prefix.
pub fn deprecated(api: &OpenApi) -> HashMap<(Method, String), Deprecation> {
    let said = operations(api).filter_map(|(method, path, operation)| {
        Some(((method, path.to_owned()), Deprecation::deserialize(said(operation)?).ok()?))
    });
    said.collect()
}

/// Returns what is wrong with what operations say of their end, in sentences.
pub fn deprecation_problems(api: &OpenApi) -> Vec<String> {
    let said = operations(api).filter_map(|(method, path, it)| Some((format!("{method} {path}"), said(it)?)));
    said.filter_map(|(name, value)| Some(format!("{name}: {}", problem(api, value)?))).collect()
}

/// Marks an operation that is deprecated, and describes the headers of its answers.
pub(super) fn mark(operation: &mut Operation) {
    if said(operation).is_none() {
        return;
    }
    operation.deprecated = Some(Deprecated::True);
    for response in operation.responses.responses.values_mut() {
        if let RefOr::T(response) = response {
            response.headers.extend(HEADERS.map(|(name, text)| (name.to_owned(), RefOr::T(header(text)))));
        }
    }
}

fn said(operation: &Operation) -> Option<&Value> {
    operation.extensions.as_ref()?.get(X_DEPRECATED)
}

fn problem(api: &OpenApi, said: &Value) -> Option<String> {
    let Deprecation { since, sunset, successor } = match Deprecation::deserialize(said) {
        Ok(deprecation) => deprecation,
        Err(error) => return Some(error.to_string()),
    };
    if since.saturating_add(NOTICE_MIN_DAYS.days()) > sunset {
        return Some(format!("clients have less than {NOTICE_MIN_DAYS} days from {since} to {sunset}"));
    }
    let unknown = successor.filter(|it| !api.paths.paths.contains_key(it))?;
    Some(format!("there is no {unknown} that takes its place"))
}

fn header(text: &str) -> Header {
    let schema = ObjectBuilder::new().schema_type(Type::String).build();
    HeaderBuilder::new().schema(Some(schema)).description(Some(text)).build()
}
