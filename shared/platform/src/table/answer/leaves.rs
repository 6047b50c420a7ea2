//! Values that have no others below them, and the types above all of them.

use std::fmt;

use base64::{Engine, prelude::BASE64_STANDARD};
use serde::{
    Deserialize,
    de::{Error, IntoDeserializer, MapAccess, Visitor, value::MapAccessDeserializer},
};

/// The type above a value.
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

/// A variant without fields is a text, another one a map with its name.
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

/// A number is written as a text.
pub(super) struct Number<V>(pub(super) V);

impl<'de, V: Visitor<'de>> Visitor<'de> for Number<V> {
    type Value = V::Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a number in a text")
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

/// Bytes are written in base 64.
pub(super) struct Bytes<V>(pub(super) V);

impl<'de, V: Visitor<'de>> Visitor<'de> for Bytes<V> {
    type Value = V::Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("bytes in base 64")
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<V::Value, E> {
        self.0.visit_byte_buf(BASE64_STANDARD.decode(text).map_err(E::custom)?)
    }
}
