//! Deserializes rows from DynamoDB's JSON, which wraps each value in its type: `{"name": {"S": "Ada"}}`.
//!
//! [`Row`] wraps a JSON deserializer, and unwraps the values for serde. Sets are not supported, because no row has a
//! set.

use std::fmt;

use serde::{
    Deserialize, Deserializer,
    de::{DeserializeSeed, Error, IgnoredAny, MapAccess, SeqAccess, Visitor},
    forward_to_deserialize_any,
};

use super::leaves::{Bytes, Number, Type, Variant};

pub(in crate::table) struct Stored<R>(pub(in crate::table) R);

impl<'de, R: Deserialize<'de>> Deserialize<'de> for Stored<R> {
    fn deserialize<D: Deserializer<'de>>(json: D) -> Result<Self, D::Error> {
        R::deserialize(Row(json)).map(Self)
    }
}

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

/// Deserializes a value that is wrapped in its type.
struct Value<D>(D);

impl<'de, D: Deserializer<'de>> Deserializer<'de> for Value<D> {
    type Error = D::Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, D::Error> {
        self.0.deserialize_map(Typed { visitor, target: Target::Any })
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, D::Error> {
        self.0.deserialize_map(Typed { visitor, target: Target::Option })
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _name: &'static str,
        _variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, D::Error> {
        self.0.deserialize_map(Typed { visitor, target: Target::Enum })
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

/// The kind of Rust type into which a value is read.
#[derive(Clone, Copy)]
enum Target {
    Any,
    Option,
    Enum,
}

/// Visits the map that wraps a value in its type.
struct Typed<V> {
    visitor: V,
    target: Target,
}

impl<'de, V: Visitor<'de>> Visitor<'de> for Typed<V> {
    type Value = V::Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value wrapped in its type")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<V::Value, A::Error> {
        let kind = map.next_key()?.ok_or_else(|| A::Error::custom("a value must have a type"))?;
        let opened = Opened { kind, map };
        match self.target {
            Target::Any => opened.deserialize_any(self.visitor),
            Target::Option => opened.deserialize_option(self.visitor),
            Target::Enum => opened.deserialize_enum("", &[], self.visitor),
        }
    }
}

/// A value whose type has been read. The value itself comes next in the map.
struct Opened<A> {
    kind: Type,
    map: A,
}

impl<'de, A: MapAccess<'de>> Opened<A> {
    fn read<V: Visitor<'de>>(mut self, visitor: V, target: Target) -> Result<V::Value, A::Error> {
        self.map.next_value_seed(TypedValue { kind: self.kind, target, visitor })
    }
}

impl<'de, A: MapAccess<'de>> Deserializer<'de> for Opened<A> {
    type Error = A::Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, A::Error> {
        self.read(visitor, Target::Any)
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
        self.read(visitor, Target::Enum)
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

struct TypedValue<V> {
    kind: Type,
    target: Target,
    visitor: V,
}

impl<'de, V: Visitor<'de>> DeserializeSeed<'de> for TypedValue<V> {
    type Value = V::Value;

    fn deserialize<D: Deserializer<'de>>(self, json: D) -> Result<V::Value, D::Error> {
        match (self.kind, self.target) {
            (Type::S, Target::Enum) => json.deserialize_str(Variant(self.visitor)),
            (Type::M, Target::Enum) => json.deserialize_map(Inside(Variant(self.visitor))),
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

/// Reads a map or a list, whose values are also wrapped in their types.
struct Inside<I>(I);

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
