//! One write of a row, and the jobs and events that follow from the write.

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
use crate::{Error, Job, Result, bus::Event, request_id};

/// The attribute with the ID of the last marked write. See [`Write::marked`].
const MARK: &str = "mark";

/// One write of a row: its changes, its conditions, and the error if a condition does not hold.
///
/// `K` is [`Kept`] if the row exists after the write. For a deletion or a check, `K` is [`Unwritten`]. Such a write has
/// no outbox, because an outbox is stored on the written row.
#[must_use = "a write does nothing until it is passed to the table"]
pub struct Write<K = Kept> {
    pub(super) kind: Kind,
    pub(super) key: Key,
    pub(super) expression: Expression,
    pub(super) refusal: Option<Error>,
    pub(super) broken: Option<Error>,
    pub(super) is_marked: bool,
    outbox: Outbox,
    row: PhantomData<K>,
}

/// Marks a [`Write`] after which the row exists.
pub enum Kept {}

/// Marks a [`Write`] that is a deletion or a check.
pub enum Unwritten {}

pub(super) enum Kind {
    Put(Item),
    Update,
    Delete,
    Check,
}

impl Write {
    /// Writes the whole row. Replaces an existing row.
    pub fn put(row: &impl Row) -> Self {
        let (item, broken) = match item(row) {
            Ok(item) => (item, None),
            Err(error) => (Item::new(), Some(error)),
        };
        Self { broken, ..Self::of(Kind::Put(item), row.key()) }
    }

    /// Writes the whole row. Requires that the row does not exist.
    pub fn create(row: &impl Row) -> Self {
        Self::put(row).not_exists()
    }

    /// Changes attributes of the row at `key`. Creates the row if it does not exist.
    pub fn update(key: Key) -> Self {
        Self::of(Kind::Update, key)
    }

    /// Updates the row at the key of `row`, and sets the index keys of `row`.
    pub fn reindex(row: &impl Row) -> Self {
        let keys = row.indexes();
        let key_in = |index| keys.iter().find(|(other, _)| *other == index).map(|(_, key)| key.clone());
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

    /// Sets the attribute if it has no value.
    pub fn set_once(mut self, name: &str, value: impl Serialize) -> Self {
        let [name, value] = self.term(name, value);
        self.expression.sets.push(format!("{name} = if_not_exists({name}, {value})"));
        self
    }

    /// Sets the attribute, or removes it if `value` is `None`.
    pub fn set_or_remove(self, name: &str, value: Option<impl Serialize>) -> Self {
        match value {
            Some(value) => self.set(name, value),
            None => self.remove(name),
        }
    }

    /// Appends a value to the list. A missing list counts as empty.
    pub fn append(mut self, name: &str, value: impl Serialize) -> Self {
        let [_, empty] = self.term(name, [""; 0]);
        let [name, added] = self.term(name, [value]);
        self.expression.sets.push(format!("{name} = list_append(if_not_exists({name}, {empty}), {added})"));
        self
    }

    /// Removes the first `values` values of the list.
    pub fn remove_first(mut self, name: &str, values: usize) -> Self {
        for index in 0..values {
            let name = self.name(name);
            self.expression.removes.push(format!("{name}[{index}]"));
        }
        self
    }

    /// Adds `by` to the number. A missing number counts as 0.
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

    /// Sets the row's key in an index. `None` removes the row from the index.
    pub fn index_key(self, index: Index, key: Option<Key>) -> Self {
        let (pk, sk) = key.map(|key| (key.pk, key.sk)).unzip();
        self.set_or_remove(index.pk(), pk).set_or_remove(index.sk(), sk)
    }

    /// Sets the row's key in an index, unless the index already contains the row.
    pub fn index_key_once(self, index: Index, key: &Key) -> Self {
        self.set_once(index.pk(), &key.pk).set_once(index.sk(), &key.sk)
    }

    /// Marks the row, so that the table recognizes this write if its response is lost. Without a mark, the SDK's retry
    /// fails with a conflict. Mark a toggle, because a second toggle would undo the first. A transaction needs no mark.
    pub fn marked(mut self) -> Self {
        self.is_marked = true;
        self
    }

    /// Sends a job to its queue after the write.
    pub fn then(mut self, job: &impl Job) -> Self {
        let added = self.outbox.send(job);
        self.expect(added);
        self
    }

    /// Publishes an event after the write.
    pub fn then_publish(mut self, event: &impl Event) -> Self {
        let added = self.outbox.publish(event);
        self.expect(added);
        self
    }

    /// Increments a counter after the write.
    pub fn then_raise(mut self, counter: Counter) -> Self {
        self.outbox.raise(counter);
        self
    }

    /// Removes the delivered outbox of an earlier write from the row.
    pub fn clear_outbox(self) -> Self {
        self.remove(outbox::ATTRIBUTE)
    }

    /// Adds the outbox to the row. Fails if a value could not be serialized, or if a deletion or a check has an outbox.
    pub(super) fn seal(&mut self, id: impl FnOnce() -> Ulid) -> Result<()> {
        if !self.outbox.is_empty() {
            self.outbox.id = id().to_string();
            self.outbox.request = request_id::current();
            self.set_attribute(outbox::ATTRIBUTE, serde_json::to_string(&self.outbox)?)?;
        }
        self.broken.take().map_or(Ok(()), Err)
    }

    pub(super) fn set_mark(&mut self, mark: &str) -> Result<()> {
        self.set_attribute(MARK, mark.to_owned())
    }

    fn set_attribute(&mut self, name: &str, value: String) -> Result<()> {
        match &mut self.kind {
            Kind::Put(item) => drop(item.insert(name.to_owned(), AttributeValue::S(value))),
            Kind::Update => {
                let term = self.expression.term(name, value)?;
                self.expression.sets.push(term.join(" = "));
            }
            Kind::Delete | Kind::Check => {
                return Err(Error::internal(anyhow!("a deletion or a check writes no attribute")));
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

    /// Checks the conditions without writing, as a step of a transaction.
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
            is_marked: false,
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

    /// Returns the value of `result`. For an error, returns `None`, and `seal` later fails with the error.
    fn expect<T>(&mut self, result: Result<T>) -> Option<T> {
        result.map_err(|error| self.broken = Some(error)).ok()
    }

    pub(super) fn take_refusal(&mut self) -> Error {
        self.refusal.take().unwrap_or(Error::WriteConflict)
    }
}

/// Converts a deletion or a check, for use in a transaction.
impl From<Write<Unwritten>> for Write {
    fn from(step: Write<Unwritten>) -> Self {
        let Write { kind, key, expression, refusal, broken, is_marked, outbox, row: _ } = step;
        Self { kind, key, expression, refusal, broken, is_marked, outbox, row: PhantomData }
    }
}
