//! What was written to the tables, until every mapping that wants it has done it.
//!
//! A write is noted in three steps: the intent, with the rows as they are; the write itself; and the records of what
//! differs afterwards. A process that is killed in between leaves an intent, and the next start compares once more.
//! So a write that was refused, repeated or changed nothing leaves no record, whatever it was answered with.
//!
//! One liberty is taken. On AWS a write to a row that still has the attribute of a filter is a record too, even if it
//! does not touch the attribute. Here it is none: only rows cost anything whose request may leave such an attribute,
//! and a function that acts on the change of an attribute has nothing to do otherwise.

use std::{
    collections::BTreeMap,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
};

use anyhow::Result;
use dynoxide::{Database, DynoxideError, Item, actions::get_item::GetItemRequest};

use super::{
    backlog::Backlog,
    filter::Interest,
    record::{Before, Record, Stream},
    written::{Writes, Written},
};
use crate::{clock::Clock, disk::Disk};

/// A transaction writes a hundred rows at most.
const ROWS_MAX: u64 = 128;
/// The lists of rows that are about to be written, and of how often the journal was opened.
const INTENTS: &str = "intents";
const STARTS: &str = "starts";
/// More intents than one process has. No number is used twice, after a restart either.
const INTENTS_MAX: u64 = 1 << 32;

/// The streams of a stack's tables.
pub(crate) struct Journal {
    clock: Clock,
    disk: Disk,
    tables: BTreeMap<String, Watched>,
    intents: AtomicU64,
}

/// A table and who wants to know of it.
pub(crate) struct Watched {
    pub(crate) stream: Stream,
    pub(crate) backlogs: Vec<Arc<Backlog>>,
}

impl Journal {
    pub(crate) fn new(clock: Clock, disk: Disk, watched: Vec<Watched>) -> Result<Self> {
        let tables = watched.into_iter().map(|it| (it.stream.table.clone(), it)).collect();
        let starts = disk.value(STARTS)?.unwrap_or(0);
        disk.keep(STARTS, &(starts + 1))?;
        Ok(Self { clock, disk, tables, intents: AtomicU64::new(starts * INTENTS_MAX + 1) })
    }

    /// The part of a mapping.
    pub(crate) fn backlog(&self, mapping: &str) -> Option<Arc<Backlog>> {
        let mut backlogs = self.tables.values().flat_map(|watched| &watched.backlogs);
        backlogs.find(|backlog| backlog.mapping == mapping).map(Arc::clone)
    }

    /// Does a write, and notes what becomes of the rows that a mapping wants to know of.
    pub(crate) fn write<Q: Writes>(
        &self,
        database: &Database,
        request: Q,
        act: impl FnOnce(&Database, Q) -> dynoxide::Result<Q::Answer>,
    ) -> dynoxide::Result<Q::Answer> {
        let before = match self.before(database, &request) {
            // A key that the table does not take is refused by the write too, in its own words.
            Err(error) if error.status_code() == 400 => return act(database, request),
            before => before?,
        };
        if before.is_empty() {
            return act(database, request);
        }
        let intent = self.intend(&before).map_err(|error| internal(&error))?;
        let has_row = request.is_answered_with_row();
        let answer = act(database, request);
        let shown = answer.as_ref().ok().filter(|_| has_row).and_then(Q::row).cloned();
        if let Err(error) = self.complete(database, intent, before, shown) {
            tracing::error!(%error, "a write was not noted in the journal");
        }
        answer
    }

    fn before(&self, database: &Database, request: &impl Writes) -> dynoxide::Result<Vec<Before>> {
        if self.tables.is_empty() {
            return Ok(Vec::new());
        }
        let before = |(table, key): (String, Item)| {
            let old = image(database, &table, &key)?;
            Ok(Before { table, key, old })
        };
        request.rows().iter().filter_map(|row| self.place(row)).map(before).collect()
    }

    /// The table and the key of a row that a mapping may want to know of.
    fn place(&self, row: &Written<'_>) -> Option<(String, Item)> {
        let watched = self.tables.get(row.table)?;
        let wanted = watched.backlogs.iter().any(|backlog| match &backlog.interest {
            Interest::Everything => true,
            Interest::Attributes(attributes) => attributes.iter().any(|it| row.may_leave(it)),
        });
        let key = wanted.then(|| watched.stream.key(row.attributes)).flatten()?;
        Some((row.table.to_owned(), key))
    }

    /// Makes good for a process that was killed while it wrote.
    pub(crate) fn recover(&self, database: &Database) -> Result<()> {
        for (intent, before) in self.disk.list(INTENTS)? {
            self.complete(database, intent, before, None)?;
        }
        Ok(())
    }

    fn intend(&self, before: &[Before]) -> Result<u64> {
        let intent = self.intents.fetch_add(1, Ordering::Relaxed);
        self.disk.write(|it| it.put(INTENTS, intent, &before))?;
        Ok(intent)
    }

    /// Compares the rows with what they were, and hands what changed to those who want it. An only row may be known already,
    /// as it is now.
    fn complete(
        &self,
        database: &Database,
        intent: u64,
        before: Vec<Before>,
        mut shown: Option<Item>,
    ) -> Result<()> {
        let mut changed = Vec::new();
        for (row, position) in before.into_iter().zip(0..) {
            let Some(watched) = self.tables.get(&row.table) else { continue };
            let new = match shown.take() {
                Some(shown) => Some(shown),
                None => image(database, &row.table, &row.key)?,
            };
            if new != row.old {
                let sequence = intent * ROWS_MAX + position;
                let record = watched.stream.record(sequence, self.clock.now(), &row, new.as_ref());
                changed.extend(watched.for_each_that_wants(Arc::new(record)));
            }
        }
        let kept = self.disk.write(|it| {
            it.remove(INTENTS, intent)?;
            changed.iter().try_for_each(|(backlog, record)| it.put(&backlog.list(), record.sequence, record))
        });
        // Whatever the disk says, the row is written, and what follows goes on.
        changed.into_iter().for_each(|(backlog, record)| backlog.push(record));
        Ok(kept?)
    }
}

impl Watched {
    fn for_each_that_wants(&self, record: Arc<Record>) -> impl Iterator<Item = (&Backlog, Arc<Record>)> {
        let wants = |backlog: &&Arc<Backlog>| backlog.filters.pass(&record.json);
        let wants: Vec<_> = self.backlogs.iter().filter(wants).collect();
        wants.into_iter().map(move |backlog| (&**backlog, Arc::clone(&record)))
    }
}

fn image(database: &Database, table: &str, key: &Item) -> dynoxide::Result<Option<Item>> {
    let (table_name, key) = (table.to_owned(), key.clone());
    Ok(database.get_item(GetItemRequest { table_name, key, ..GetItemRequest::default() })?.item)
}

fn internal(error: &anyhow::Error) -> DynoxideError {
    DynoxideError::InternalServerError(format!("the journal: {error:#}"))
}
