//! JSON and query strings into types; an error names the field.

use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::error::{Error, Result};

/// Returns the value as a `T`.
///
/// # Errors
/// [`Error::Invalid`] with the path of the field and what it must be.
pub fn decode<T: DeserializeOwned>(value: Value) -> Result<T> {
    serde_path_to_error::deserialize(value).map_err(|error| {
        let path = error.path().to_string();
        let why = error.into_inner().to_string();
        match missing(&why) {
            Some(field) if path == "." => Error::invalid(field, "is required"),
            Some(field) => Error::invalid(&format!("{path}.{field}"), "is required"),
            None if path == "." => Error::invalid("body", &why),
            None => Error::invalid(&path, &why),
        }
    })
}

/// serde reports a missing field at its parent, in words.
fn missing(why: &str) -> Option<&str> {
    why.strip_prefix("missing field `")?.strip_suffix('`')
}
