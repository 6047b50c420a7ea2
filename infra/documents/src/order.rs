//! Completes a document and formats it as JSON. Its fields keep their order, and the added fields come last.

use indexmap::IndexMap;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// Returns the document as indented JSON, after `complete` has changed it. Fields keep the order of `document`.
pub(crate) fn text(document: &impl Serialize, complete: impl FnOnce(&mut Value)) -> String {
    let text = || -> serde_json::Result<String> {
        let mut value = serde_json::to_value(document)?;
        complete(&mut value);
        let order: Ordered = serde_json::from_str(&serde_json::to_string(document)?)?;
        Ok(serde_json::to_string_pretty(&order.order(value))? + "\n")
    };
    text().unwrap_or_default()
}

/// A JSON value that keeps the order of object fields.
#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum Ordered {
    Object(IndexMap<String, Ordered>),
    List(Vec<Ordered>),
    Leaf(Value),
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
