//! Event patterns for the rules of a bus and the filters of a stream.
//!
//! A pattern lists the allowed values of fields. As on AWS, `exists` matches only fields that are not maps or lists.

use anyhow::{Context, Result, bail, ensure};
use serde_json::Value as Json;

/// Fails if a part of the pattern is invalid or unsupported. The error names the part.
pub(crate) fn check(pattern: &Json) -> Result<()> {
    let Json::Object(fields) = pattern else { bail!("`{pattern}` is not an object") };
    ensure!(!fields.is_empty(), "`{{}}` has no fields");
    fields.iter().try_for_each(|(name, pattern)| {
        let checked = match pattern {
            Json::Array(tests) if tests.is_empty() => bail!("{name}: `[]` matches nothing"),
            Json::Array(tests) => tests.iter().try_for_each(check_test),
            nested => check(nested),
        };
        checked.with_context(|| name.clone())
    })
}

fn check_test(test: &Json) -> Result<()> {
    let is_supported = match test {
        Json::Object(comparison) if comparison.len() == 1 => {
            comparison.iter().all(|(kind, argument)| match kind.as_str() {
                "exists" => argument.is_boolean(),
                "prefix" | "suffix" => argument.is_string(),
                kind => kind == "anything-but",
            })
        }
        value => !value.is_object() && !value.is_array(),
    };
    ensure!(is_supported, "the local stack does not support the comparison `{test}`");
    Ok(())
}

/// Returns whether `value` matches the pattern. Each field in the pattern must have one of the listed values.
pub(crate) fn matches(pattern: &Json, value: Option<&Json>) -> bool {
    match pattern {
        Json::Object(fields) => {
            fields.iter().all(|(name, pattern)| matches(pattern, value.and_then(|object| object.get(name))))
        }
        Json::Array(tests) => tests.iter().any(|test| passes(test, value)),
        _ => false,
    }
}

/// Returns whether the pattern requires the value to exist.
pub(crate) fn requires_value(pattern: &Json) -> bool {
    match pattern {
        Json::Object(fields) => fields.values().any(requires_value),
        tests => !tests.as_array().into_iter().flatten().any(|test| test["exists"] == false),
    }
}

fn passes(test: &Json, value: Option<&Json>) -> bool {
    match (test.get("exists").and_then(Json::as_bool), value) {
        (Some(exists), None) => !exists,
        (Some(exists), Some(value)) => exists && !value.is_object() && !value.is_array(),
        (None, Some(Json::Array(values))) => values.iter().any(|value| fits(test, value)),
        (None, value) => value.is_some_and(|value| fits(test, value)),
    }
}

fn fits(test: &Json, value: &Json) -> bool {
    let Json::Object(comparison) = test else { return test == value };
    let text = value.as_str().unwrap_or_default();
    comparison.iter().all(|(kind, argument)| match (kind.as_str(), argument) {
        ("prefix", Json::String(prefix)) => text.starts_with(prefix),
        ("suffix", Json::String(suffix)) => text.ends_with(suffix),
        ("anything-but", Json::Array(others)) => !others.contains(value),
        ("anything-but", other) => value != other,
        _ => false,
    })
}
