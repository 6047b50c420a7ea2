//! A deserializer of JSON values that collects unknown fields.

use std::{cell::RefCell, iter::Enumerate, vec};

use serde::{
    Deserializer,
    de::{DeserializeSeed, Error, IntoDeserializer, MapAccess, SeqAccess, Visitor},
    forward_to_deserialize_any,
};
use serde_json::{Number, Value, map};

use super::{
    UNKNOWN,
    problem::{NOT_AN_OBJECT, Problem, join},
};

/// A JSON value, and its path in the input.
///
/// In contrast to the deserializer of `serde_json`, structs are read only from objects, and enums only from strings.
pub(super) struct Input<'a> {
    value: Value,
    place: Place<'a>,
}

struct Place<'a> {
    /// The path, which is empty for the whole input.
    path: String,
    /// Collects the paths of unknown fields.
    unknown: &'a RefCell<Vec<String>>,
}

struct Items<'a> {
    items: Enumerate<vec::IntoIter<Value>>,
    place: Place<'a>,
}

struct Fields<'a> {
    fields: map::IntoIter,
    /// The field whose name has been read, and whose value is read next.
    field: Option<(String, Value)>,
    place: Place<'a>,
}

impl<'a> Input<'a> {
    pub(super) fn new(value: Value, unknown: &'a RefCell<Vec<String>>) -> Self {
        Self { value, place: Place { path: String::new(), unknown } }
    }
}

impl<'a> Place<'a> {
    /// Deserializes an element of this array or object. `name` is the element's field name, or the element's index in
    /// brackets.
    fn read<'de, S: DeserializeSeed<'de>>(
        &self,
        seed: S,
        name: &str,
        value: Value,
    ) -> Result<S::Value, Problem> {
        let place = Place { path: join(&self.path, name), unknown: self.unknown };
        seed.deserialize(Input { value, place }).map_err(|problem| problem.of_parent(name))
    }
}

impl<'de> Deserializer<'de> for Input<'_> {
    type Error = Problem;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Problem> {
        let Self { value, place } = self;
        match value {
            Value::Null => visitor.visit_unit(),
            Value::Bool(value) => visitor.visit_bool(value),
            Value::Number(number) => visit_number(&number, visitor),
            Value::String(text) if text.contains('\0') => {
                Err(Problem::custom("must not contain NUL characters"))
            }
            Value::String(text) => visitor.visit_string(text),
            Value::Array(items) => visitor.visit_seq(Items { items: items.into_iter().enumerate(), place }),
            Value::Object(fields) => {
                visitor.visit_map(Fields { fields: fields.into_iter(), field: None, place })
            }
        }
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Problem> {
        if self.value.is_null() { visitor.visit_none() } else { visitor.visit_some(self) }
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value, Problem> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Problem> {
        // A derived visitor would also accept an array with the fields in order.
        if self.value.is_object() {
            self.deserialize_any(visitor)
        } else {
            Err(Problem::custom(NOT_AN_OBJECT))
        }
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Problem> {
        match self.value {
            Value::String(name) => visitor.visit_enum(name.into_deserializer()),
            _ => Err(Problem::unknown_variant("", variants)),
        }
    }

    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Problem> {
        self.place.unknown.borrow_mut().push(self.place.path);
        visitor.visit_unit()
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf unit unit_struct seq tuple
        tuple_struct map identifier
    }
}

fn visit_number<'de, V: Visitor<'de>>(number: &Number, visitor: V) -> Result<V::Value, Problem> {
    match (number.as_u64(), number.as_i64()) {
        (Some(number), _) => visitor.visit_u64(number),
        (None, Some(number)) => visitor.visit_i64(number),
        (None, None) => visitor.visit_f64(number.as_f64().unwrap_or(f64::NAN)),
    }
}

impl<'de> SeqAccess<'de> for Items<'_> {
    type Error = Problem;

    fn next_element_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<Option<S::Value>, Problem> {
        let Some((index, item)) = self.items.next() else { return Ok(None) };
        self.place.read(seed, &format!("[{index}]"), item).map(Some)
    }
}

impl<'de> MapAccess<'de> for Fields<'_> {
    type Error = Problem;

    fn next_key_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<Option<S::Value>, Problem> {
        let Some((name, value)) = self.fields.next() else { return Ok(None) };
        let key = self.place.read(seed, &name, Value::String(name.clone()));
        // A key is invalid only in a map with a fixed set of keys.
        let key = key.map_err(|_| Problem { path: Some(name.clone()), why: UNKNOWN.to_owned() })?;
        self.field = Some((name, value));
        Ok(Some(key))
    }

    fn next_value_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<S::Value, Problem> {
        let field =
            self.field.take().ok_or_else(|| Problem::custom("the name of a field precedes its value"));
        let (name, value) = field?;
        self.place.read(seed, &name, value)
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.fields.len())
    }
}
