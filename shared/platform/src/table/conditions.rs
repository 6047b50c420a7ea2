//! The conditions of a write, and the error for a condition that does not hold.

use serde::Serialize;

use super::Write;
use crate::{Error, Time};

impl<K> Write<K> {
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

    /// Requires that the attribute still has `value`. `None` means that the attribute still has no value.
    pub fn is_still(self, name: &str, value: Option<impl Serialize>) -> Self {
        match value {
            Some(value) => self.equals(name, value),
            None => self.lacks(name),
        }
    }

    /// Requires that the attribute has this value or no value.
    pub fn equals_or_lacks(mut self, name: &str, value: impl Serialize) -> Self {
        let [name, value] = self.term(name, value);
        self.when(format!("({name} = {value} OR attribute_not_exists({name}))"))
    }

    /// Requires that the attribute has a different value or no value.
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

    /// Requires that the attribute is less than the value, or has no value.
    pub fn below_or_lacks(mut self, name: &str, value: impl Serialize) -> Self {
        let [name, value] = self.term(name, value);
        self.when(format!("({name} < {value} OR attribute_not_exists({name}))"))
    }

    /// Requires that the list does not contain this value.
    pub fn lacks_value(mut self, name: &str, value: impl Serialize) -> Self {
        let [name, value] = self.term(name, value);
        self.when(format!("(attribute_not_exists({name}) OR NOT contains({name}, {value}))"))
    }

    /// Requires that the list has fewer than `values` values. A missing list counts as empty.
    pub fn shorter_or_lacks(mut self, name: &str, values: usize) -> Self {
        let [name, values] = self.term(name, values);
        self.when(format!("(size({name}) < {values} OR attribute_not_exists({name}))"))
    }

    /// Requires that the attribute has a value.
    pub fn has(mut self, name: &str) -> Self {
        let name = self.name(name);
        self.when(format!("attribute_exists({name})"))
    }

    /// Requires that the attribute has no value.
    pub fn lacks(mut self, name: &str) -> Self {
        let name = self.name(name);
        self.when(format!("attribute_not_exists({name})"))
    }

    /// Requires that the row does not exist or has expired. DynamoDB deletes an expired row with a delay.
    pub fn vacant_at(mut self, now: Time) -> Self {
        let [ttl, now] = self.term("ttl", now.seconds());
        self.when(format!("(attribute_not_exists(pk) OR {ttl} <= {now})"))
    }

    /// Requires that the row does not exist, that it has expired, or that the attribute has this value.
    pub fn vacant_at_or(mut self, now: Time, name: &str, value: impl Serialize) -> Self {
        let [ttl, now] = self.term("ttl", now.seconds());
        let [name, value] = self.term(name, value);
        self.when(format!("(attribute_not_exists(pk) OR {ttl} <= {now} OR {name} = {value})"))
    }

    /// Requires that the row does not exist, or that the time in the attribute is not in the future.
    pub fn vacant_from(mut self, name: &str, now: Time) -> Self {
        let [name, now] = self.term(name, now);
        self.when(format!("(attribute_not_exists(pk) OR {name} <= {now})"))
    }

    /// Requires that the row does not exist, or that the attribute has a value.
    pub fn vacant_or_has(mut self, name: &str) -> Self {
        let name = self.name(name);
        self.when(format!("(attribute_not_exists(pk) OR attribute_exists({name}))"))
    }

    /// Sets the error with which the write fails if a condition does not hold. The default is [`Error::WriteConflict`].
    pub fn or(mut self, refusal: Error) -> Self {
        self.refusal = Some(refusal);
        self
    }

    fn when(mut self, condition: String) -> Self {
        self.expression.conditions.push(condition);
        self
    }
}
