//! Restores the order of fields after a document was processed as JSON. Added fields come last.

use indexmap::IndexMap;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// A JSON value that keeps the order of object fields.
#[derive(Serialize, Deserialize)]
#[serde(untagged)]
pub(crate) enum Ordered {
    Object(IndexMap<String, Ordered>),
    List(Vec<Ordered>),
    Leaf(Value),
}

/// Returns `value` with its fields in the order of `document`.
pub(crate) fn ordered(document: &impl Serialize, value: Value) -> serde_json::Result<Ordered> {
    let order: Ordered = serde_json::from_str(&serde_json::to_string(document)?)?;
    Ok(order.order(value))
}

impl Ordered {
    /// Returns `value` with its fields in the order of `self`.
    fn order(self, value: Value) -> Self {
        match (self, value) {
            (Self::Object(order), Value::Object(mut fields)) => {
                let known = order.into_iter().filter_map(|(name, order)| {
                    let value = fields.remove(&name)?;
                    Some((name, order.order(value)))
                });
                let known: Vec<_> = known.collect();
                let added = fields.into_iter().map(|(name, value)| (name, Self::Leaf(value)));
                Self::Object(known.into_iter().chain(added).collect())
            }
            (Self::List(order), Value::Array(values)) if order.len() == values.len() => {
                Self::List(order.into_iter().zip(values).map(|(order, value)| order.order(value)).collect())
            }
            (_, value) => Self::Leaf(value),
        }
    }
}
