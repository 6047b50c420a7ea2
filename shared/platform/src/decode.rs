//! Parses JSON and query strings into types. Errors name the field.

use std::{
    fmt::{self, Display, Formatter},
    marker::PhantomData,
};

use serde::{
    Deserialize, Deserializer, Serialize,
    de::{DeserializeOwned, MapAccess, Visitor, value::MapAccessDeserializer},
};
use serde_ignored::Path;
use serde_json::Value;

use crate::error::{Error, Result};

/// Maximum length of the list of unknown fields in an error.
const UNKNOWN_FIELDS_MAX_CHARS: usize = 200;

/// Parses a value into a `T`, and ignores unknown fields.
///
/// # Errors
/// Fails with [`Error::Invalid`] if a field is missing or invalid. The error contains the path of the field.
pub fn decode<T: DeserializeOwned>(value: Value) -> Result<T> {
    read(value)
}

/// Parses a value into a `T`, and refuses unknown fields.
///
/// # Errors
/// Fails as [`decode`] does. Also fails with [`Error::Invalid`] if fields are unknown. The error contains their paths.
pub fn decode_all<T: DeserializeOwned>(value: Value) -> Result<T> {
    // serde would accept an array with the struct's fields in order.
    if value.is_array() {
        return Err(Error::invalid("body", "must be an object"));
    }
    let mut unknown = Vec::new();
    let decoded =
        read(serde_ignored::Deserializer::new(value, &mut |path: Path| unknown.push(path_text(&path))))?;
    if unknown.is_empty() {
        return Ok(decoded);
    }
    let names: String = unknown.join(", ").chars().take(UNKNOWN_FIELDS_MAX_CHARS).collect();
    Err(Error::invalid(&names, "must be omitted: the operation has no such field"))
}

/// A nested object in a body. Refuses an array, because serde would accept an array with the object's fields in order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct Object<T>(pub T);

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Object<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> std::result::Result<Self, D::Error> {
        deserializer.deserialize_map(Fields(PhantomData)).map(Self)
    }
}

struct Fields<T>(PhantomData<T>);

impl<'de, T: Deserialize<'de>> Visitor<'de> for Fields<T> {
    type Value = T;

    fn expecting(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        formatter.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> std::result::Result<T, A::Error> {
        T::deserialize(MapAccessDeserializer::new(map))
    }
}

/// Deserializes a present field as `Some`, so that `null` differs from a missing field.
///
/// # Errors
/// Fails as the deserializer does.
pub fn present<'de, D: Deserializer<'de>, T: Deserialize<'de>>(
    deserializer: D,
) -> std::result::Result<Option<T>, D::Error> {
    T::deserialize(deserializer).map(Some)
}

fn read<'de, T: DeserializeOwned, D: Deserializer<'de, Error: Display>>(from: D) -> Result<T> {
    serde_path_to_error::deserialize(from).map_err(|error| {
        let path = error.path().to_string();
        let why = error.into_inner().to_string();
        match missing(&why) {
            Some(field) if path == "." => Error::invalid(field, "is required"),
            Some(field) => Error::invalid(&format!("{path}.{field}"), "is required"),
            // An error in a map key has no field.
            None if path == "." || path == "?" => Error::invalid("body", &why),
            None => Error::invalid(&path, &why),
        }
    })
}

/// Returns the name of the missing field in serde's error message, or `None` for a different error.
fn missing(why: &str) -> Option<&str> {
    why.strip_prefix("missing field `")?.strip_suffix('`')
}

/// Formats a path as in the errors of [`decode`], for example `media[0].url`.
fn path_text(path: &Path) -> String {
    match path {
        Path::Root => String::new(),
        Path::Seq { parent, index } => format!("{}[{index}]", path_text(parent)),
        Path::Map { parent, key } => match path_text(parent) {
            parent if parent.is_empty() => key.clone(),
            parent => format!("{parent}.{key}"),
        },
        Path::Some { parent } | Path::NewtypeStruct { parent } | Path::NewtypeVariant { parent } => {
            path_text(parent)
        }
    }
}
