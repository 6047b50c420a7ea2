//! The changes and conditions of a write as DynamoDB expressions.

use std::collections::HashMap;

use aws_sdk_dynamodb::types::AttributeValue;
use serde::Serialize;
use serde_dynamo::to_attribute_value;

use crate::{Error, Result};

#[derive(Default)]
pub(super) struct Expression {
    names: HashMap<String, String>,
    values: HashMap<String, AttributeValue>,
    pub(super) sets: Vec<String>,
    pub(super) adds: Vec<String>,
    pub(super) removes: Vec<String>,
    pub(super) conditions: Vec<String>,
}

impl Expression {
    /// Adds an attribute's name, and returns its placeholder.
    pub(super) fn name(&mut self, name: &str) -> String {
        let placeholder = format!("#{name}");
        self.names.insert(placeholder.clone(), name.to_owned());
        placeholder
    }

    /// Adds an attribute's name and a value, and returns their placeholders.
    pub(super) fn term(&mut self, name: &str, value: impl Serialize) -> Result<[String; 2]> {
        let placeholder = format!(":v{}", self.values.len());
        let value = to_attribute_value::<_, AttributeValue>(value).map_err(Error::internal)?;
        self.values.insert(placeholder.clone(), value);
        Ok([self.name(name), placeholder])
    }

    pub(super) fn condition(&self) -> Option<String> {
        (!self.conditions.is_empty()).then(|| self.conditions.join(" AND "))
    }

    pub(super) fn update(&self) -> Option<String> {
        let parts = [("SET", &self.sets), ("ADD", &self.adds), ("REMOVE", &self.removes)];
        let clauses: Vec<_> = (parts.iter().filter(|(_, terms)| !terms.is_empty()))
            .map(|(verb, terms)| format!("{verb} {}", terms.join(", ")))
            .collect();
        (!clauses.is_empty()).then(|| clauses.join(" "))
    }

    pub(super) fn names(&self) -> Option<HashMap<String, String>> {
        (!self.names.is_empty()).then(|| self.names.clone())
    }

    pub(super) fn values(&self) -> Option<HashMap<String, AttributeValue>> {
        (!self.values.is_empty()).then(|| self.values.clone())
    }
}
