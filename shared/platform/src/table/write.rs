//! One write of a row: what it changes, its conditions, and its refusal.

use std::collections::HashMap;

use aws_sdk_dynamodb::types::AttributeValue;
use serde::Serialize;
use serde_dynamo::to_attribute_value;

use super::{
    Index, Key, Row,
    row::{Item, item},
};
use crate::{
    error::{Error, Result},
    time::Time,
};

/// One write of a row: what it changes, under which conditions, and the error when they do not hold.
#[must_use = "a write does nothing until the table gets it"]
pub struct Write {
    pub(super) kind: Kind,
    pub(super) key: Key,
    pub(super) expression: Expression,
    refusal: Option<Error>,
    broken: Option<Error>,
}

pub(super) enum Kind {
    Put(Item),
    Update,
    Delete,
    Check,
}

#[derive(Default)]
pub(super) struct Expression {
    names: HashMap<String, String>,
    values: HashMap<String, AttributeValue>,
    sets: Vec<String>,
    adds: Vec<String>,
    removes: Vec<String>,
    conditions: Vec<String>,
}

impl Write {
    /// Puts the whole row in place of any that is there. Costs 1 WRU for each KB, and the same for each index.
    pub fn put(row: &impl Row) -> Self {
        let written = item(row);
        let (item, broken) = match written {
            Ok(item) => (item, None),
            Err(error) => (Item::new(), Some(error)),
        };
        Self { broken, ..Self::of(Kind::Put(item), row.key()) }
    }

    /// Puts the whole row where there is none.
    pub fn create(row: &impl Row) -> Self {
        Self::put(row).not_exists()
    }

    /// Changes attributes of the row at `key`; creates the row when there is none.
    pub fn update(key: Key) -> Self {
        Self::of(Kind::Update, key)
    }

    /// Changes attributes of the row at `row`'s key, and sets the index keys that `row` has.
    pub fn reindex(row: &impl Row) -> Self {
        let keys = row.indexes();
        let key_in = |index| keys.iter().find(|(it, _)| *it == index).map(|(_, key)| key.clone());
        [Index::Gsi1, Index::Gsi2, Index::Gsi3]
            .into_iter()
            .fold(Self::update(row.key()), |write, index| write.index_key(index, key_in(index)))
    }

    /// Deletes the row at `key`.
    pub fn delete(key: Key) -> Self {
        Self::of(Kind::Delete, key)
    }

    /// Changes nothing and only checks the conditions; for a transaction.
    pub fn check(key: Key) -> Self {
        Self::of(Kind::Check, key)
    }

    fn of(kind: Kind, key: Key) -> Self {
        Self { kind, key, expression: Expression::default(), refusal: None, broken: None }
    }

    /// Sets the attribute.
    pub fn set(mut self, name: &str, value: impl Serialize) -> Self {
        let term = self.term(name, value);
        self.expression.sets.push(term.join(" = "));
        self
    }

    /// Sets the attribute where it has no value.
    pub fn set_once(mut self, name: &str, value: impl Serialize) -> Self {
        let [name, value] = self.term(name, value);
        self.expression.sets.push(format!("{name} = if_not_exists({name}, {value})"));
        self
    }

    /// Sets the attribute, or removes it when there is no value.
    pub fn set_or_remove(self, name: &str, value: Option<impl Serialize>) -> Self {
        match value {
            Some(value) => self.set(name, value),
            None => self.remove(name),
        }
    }

    /// Adds to the number, which counts as 0 where it has no value.
    pub fn add(mut self, name: &str, by: i64) -> Self {
        let term = self.term(name, by);
        self.expression.adds.push(term.join(" "));
        self
    }

    /// Removes the attribute.
    pub fn remove(mut self, name: &str) -> Self {
        let name = self.name(name);
        self.expression.removes.push(name);
        self
    }

    /// Sets the row's key in an index; without one, the index no longer holds the row.
    pub fn index_key(self, index: Index, key: Option<Key>) -> Self {
        let (pk, sk) = key.map(|it| (it.pk, it.sk)).unzip();
        self.set_or_remove(index.pk(), pk).set_or_remove(index.sk(), sk)
    }

    /// Sets the row's key in an index that does not hold it yet.
    pub fn index_key_once(self, index: Index, key: &Key) -> Self {
        self.set_once(index.pk(), &key.pk).set_once(index.sk(), &key.sk)
    }

    /// Requires that the row exists.
    pub fn exists(self) -> Self {
        self.when("attribute_exists(pk)".to_owned())
    }

    /// Requires that the row does not exist.
    pub fn not_exists(self) -> Self {
        self.when("attribute_not_exists(pk)".to_owned())
    }

    /// Requires that the attribute has this value.
    pub fn equals(mut self, name: &str, value: impl Serialize) -> Self {
        let term = self.term(name, value);
        self.when(term.join(" = "))
    }

    /// Requires that the attribute has this value or none.
    pub fn equals_or_lacks(mut self, name: &str, value: impl Serialize) -> Self {
        let [name, value] = self.term(name, value);
        self.when(format!("({name} = {value} OR attribute_not_exists({name}))"))
    }

    /// Requires that the attribute has another value or none.
    pub fn differs(mut self, name: &str, value: impl Serialize) -> Self {
        let [name, value] = self.term(name, value);
        self.when(format!("({name} <> {value} OR attribute_not_exists({name}))"))
    }

    /// Requires that the attribute is greater than the value.
    pub fn above(mut self, name: &str, value: impl Serialize) -> Self {
        let term = self.term(name, value);
        self.when(term.join(" > "))
    }

    /// Requires that the attribute is at least the value.
    pub fn at_least(mut self, name: &str, value: impl Serialize) -> Self {
        let term = self.term(name, value);
        self.when(term.join(" >= "))
    }

    /// Requires that the attribute is less than the value or has none.
    pub fn below_or_lacks(mut self, name: &str, value: impl Serialize) -> Self {
        let [name, value] = self.term(name, value);
        self.when(format!("({name} < {value} OR attribute_not_exists({name}))"))
    }

    /// Requires that the attribute has no value.
    pub fn lacks(mut self, name: &str) -> Self {
        let name = self.name(name);
        self.when(format!("attribute_not_exists({name})"))
    }

    /// Requires that there is no row, or one that has expired and is not deleted yet.
    pub fn vacant_at(mut self, now: Time) -> Self {
        let [ttl, now] = self.term("ttl", now.seconds());
        self.when(format!("(attribute_not_exists(pk) OR {ttl} <= {now})"))
    }

    /// Names the error of a condition that does not hold; [`Error::Stale`] unless said.
    pub fn or(mut self, refusal: Error) -> Self {
        self.refusal = Some(refusal);
        self
    }

    fn when(mut self, condition: String) -> Self {
        self.expression.conditions.push(condition);
        self
    }

    fn name(&mut self, name: &str) -> String {
        let placeholder = format!("#{name}");
        self.expression.names.insert(placeholder.clone(), name.to_owned());
        placeholder
    }

    fn term(&mut self, name: &str, value: impl Serialize) -> [String; 2] {
        let placeholder = format!(":v{}", self.expression.values.len());
        match to_attribute_value::<_, AttributeValue>(value) {
            Ok(value) => {
                self.expression.values.insert(placeholder.clone(), value);
            }
            Err(error) => self.broken = Some(Error::internal(error)),
        }
        [self.name(name), placeholder]
    }

    /// Fails when a row or a value could not be serialized.
    pub(super) fn take_broken(&mut self) -> Result<()> {
        self.broken.take().map_or(Ok(()), Err)
    }

    pub(super) fn take_refusal(&mut self) -> Error {
        self.refusal.take().unwrap_or(Error::Stale)
    }
}

impl Expression {
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
