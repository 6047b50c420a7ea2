//! Parses JSON and query strings into types. Errors contain the path of the field, and the names of JSON types instead
//! of Rust types.

mod input;
mod problem;

use std::{
    borrow::Cow,
    cell::RefCell,
    fmt::{self, Formatter},
    ops::RangeInclusive,
};

use serde::{
    Deserialize, Deserializer,
    de::{self, DeserializeOwned, Unexpected, Visitor},
};
use serde_json::Value;

use crate::{Error, Result};
use input::Input;
use problem::Problem;

/// The error for a body that is not a JSON object.
pub const NOT_AN_OBJECT: Error = Error::Invalid(Cow::Borrowed("the body must be a JSON object"));

/// The error for a body with an invalid or incomplete escape. Clients send half of a surrogate pair if they cut a text
/// inside an emoji.
const BAD_ESCAPE: Error = Error::Invalid(Cow::Borrowed(
    "the body must be valid JSON, but has an invalid or incomplete escape, such as half of a surrogate pair",
));

/// Maximum length of the path in an error, which can contain names from the input.
const PATH_MAX_CHARS: usize = 200;
const UNKNOWN: &str = "must be omitted: the operation has no such field";

/// Parses JSON.
///
/// # Errors
/// Fails with [`Error::Invalid`] if the bytes are not JSON.
pub fn parse_json(bytes: &[u8]) -> Result<Value> {
    serde_json::from_slice(bytes).map_err(|error| {
        // The error has no code, only a text.
        if error.to_string().contains("escape") { BAD_ESCAPE } else { NOT_AN_OBJECT }
    })
}

/// Parses a value into a `T`, and ignores unknown fields.
///
/// # Errors
/// Fails with [`Error::Invalid`] if a field is missing or invalid. The error contains the path of the field.
pub fn decode<T: DeserializeOwned>(value: Value) -> Result<T> {
    read(value, &RefCell::default())
}

/// Parses a value into a `T`, and refuses unknown fields.
///
/// # Errors
/// Fails as [`decode`] does. Also fails with [`Error::Invalid`] if fields are unknown. The error contains their paths.
pub fn decode_all<T: DeserializeOwned>(value: Value) -> Result<T> {
    let unknown = RefCell::default();
    let decoded = read(value, &unknown)?;
    match unknown.take() {
        unknown if unknown.is_empty() => Ok(decoded),
        unknown => Err(invalid(&unknown.join(", "), UNKNOWN)),
    }
}

/// Deserializes a present field as `Some`, so that `null` differs from a missing field.
pub fn present<'de, D: Deserializer<'de>, T: Deserialize<'de>>(
    deserializer: D,
) -> std::result::Result<Option<T>, D::Error> {
    T::deserialize(deserializer).map(Some)
}

/// Deserializes a whole number.
///
/// # Errors
/// Fails if the value is not a whole number or not in the range. The error states the range.
pub fn whole_number<'de, D: Deserializer<'de>>(
    deserializer: D,
    range: RangeInclusive<i64>,
) -> std::result::Result<i64, D::Error> {
    deserializer.deserialize_i64(WholeNumber(range))
}

struct WholeNumber(RangeInclusive<i64>);

impl Visitor<'_> for WholeNumber {
    type Value = i64;

    fn expecting(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        write!(formatter, "a whole number from {} to {}", self.0.start(), self.0.end())
    }

    fn visit_i64<E: de::Error>(self, number: i64) -> std::result::Result<i64, E> {
        let is_allowed = self.0.contains(&number);
        is_allowed.then_some(number).ok_or_else(|| E::invalid_value(Unexpected::Signed(number), &self))
    }

    fn visit_u64<E: de::Error>(self, number: u64) -> std::result::Result<i64, E> {
        // A number that does not fit into an `i64` is above the maximum too.
        self.visit_i64(i64::try_from(number).unwrap_or(i64::MAX))
    }
}

fn read<T: DeserializeOwned>(value: Value, unknown: &RefCell<Vec<String>>) -> Result<T> {
    T::deserialize(Input::new(value, unknown)).map_err(|problem| match problem {
        Problem { path: None, why } if why == problem::NOT_AN_OBJECT => NOT_AN_OBJECT,
        Problem { path: None, why } => Error::invalid_body(&why),
        Problem { path: Some(path), why } => invalid(&path, &why),
    })
}

fn invalid(path: &str, why: &str) -> Error {
    let path: String = path.chars().take(PATH_MAX_CHARS).collect();
    Error::invalid(&path, why)
}
