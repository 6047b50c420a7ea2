//! JSON and query strings into types; an error names the field.

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

/// The longest list of unknown fields that an error repeats.
const NAMED_MAX_CHARS: usize = 200;

/// Returns the value as a `T`; fields that `T` does not have are ignored.
///
/// # Errors
/// [`Error::Invalid`] with the path of the field and what it must be.
pub fn decode<T: DeserializeOwned>(value: Value) -> Result<T> {
    read(value)
}

/// Returns the value as a `T`, which has all its fields.
///
/// # Errors
/// Those of [`decode`], and [`Error::Invalid`] with the paths of the fields that `T` does not have.
pub fn decode_all<T: DeserializeOwned>(value: Value) -> Result<T> {
    // serde would read a list as a struct's fields in their order.
    if value.is_array() {
        return Err(Error::invalid("body", "must be an object"));
    }
    let mut unknown = Vec::new();
    let decoded = read(serde_ignored::Deserializer::new(value, &mut |it: Path| unknown.push(named(&it))))?;
    if unknown.is_empty() {
        return Ok(decoded);
    }
    let names: String = unknown.join(", ").chars().take(NAMED_MAX_CHARS).collect();
    Err(Error::invalid(&names, "must be left out: the operation does not know it"))
}

/// A part of a body that is an object. serde would read a list as its fields in their order.
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

/// Reads a field that is present, so that null is a value like any other. For `#[serde(deserialize_with = "present")]`.
///
/// # Errors
/// Those of the deserializer.
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
            // A key of a map is no field.
            None if path == "." || path == "?" => Error::invalid("body", &why),
            None => Error::invalid(&path, &why),
        }
    })
}

/// serde reports a missing field at its parent, in words.
fn missing(why: &str) -> Option<&str> {
    why.strip_prefix("missing field `")?.strip_suffix('`')
}

/// Writes a path as the errors of [`decode`] do: `media[0].url`.
fn named(path: &Path) -> String {
    match path {
        Path::Root => String::new(),
        Path::Seq { parent, index } => format!("{}[{index}]", named(parent)),
        Path::Map { parent, key } => match named(parent) {
            parent if parent.is_empty() => key.clone(),
            parent => format!("{parent}.{key}"),
        },
        Path::Some { parent } | Path::NewtypeStruct { parent } | Path::NewtypeVariant { parent } => {
            named(parent)
        }
    }
}
