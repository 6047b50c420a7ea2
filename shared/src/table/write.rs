//! Writing: one row, or several together or not at all.

use std::collections::HashMap;

use aws_sdk_dynamodb::{
    operation::{
        delete_item::DeleteItemError, put_item::PutItemError, transact_write_items::TransactWriteItemsError,
        update_item::UpdateItemError,
    },
    types::{
        AttributeValue, ConditionCheck, Delete, Put, ReturnValue,
        ReturnValuesOnConditionCheckFailure as OnFailure, TransactWriteItem, Update,
    },
};
use serde::Serialize;
use serde_dynamo::{from_item, to_attribute_value};

use super::{
    Index, Key, Row, Table,
    retry::retry,
    row::{Item, item},
};
use crate::{
    error::{Error, Result},
    time::Time,
};

/// One step: what to write, under which conditions, and what to answer when they do not hold.
#[must_use = "a write does nothing until the table is given it"]
pub struct Write {
    kind: Kind,
    key: Key,
    expression: Expression,
    refusal: Option<Error>,
    broken: Option<Error>,
}

enum Kind {
    Put(Item),
    Update,
    Delete,
    Check,
}

#[derive(Default)]
struct Expression {
    names: HashMap<String, String>,
    values: HashMap<String, AttributeValue>,
    sets: Vec<String>,
    adds: Vec<String>,
    removes: Vec<String>,
    conditions: Vec<String>,
}

/// What came of a write that may be refused.
#[derive(Debug)]
pub enum Attempt<R> {
    /// The row as it is after the write.
    Done(R),
    /// The row as it was found, if it was there at all.
    Refused(Option<R>),
}

impl Write {
    /// The whole row, over whatever is there. 1 WRU for each KB, and the same for each index.
    pub fn put(row: &impl Row) -> Self {
        let written = item(row);
        let (item, broken) = match written {
            Ok(item) => (item, None),
            Err(error) => (Item::new(), Some(error)),
        };
        Self { broken, ..Self::of(Kind::Put(item), row.key()) }
    }

    /// The whole row, where none is yet.
    pub fn create(row: &impl Row) -> Self {
        Self::put(row).absent()
    }

    /// Some attributes of the row at `key`, which is made when it is not there.
    pub fn update(key: Key) -> Self {
        Self::of(Kind::Update, key)
    }

    /// No row at `key` any more.
    pub fn delete(key: Key) -> Self {
        Self::of(Kind::Delete, key)
    }

    /// Nothing: only the conditions, for a transaction.
    pub fn check(key: Key) -> Self {
        Self::of(Kind::Check, key)
    }

    fn of(kind: Kind, key: Key) -> Self {
        Self { kind, key, expression: Expression::default(), refusal: None, broken: None }
    }

    /// Sets an attribute.
    pub fn set(mut self, name: &str, value: impl Serialize) -> Self {
        let term = self.term(name, value);
        self.expression.sets.push(term.join(" = "));
        self
    }

    /// Sets an attribute that has no value yet.
    pub fn set_once(mut self, name: &str, value: impl Serialize) -> Self {
        let [name, value] = self.term(name, value);
        self.expression.sets.push(format!("{name} = if_not_exists({name}, {value})"));
        self
    }

    /// Sets an attribute, or removes it when there is nothing to set.
    pub fn set_or_remove(self, name: &str, value: Option<impl Serialize>) -> Self {
        match value {
            Some(value) => self.set(name, value),
            None => self.remove(name),
        }
    }

    /// Adds to a number, which is 0 when it is not there.
    pub fn add(mut self, name: &str, by: i64) -> Self {
        let term = self.term(name, by);
        self.expression.adds.push(term.join(" "));
        self
    }

    /// Removes an attribute.
    pub fn remove(mut self, name: &str) -> Self {
        let name = self.name(name);
        self.expression.removes.push(name);
        self
    }

    /// Puts the row at a place of an index, or takes it out.
    pub fn place(self, index: Index, place: Option<Key>) -> Self {
        let (pk, sk) = place.map(|it| (it.pk, it.sk)).unzip();
        self.set_or_remove(index.pk(), pk).set_or_remove(index.sk(), sk)
    }

    /// Puts the row at a place of an index, where it has none there yet.
    pub fn place_once(self, index: Index, place: &Key) -> Self {
        self.set_once(index.pk(), &place.pk).set_once(index.sk(), &place.sk)
    }

    /// Only where there is a row.
    pub fn exists(self) -> Self {
        self.when("attribute_exists(pk)".to_owned())
    }

    /// Only where there is no row.
    pub fn absent(self) -> Self {
        self.when("attribute_not_exists(pk)".to_owned())
    }

    /// Only while the attribute has this value.
    pub fn equals(mut self, name: &str, value: impl Serialize) -> Self {
        let term = self.term(name, value);
        self.when(term.join(" = "))
    }

    /// Only while the attribute has this value, or none.
    pub fn equals_or_lacks(mut self, name: &str, value: impl Serialize) -> Self {
        let [name, value] = self.term(name, value);
        self.when(format!("({name} = {value} OR attribute_not_exists({name}))"))
    }

    /// Only while the attribute is more than this.
    pub fn above(mut self, name: &str, value: impl Serialize) -> Self {
        let term = self.term(name, value);
        self.when(term.join(" > "))
    }

    /// Only while the attribute is at least this.
    pub fn at_least(mut self, name: &str, value: impl Serialize) -> Self {
        let term = self.term(name, value);
        self.when(term.join(" >= "))
    }

    /// Only while the attribute has no value.
    pub fn lacks(mut self, name: &str) -> Self {
        let name = self.name(name);
        self.when(format!("attribute_not_exists({name})"))
    }

    /// Only where there is no row, or one whose end has passed though nobody swept it yet.
    pub fn vacant_at(mut self, now: Time) -> Self {
        let [ttl, now] = self.term("ttl", now.seconds());
        self.when(format!("(attribute_not_exists(pk) OR {ttl} <= {now})"))
    }

    /// What to answer when a condition does not hold.
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

    fn take_refusal(&mut self) -> Error {
        let Key { pk, sk } = &self.key;
        let unexpected = || Error::internal(anyhow::anyhow!("a condition on {pk} / {sk} did not hold"));
        self.refusal.take().unwrap_or_else(unexpected)
    }
}

impl Expression {
    fn condition(&self) -> Option<String> {
        (!self.conditions.is_empty()).then(|| self.conditions.join(" AND "))
    }

    fn update(&self) -> Option<String> {
        let parts = [("SET", &self.sets), ("ADD", &self.adds), ("REMOVE", &self.removes)];
        let clauses: Vec<_> = (parts.iter().filter(|(_, terms)| !terms.is_empty()))
            .map(|(verb, terms)| format!("{verb} {}", terms.join(", ")))
            .collect();
        (!clauses.is_empty()).then(|| clauses.join(" "))
    }

    fn names(&self) -> Option<HashMap<String, String>> {
        (!self.names.is_empty()).then(|| self.names.clone())
    }

    fn values(&self) -> Option<HashMap<String, AttributeValue>> {
        (!self.values.is_empty()).then(|| self.values.clone())
    }
}

impl Table {
    /// Writes one row. 1 call.
    ///
    /// # Errors
    /// The write's refusal when a condition does not hold; internal otherwise.
    pub async fn write(&self, mut write: Write) -> Result<()> {
        let refusal = write.take_refusal();
        match self.attempt_item(write).await? {
            Attempt::Done(_) => Ok(()),
            Attempt::Refused(_) => Err(refusal),
        }
    }

    /// Writes one row, and tells what is there afterwards. 1 call.
    ///
    /// # Errors
    /// Internal only: a refusal is an answer here.
    pub async fn attempt<R: Row>(&self, write: Write) -> Result<Attempt<R>> {
        let row = |item| from_item(item).map_err(Error::internal);
        Ok(match self.attempt_item(write).await? {
            Attempt::Done(item) => Attempt::Done(row(item)?),
            Attempt::Refused(item) => Attempt::Refused(item.map(row).transpose()?),
        })
    }

    async fn attempt_item(&self, write: Write) -> Result<Attempt<Item>> {
        if let Some(broken) = write.broken {
            return Err(broken);
        }
        match write.kind {
            Kind::Put(item) => self.put_item(item, &write.expression).await,
            Kind::Update => self.update_item(&write.key, &write.expression).await,
            Kind::Delete => self.delete_item(&write.key, &write.expression).await,
            Kind::Check => Err(Error::internal(anyhow::anyhow!("a check is a step of a transaction"))),
        }
    }

    async fn put_item(&self, item: Item, expression: &Expression) -> Result<Attempt<Item>> {
        let call = || {
            let put = self.client.put_item().table_name(&self.name).set_item(Some(item.clone()));
            put.set_condition_expression(expression.condition())
                .set_expression_attribute_names(expression.names())
                .set_expression_attribute_values(expression.values())
                .return_values_on_condition_check_failure(OnFailure::AllOld)
                .send()
        };
        match retry(call).await.map_err(|it| it.into_service_error()) {
            Ok(_) => Ok(Attempt::Done(item)),
            Err(PutItemError::ConditionalCheckFailedException(it)) => Ok(Attempt::Refused(it.item)),
            Err(error) => Err(Error::internal(error)),
        }
    }

    async fn update_item(&self, key: &Key, expression: &Expression) -> Result<Attempt<Item>> {
        let call = || {
            let update = self.client.update_item().table_name(&self.name).set_key(Some(key.into()));
            update
                .set_update_expression(expression.update())
                .set_condition_expression(expression.condition())
                .set_expression_attribute_names(expression.names())
                .set_expression_attribute_values(expression.values())
                .return_values(ReturnValue::AllNew)
                .return_values_on_condition_check_failure(OnFailure::AllOld)
                .send()
        };
        match retry(call).await.map_err(|it| it.into_service_error()) {
            Ok(done) => Ok(Attempt::Done(done.attributes.unwrap_or_default())),
            Err(UpdateItemError::ConditionalCheckFailedException(it)) => Ok(Attempt::Refused(it.item)),
            Err(error) => Err(Error::internal(error)),
        }
    }

    async fn delete_item(&self, key: &Key, expression: &Expression) -> Result<Attempt<Item>> {
        let call = || {
            let delete = self.client.delete_item().table_name(&self.name).set_key(Some(key.into()));
            delete
                .set_condition_expression(expression.condition())
                .set_expression_attribute_names(expression.names())
                .set_expression_attribute_values(expression.values())
                .return_values(ReturnValue::AllOld)
                .return_values_on_condition_check_failure(OnFailure::AllOld)
                .send()
        };
        match retry(call).await.map_err(|it| it.into_service_error()) {
            Ok(done) => Ok(Attempt::Done(done.attributes.unwrap_or_default())),
            Err(DeleteItemError::ConditionalCheckFailedException(it)) => Ok(Attempt::Refused(it.item)),
            Err(error) => Err(Error::internal(error)),
        }
    }

    /// Writes all of it or nothing: at most 100 steps, twice the price of single writes. 1 call.
    ///
    /// # Errors
    /// The refusal of the first step whose condition does not hold; internal otherwise.
    pub async fn transact(&self, writes: Vec<Write>) -> Result<()> {
        match self.transact_step(writes).await? {
            None => Ok(()),
            Some((_, refusal)) => Err(refusal),
        }
    }

    /// As [`Table::transact`]; a refusal is an answer: which step, and its error.
    ///
    /// # Errors
    /// Internal only.
    pub async fn transact_step(&self, mut writes: Vec<Write>) -> Result<Option<(usize, Error)>> {
        if let Some(broken) = writes.iter_mut().find_map(|it| it.broken.take()) {
            return Err(broken);
        }
        let mut steps = writes.iter().map(|it| self.step(it)).collect::<Result<Vec<_>>>()?;
        // The token makes a second sending of a committed transaction a success that writes nothing.
        let token = ulid::Ulid::from_bytes(rand::random()).to_string();
        let call = || {
            let transact = self.client.transact_write_items();
            transact.set_transact_items(Some(steps.clone())).client_request_token(&token).send()
        };
        let outcome = retry(call).await.map_err(|it| it.into_service_error());
        steps.clear();
        match outcome {
            Ok(_) => Ok(None),
            Err(error) => match refused_step(&error) {
                Some(step) => Ok(writes.get_mut(step).map(|it| (step, it.take_refusal()))),
                None => Err(Error::internal(error)),
            },
        }
    }

    fn step(&self, write: &Write) -> Result<TransactWriteItem> {
        let expression = &write.expression;
        let step = TransactWriteItem::builder();
        let step = match &write.kind {
            Kind::Put(item) => step.put(
                Put::builder()
                    .table_name(&self.name)
                    .set_item(Some(item.clone()))
                    .set_condition_expression(expression.condition())
                    .set_expression_attribute_names(expression.names())
                    .set_expression_attribute_values(expression.values())
                    .build()
                    .map_err(Error::internal)?,
            ),
            Kind::Update => step.update(
                Update::builder()
                    .table_name(&self.name)
                    .set_key(Some((&write.key).into()))
                    .set_update_expression(expression.update())
                    .set_condition_expression(expression.condition())
                    .set_expression_attribute_names(expression.names())
                    .set_expression_attribute_values(expression.values())
                    .build()
                    .map_err(Error::internal)?,
            ),
            Kind::Delete => step.delete(
                Delete::builder()
                    .table_name(&self.name)
                    .set_key(Some((&write.key).into()))
                    .set_condition_expression(expression.condition())
                    .set_expression_attribute_names(expression.names())
                    .set_expression_attribute_values(expression.values())
                    .build()
                    .map_err(Error::internal)?,
            ),
            Kind::Check => step.condition_check(
                ConditionCheck::builder()
                    .table_name(&self.name)
                    .set_key(Some((&write.key).into()))
                    .set_condition_expression(expression.condition())
                    .set_expression_attribute_names(expression.names())
                    .set_expression_attribute_values(expression.values())
                    .build()
                    .map_err(Error::internal)?,
            ),
        };
        Ok(step.build())
    }
}

/// The first step whose condition did not hold.
fn refused_step(error: &TransactWriteItemsError) -> Option<usize> {
    let TransactWriteItemsError::TransactionCanceledException(cancelled) = error else { return None };
    let mut reasons = cancelled.cancellation_reasons().iter();
    reasons.position(|it| it.code() == Some("ConditionalCheckFailed"))
}
