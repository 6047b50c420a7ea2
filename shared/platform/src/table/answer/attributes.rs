//! Rows read from DynamoDB's JSON, in which a value stands below its type: `{"name": {"S": "Ada"}, "age": {"N": "36"}}`.
//!
//! A reader of JSON is put into [`Row`], and whatever serde reads from that meets plain values. Sets are in no row.

use std::fmt;

use serde::{
    Deserialize, Deserializer,
    de::{Error, IgnoredAny, MapAccess, Visitor},
    forward_to_deserialize_any,
};

use super::below::{Below, Inside, Type, Wanted};

/// A row as its type reads it.
pub(in crate::table) struct Stored<R>(pub(in crate::table) R);

impl<'de, R: Deserialize<'de>> Deserialize<'de> for Stored<R> {
    fn deserialize<D: Deserializer<'de>>(json: D) -> Result<Self, D::Error> {
        R::deserialize(Row(json)).map(Self)
    }
}

/// The attributes of a row.
struct Row<D>(D);

impl<'de, D: Deserializer<'de>> Deserializer<'de> for Row<D> {
    type Error = D::Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, D::Error> {
        self.0.deserialize_map(Inside(visitor))
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option unit unit_struct
        newtype_struct seq tuple tuple_struct map struct enum identifier ignored_any
    }
}

/// The value of an attribute, below its type.
pub(super) struct Value<D>(pub(super) D);

impl<'de, D: Deserializer<'de>> Deserializer<'de> for Value<D> {
    type Error = D::Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, D::Error> {
        self.0.deserialize_map(Typed { visitor, wanted: Wanted::Any })
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, D::Error> {
        self.0.deserialize_map(Typed { visitor, wanted: Wanted::Option })
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _name: &'static str,
        _variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, D::Error> {
        self.0.deserialize_map(Typed { visitor, wanted: Wanted::Enum })
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        visitor: V,
    ) -> Result<V::Value, D::Error> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, D::Error> {
        self.0.deserialize_ignored_any(visitor)
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf unit unit_struct
        seq tuple tuple_struct map struct identifier
    }
}

/// Reads a value's type, and has the value read.
struct Typed<V> {
    visitor: V,
    wanted: Wanted,
}

impl<'de, V: Visitor<'de>> Visitor<'de> for Typed<V> {
    type Value = V::Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value below its type")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<V::Value, A::Error> {
        let kind = map.next_key()?.ok_or_else(|| A::Error::custom("a value has a type"))?;
        let opened = Opened { kind, map };
        match self.wanted {
            Wanted::Any => opened.deserialize_any(self.visitor),
            Wanted::Option => opened.deserialize_option(self.visitor),
            Wanted::Enum => opened.deserialize_enum("", &[], self.visitor),
        }
    }
}

/// A value whose type is read, and which comes next.
struct Opened<A> {
    kind: Type,
    map: A,
}

impl<'de, A: MapAccess<'de>> Opened<A> {
    fn read<V: Visitor<'de>>(mut self, visitor: V, wanted: Wanted) -> Result<V::Value, A::Error> {
        self.map.next_value_seed(Below { kind: self.kind, wanted, visitor })
    }
}

impl<'de, A: MapAccess<'de>> Deserializer<'de> for Opened<A> {
    type Error = A::Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, A::Error> {
        self.read(visitor, Wanted::Any)
    }

    fn deserialize_option<V: Visitor<'de>>(mut self, visitor: V) -> Result<V::Value, A::Error> {
        match self.kind {
            Type::Null => {
                self.map.next_value::<IgnoredAny>()?;
                visitor.visit_none()
            }
            _ => visitor.visit_some(self),
        }
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _name: &'static str,
        _variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, A::Error> {
        self.read(visitor, Wanted::Enum)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        visitor: V,
    ) -> Result<V::Value, A::Error> {
        visitor.visit_newtype_struct(self)
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf unit unit_struct
        seq tuple tuple_struct map struct identifier ignored_any
    }
}
