//! Records writes to tables until the event-source mappings of the streams have processed the records.
//!
//! Each write has three steps: save an intent with the old rows, write, and save records of the changes. If a kill
//! interrupts these steps, the next start compares the intent's rows with the table. Records come from this comparison,
//! so refused, repeated and empty writes leave no record.
//!
//! Unlike on AWS, a write that leaves the filtered attributes unchanged has no record. This saves reading the row.
//! Functions ignore records of such writes anyway.

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
    record::{OldRow, Record, Stream},
    row_write::{RowWrite, Writes},
};
use crate::{clock::Clock, disk::Disk};

/// Number of sequence numbers that each intent reserves. A transaction writes at most 100 rows.
const ROWS_MAX: u64 = 128;
/// Name of the list of unfinished writes on disk.
const INTENTS: &str = "intents";
/// Name on disk of the number of times that the journal was opened.
const STARTS: &str = "starts";
/// Number of intent numbers that each process reserves, so that intent numbers stay unique after a restart.
const INTENTS_MAX: u64 = 1 << 32;

pub(crate) struct Journal {
    clock: Clock,
    disk: Disk,
    tables: BTreeMap<String, Watched>,
    intents: AtomicU64,
}

/// A table's stream, and the backlogs of the stream's mappings.
pub(crate) struct Watched {
    pub(crate) stream: Stream,
    pub(crate) backlogs: Vec<Arc<Backlog>>,
}

impl Journal {
    pub(crate) fn new(clock: Clock, disk: Disk, watched: Vec<Watched>) -> Result<Self> {
        let tables = watched.into_iter().map(|table| (table.stream.table.clone(), table)).collect();
        let starts = disk.value(STARTS)?.unwrap_or(0);
        disk.save(STARTS, &(starts + 1))?;
        Ok(Self { clock, disk, tables, intents: AtomicU64::new(starts * INTENTS_MAX + 1) })
    }

    pub(crate) fn backlog(&self, mapping: &str) -> Option<Arc<Backlog>> {
        let mut backlogs = self.tables.values().flat_map(|watched| &watched.backlogs);
        backlogs.find(|backlog| backlog.mapping == mapping).map(Arc::clone)
    }

    /// Runs a write, and adds records of the changes to the backlogs of mappings.
    pub(crate) fn write<Q: Writes>(
        &self,
        database: &Database,
        request: Q,
        act: impl FnOnce(&Database, Q) -> dynoxide::Result<Q::Answer>,
    ) -> dynoxide::Result<Q::Answer> {
        let before = match self.before(database, &request) {
            // Runs the write, which refuses an invalid key with the right error message.
            Err(error) if error.status_code() == 400 => return act(database, request),
            before => before?,
        };
        if before.is_empty() {
            return act(database, request);
        }
        let intent = self.save_intent(&before).map_err(|error| internal(&error))?;
        let returns_row = request.returns_new_row();
        let answer = act(database, request);
        let new_row = answer.as_ref().ok().filter(|_| returns_row).and_then(Q::row).cloned();
        if let Err(error) = self.complete(database, intent, before, new_row) {
            tracing::error!(%error, "failed to record a write in the journal");
        }
        answer
    }

    fn before(&self, database: &Database, request: &impl Writes) -> dynoxide::Result<Vec<OldRow>> {
        if self.tables.is_empty() {
            return Ok(Vec::new());
        }
        let before = |(table, key): (String, Item)| {
            let old = image(database, &table, &key)?;
            Ok(OldRow { table, key, old })
        };
        request.rows().iter().filter_map(|row| self.watched_key(row)).map(before).collect()
    }

    /// Returns the table and key of a written row, or `None` if no mapping needs a record of the write.
    fn watched_key(&self, row: &RowWrite<'_>) -> Option<(String, Item)> {
        let watched = self.tables.get(row.table)?;
        let wanted = watched.backlogs.iter().any(|backlog| match &backlog.interest {
            Interest::Everything => true,
            Interest::Attributes(attributes) => attributes.iter().any(|attribute| row.may_leave(attribute)),
        });
        let key = wanted.then(|| watched.stream.key(row.attributes)).flatten()?;
        Some((row.table.to_owned(), key))
    }

    /// Records the writes that a previous process did not record before it was killed.
    pub(crate) fn recover(&self, database: &Database) -> Result<()> {
        for (intent, before) in self.disk.list(INTENTS)? {
            self.complete(database, intent, before, None)?;
        }
        Ok(())
    }

    fn save_intent(&self, before: &[OldRow]) -> Result<u64> {
        let intent = self.intents.fetch_add(1, Ordering::Relaxed);
        self.disk.write(|changes| changes.put(INTENTS, intent, &before))?;
        Ok(intent)
    }

    /// Compares rows with the old rows in `before`, and adds records of the changes to backlogs. `new_row` is the
    /// current row if the write returned it.
    fn complete(
        &self,
        database: &Database,
        intent: u64,
        before: Vec<OldRow>,
        mut new_row: Option<Item>,
    ) -> Result<()> {
        let mut changed = Vec::new();
        for (row, position) in before.into_iter().zip(0..) {
            let Some(watched) = self.tables.get(&row.table) else { continue };
            let new = match new_row.take() {
                Some(row) => Some(row),
                None => image(database, &row.table, &row.key)?,
            };
            if new != row.old {
                let sequence = intent * ROWS_MAX + position;
                let record = watched.stream.record(sequence, self.clock.now(), &row, new.as_ref());
                changed.extend(watched.matching_backlogs(Arc::new(record)));
            }
        }
        let saved = self.disk.write(|changes| {
            changes.remove(INTENTS, intent)?;
            changed
                .iter()
                .try_for_each(|(backlog, record)| changes.put(&backlog.list(), record.sequence, record))
        });
        // The row was written, so its record is delivered even if saving the record failed.
        changed.into_iter().for_each(|(backlog, record)| backlog.push(record));
        Ok(saved?)
    }
}

impl Watched {
    fn matching_backlogs(&self, record: Arc<Record>) -> impl Iterator<Item = (&Backlog, Arc<Record>)> {
        let matches = |backlog: &&Arc<Backlog>| backlog.filters.pass(&record.json);
        let matching: Vec<_> = self.backlogs.iter().filter(matches).collect();
        matching.into_iter().map(move |backlog| (&**backlog, Arc::clone(&record)))
    }
}

fn image(database: &Database, table: &str, key: &Item) -> dynoxide::Result<Option<Item>> {
    let (table_name, key) = (table.to_owned(), key.clone());
    Ok(database.get_item(GetItemRequest { table_name, key, ..GetItemRequest::default() })?.item)
}

fn internal(error: &anyhow::Error) -> DynoxideError {
    DynoxideError::InternalServerError(format!("the journal: {error:#}"))
}
