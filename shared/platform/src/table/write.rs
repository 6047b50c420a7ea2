//! One write of a row: what it changes, and what follows from it.

use std::marker::PhantomData;

use anyhow::anyhow;
use aws_sdk_dynamodb::types::AttributeValue;
use serde::Serialize;
use ulid::Ulid;

use super::{
    Index, Key, Row,
    expression::Expression,
    outbox::{self, Counter, Outbox},
    row::{Item, item},
};
use crate::{
    bus::Event,
    error::{Error, Result},
    queues::Job,
};

/// One write of a row: what it changes, under which conditions, and the error when they do not hold.
///
/// `K` says whether a row is there afterwards: what follows from a write lies on its row, so a deletion and a check
/// can have nothing that follows.
#[must_use = "a write does nothing until the table gets it"]
pub struct Write<K = Kept> {
    pub(super) kind: Kind,
    pub(super) key: Key,
    pub(super) expression: Expression,
    pub(super) refusal: Option<Error>,
    pub(super) broken: Option<Error>,
    outbox: Outbox,
    row: PhantomData<K>,
}

/// The row is there after the write.
pub enum Kept {}

/// No row is written.
pub enum Unwritten {}

pub(super) enum Kind {
    Put(Item),
    Update,
    Delete,
    Check,
}

impl Write {
    /// Puts the whole row in place of any that is there.
    pub fn put(row: &impl Row) -> Self {
        let (item, broken) = match item(row) {
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

    /// Appends to the list, which is empty where it has no value.
    pub fn append(mut self, name: &str, value: impl Serialize) -> Self {
        let [_, none] = self.term(name, [""; 0]);
        let [name, added] = self.term(name, [value]);
        self.expression.sets.push(format!("{name} = list_append(if_not_exists({name}, {none}), {added})"));
        self
    }

    /// Removes so many values from the beginning of the list.
    pub fn remove_first(mut self, name: &str, values: usize) -> Self {
        for place in 0..values {
            let name = self.name(name);
            self.expression.removes.push(format!("{name}[{place}]"));
        }
        self
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

    /// Has a message sent to a queue after the write.
    pub fn then(mut self, job: &impl Job) -> Self {
        let added = self.outbox.send(job);
        self.expect(added);
        self
    }

    /// Has an event published after the write.
    pub fn then_publish(mut self, event: &impl Event) -> Self {
        let added = self.outbox.publish(event);
        self.expect(added);
        self
    }

    /// Has a counter raised after the write.
    pub fn then_raise(mut self, counter: Counter) -> Self {
        self.outbox.raise(counter);
        self
    }

    /// Takes off the row what followed from an earlier write, once that is done.
    pub fn clear_outbox(self) -> Self {
        self.remove(outbox::ATTRIBUTE)
    }

    /// Lays what follows on the row. Fails when a row or a value could not be serialized.
    pub(super) fn seal(&mut self, id: impl FnOnce() -> Ulid) -> Result<()> {
        if !self.outbox.is_empty() {
            self.outbox.id = id().to_string();
            self.lay(serde_json::to_string(&self.outbox)?)?;
        }
        self.broken.take().map_or(Ok(()), Err)
    }

    fn lay(&mut self, outbox: String) -> Result<()> {
        match &mut self.kind {
            Kind::Put(item) => drop(item.insert(outbox::ATTRIBUTE.to_owned(), AttributeValue::S(outbox))),
            Kind::Update => {
                let term = self.expression.term(outbox::ATTRIBUTE, outbox)?;
                self.expression.sets.push(term.join(" = "));
            }
            Kind::Delete | Kind::Check => {
                return Err(Error::internal(anyhow!("nothing follows from no row")));
            }
        }
        Ok(())
    }
}

impl Write<Unwritten> {
    /// Deletes the row at `key`.
    pub fn delete(key: Key) -> Self {
        Self::of(Kind::Delete, key)
    }

    /// Changes nothing and only checks the conditions; for a transaction.
    pub fn check(key: Key) -> Self {
        Self::of(Kind::Check, key)
    }
}

impl<K> Write<K> {
    fn of(kind: Kind, key: Key) -> Self {
        Self {
            kind,
            key,
            expression: Expression::default(),
            refusal: None,
            broken: None,
            outbox: Outbox::default(),
            row: PhantomData,
        }
    }

    pub(super) fn name(&mut self, name: &str) -> String {
        self.expression.name(name)
    }

    pub(super) fn term(&mut self, name: &str, value: impl Serialize) -> [String; 2] {
        let term = self.expression.term(name, value);
        self.expect(term).unwrap_or_default()
    }

    fn expect<T>(&mut self, made: Result<T>) -> Option<T> {
        made.map_err(|error| self.broken = Some(error)).ok()
    }

    pub(super) fn take_refusal(&mut self) -> Error {
        self.refusal.take().unwrap_or(Error::WriteConflict)
    }
}

/// A step among others of a transaction.
impl From<Write<Unwritten>> for Write {
    fn from(step: Write<Unwritten>) -> Self {
        let Write { kind, key, expression, refusal, broken, outbox, row: _ } = step;
        Self { kind, key, expression, refusal, broken, outbox, row: PhantomData }
    }
}
