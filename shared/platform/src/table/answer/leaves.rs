//! The types of values, and the deserialization of values without nested values.

use std::fmt;

use base64::{Engine, prelude::BASE64_STANDARD};
use serde::{
    Deserialize,
    de::{Error, IntoDeserializer, MapAccess, Visitor, value::MapAccessDeserializer},
};

#[derive(Clone, Copy, Deserialize)]
#[serde(field_identifier)]
pub(super) enum Type {
    S,
    N,
    #[serde(rename = "BOOL")]
    Bool,
    #[serde(rename = "NULL")]
    Null,
    M,
    L,
    B,
}

/// Reads an enum. A variant without fields is stored as a text, and any other variant as a map.
pub(super) struct Variant<V>(pub(super) V);

impl<'de, V: Visitor<'de>> Visitor<'de> for Variant<V> {
    type Value = V::Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.expecting(f)
    }

    fn visit_str<E: Error>(self, name: &str) -> Result<V::Value, E> {
        self.0.visit_enum(name.into_deserializer())
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<V::Value, A::Error> {
        self.0.visit_enum(MapAccessDeserializer::new(map))
    }
}

/// Reads a number, which DynamoDB writes as a text.
pub(super) struct Number<V>(pub(super) V);

impl<'de, V: Visitor<'de>> Visitor<'de> for Number<V> {
    type Value = V::Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a number as a text")
    }

    fn visit_str<E: Error>(self, digits: &str) -> Result<V::Value, E> {
        if let Ok(number) = digits.parse() {
            return self.0.visit_u64(number);
        }
        match digits.parse() {
            Ok(number) => self.0.visit_i64(number),
            Err(_) => self.0.visit_f64(digits.parse().map_err(E::custom)?),
        }
    }
}

/// Reads bytes, which DynamoDB writes in base64.
pub(super) struct Bytes<V>(pub(super) V);

impl<'de, V: Visitor<'de>> Visitor<'de> for Bytes<V> {
    type Value = V::Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("bytes in base64")
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<V::Value, E> {
        self.0.visit_byte_buf(BASE64_STANDARD.decode(text).map_err(E::custom)?)
    }
}
