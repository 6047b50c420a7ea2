//! What stands below the type of a value.

use std::fmt;

use base64::{Engine, prelude::BASE64_STANDARD};
use serde::{
    Deserialize, Deserializer,
    de::{
        DeserializeSeed, Error, IgnoredAny, IntoDeserializer, MapAccess, SeqAccess, Visitor,
        value::MapAccessDeserializer,
    },
};

use super::attributes::Value;

/// What a type asks for, where that decides how a value is read.
#[derive(Clone, Copy)]
pub(super) enum Wanted {
    Any,
    Option,
    Enum,
}

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

/// What stands below a type.
pub(super) struct Below<V> {
    pub(super) kind: Type,
    pub(super) wanted: Wanted,
    pub(super) visitor: V,
}

impl<'de, V: Visitor<'de>> DeserializeSeed<'de> for Below<V> {
    type Value = V::Value;

    fn deserialize<D: Deserializer<'de>>(self, json: D) -> Result<V::Value, D::Error> {
        match (self.kind, self.wanted) {
            (Type::S, Wanted::Enum) => json.deserialize_str(Variant(self.visitor)),
            (Type::M, Wanted::Enum) => json.deserialize_map(Variant(self.visitor)),
            (Type::S, _) => json.deserialize_str(self.visitor),
            (Type::N, _) => json.deserialize_str(Number(self.visitor)),
            (Type::Bool, _) => json.deserialize_bool(self.visitor),
            (Type::Null, _) => {
                IgnoredAny::deserialize(json)?;
                self.visitor.visit_unit()
            }
            (Type::M, _) => json.deserialize_map(Inside(self.visitor)),
            (Type::L, _) => json.deserialize_seq(Inside(self.visitor)),
            (Type::B, _) => json.deserialize_str(Bytes(self.visitor)),
        }
    }
}

/// A variant without fields is a text, another one a map with its name.
struct Variant<V>(V);

impl<'de, V: Visitor<'de>> Visitor<'de> for Variant<V> {
    type Value = V::Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.expecting(f)
    }

    fn visit_str<E: Error>(self, name: &str) -> Result<V::Value, E> {
        self.0.visit_enum(name.into_deserializer())
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<V::Value, A::Error> {
        self.0.visit_enum(MapAccessDeserializer::new(Inside(map)))
    }
}

/// A number is written as a text.
struct Number<V>(V);

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
struct Bytes<V>(V);

impl<'de, V: Visitor<'de>> Visitor<'de> for Bytes<V> {
    type Value = V::Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("bytes in base 64")
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<V::Value, E> {
        self.0.visit_byte_buf(BASE64_STANDARD.decode(text).map_err(E::custom)?)
    }
}

/// A map or a list, whose values stand below their types too.
pub(super) struct Inside<I>(pub(super) I);

impl<'de, V: Visitor<'de>> Visitor<'de> for Inside<V> {
    type Value = V::Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.expecting(f)
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<V::Value, A::Error> {
        self.0.visit_map(Inside(map))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, list: A) -> Result<V::Value, A::Error> {
        self.0.visit_seq(Inside(list))
    }
}

impl<'de, A: MapAccess<'de>> MapAccess<'de> for Inside<A> {
    type Error = A::Error;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, key: K) -> Result<Option<K::Value>, A::Error> {
        self.0.next_key_seed(key)
    }

    fn next_value_seed<T: DeserializeSeed<'de>>(&mut self, value: T) -> Result<T::Value, A::Error> {
        self.0.next_value_seed(Inside(value))
    }
}

impl<'de, A: SeqAccess<'de>> SeqAccess<'de> for Inside<A> {
    type Error = A::Error;

    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, value: T) -> Result<Option<T::Value>, A::Error> {
        self.0.next_element_seed(Inside(value))
    }
}

impl<'de, T: DeserializeSeed<'de>> DeserializeSeed<'de> for Inside<T> {
    type Value = T::Value;

    fn deserialize<D: Deserializer<'de>>(self, json: D) -> Result<T::Value, D::Error> {
        self.0.deserialize(Value(json))
    }
}
