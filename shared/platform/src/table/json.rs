//! Rows of any type as JSON, for exports of personal data.

use std::fmt;

use base64::{Engine, prelude::BASE64_STANDARD};
use serde::{
    Deserialize, Deserializer, Serialize,
    de::{self, MapAccess, SeqAccess},
};
use serde_json::{Map, Value};

use super::{Key, Row};

/// Internal attributes, which exports omit: keys, expiration and outbox.
const INNER: [&str; 10] =
    ["pk", "sk", "gsi1pk", "gsi1sk", "gsi2pk", "gsi2sk", "gsi3pk", "gsi3sk", "ttl", "outbox"];

/// A row of any type as JSON. Bytes are encoded in base64.
#[derive(Clone, Debug, Serialize)]
#[serde(transparent)]
pub struct JsonRow(Map<String, Value>);

impl JsonRow {
    /// Returns a text attribute, or `None` if it is missing or not a text.
    pub fn text(&self, name: &str) -> Option<&str> {
        self.0.get(name)?.as_str()
    }

    /// Returns an integer attribute, or 0 if it is missing or not an integer.
    pub fn number(&self, name: &str) -> i64 {
        self.0.get(name).and_then(Value::as_i64).unwrap_or_default()
    }

    /// Returns the row's data without internal attributes and without the attributes in `hidden`.
    pub fn without(mut self, hidden: &[&str]) -> Value {
        self.0.retain(|name, _| !INNER.contains(&name.as_str()) && !hidden.contains(&name.as_str()));
        Value::Object(self.0)
    }
}

impl<'de> Deserialize<'de> for JsonRow {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        match Json::deserialize(deserializer)?.0 {
            Value::Object(row) => Ok(Self(row)),
            _ => Err(de::Error::custom("a row must be a map of attributes")),
        }
    }
}

impl Row for JsonRow {
    fn key(&self) -> Key {
        Key::new(self.text("pk").unwrap_or_default(), self.text("sk").unwrap_or_default())
    }
}

/// An attribute as JSON, with bytes in base64.
struct Json(Value);

struct JsonVisitor;

impl<'de> Deserialize<'de> for Json {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(JsonVisitor).map(Self)
    }
}

impl<'de> de::Visitor<'de> for JsonVisitor {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an attribute")
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_f64<E>(self, value: f64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_str<E>(self, value: &str) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_bytes<E>(self, value: &[u8]) -> Result<Value, E> {
        Ok(BASE64_STANDARD.encode(value).into())
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_none<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_some<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        Json::deserialize(deserializer).map(|json| json.0)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Value, A::Error> {
        let mut values = Vec::new();
        while let Some(Json(value)) = list.next_element()? {
            values.push(value);
        }
        Ok(values.into())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Value, A::Error> {
        let mut values = Map::new();
        while let Some((name, Json(value))) = map.next_entry()? {
            values.insert(name, value);
        }
        Ok(Value::Object(values))
    }
}
