//! What outlives the process beside the table: one SQLite file in the data directory, or nothing at all.
//!
//! The file has lists of numbered JSON values. A service reads its list with [`Disk::list`] when it starts, and writes
//! with [`Disk::write`] before it answers. Without a data directory the lists are empty, and nothing is written.

use std::{
    fs::{self, File},
    path::Path,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use anyhow::{Context, Result};
use rusqlite::{Connection, Transaction};
use serde::{Serialize, de::DeserializeOwned};

const FILE: &str = "stack.sqlite";
const LOCK: &str = "lock";

/// The only table. A single value is a list of one, with the number 0.
const TABLE: &str = "
    CREATE TABLE IF NOT EXISTS kept (
        list TEXT NOT NULL,
        number INTEGER NOT NULL,
        value TEXT NOT NULL,
        PRIMARY KEY (list, number)
    ) WITHOUT ROWID;
";
const ALL: &str = "SELECT number, value FROM kept WHERE list = ? ORDER BY number";
const PUT: &str = "INSERT OR REPLACE INTO kept (list, number, value) VALUES (?, ?, ?)";
const REMOVE: &str = "DELETE FROM kept WHERE list = ? AND number = ?";
const CLEAR: &str = "DELETE FROM kept WHERE list = ?";
const OTHERS: &str = "DELETE FROM kept WHERE list GLOB ? || '*' \
                      AND list NOT IN (SELECT ?1 || value FROM json_each(?))";

/// What was committed is with the system, and there after a kill. The system's own end may take the last commits, but
/// not damage the file: for that, the few syncs of NORMAL are enough.
const SETTINGS: &str = "PRAGMA synchronous = NORMAL;";

/// How a new file is laid out. A file keeps the layout that it began with.
const LAYOUT: &str = "PRAGMA journal_mode = WAL;";

/// The file, or nothing. A clone is the same file.
#[derive(Clone, Default)]
pub(crate) struct Disk(Option<Arc<Mutex<Connection>>>);

/// What was to be kept is not.
#[derive(Debug, thiserror::Error)]
#[error("the data directory cannot be written: {0}")]
pub(crate) struct Unwritten(#[from] rusqlite::Error);

/// Takes a directory, making it if it is not there, for as long as the file stays open: the end of the process gives it
/// back, whatever ends it.
///
/// # Errors
/// Another stack has it: two would both do what is to be done once.
pub(crate) fn take(directory: &Path) -> Result<File> {
    let take = || {
        fs::create_dir_all(directory)?;
        let file = File::create(directory.join(LOCK))?;
        file.try_lock()?;
        anyhow::Ok(file)
    };
    take().with_context(|| format!("the data directory {} is not free", directory.display()))
}

/// Opens an SQLite file, making it if it is not there.
pub(crate) fn lay_out(file: &Path) -> rusqlite::Result<Connection> {
    let connection = Connection::open(file)?;
    connection.execute_batch(LAYOUT)?;
    Ok(connection)
}

impl Disk {
    /// Opens the file, making it if it is not there.
    pub(crate) fn open(directory: &Path) -> Result<Self> {
        let open = || {
            let connection = lay_out(&directory.join(FILE))?;
            connection.execute_batch(SETTINGS)?;
            connection.execute_batch(TABLE)?;
            anyhow::Ok(connection)
        };
        let connection = open().with_context(|| format!("the data directory {}", directory.display()))?;
        Ok(Self(Some(Arc::new(Mutex::new(connection)))))
    }

    /// Returns a list, in the order of its numbers.
    pub(crate) fn list<T: DeserializeOwned>(&self, list: &str) -> Result<Vec<(u64, T)>> {
        let Some(connection) = self.lock() else { return Ok(Vec::new()) };
        let mut all = connection.prepare_cached(ALL)?;
        let rows = all.query_map([list], |row| Ok((row.get(0)?, row.get(1)?)))?;
        let rows: Vec<(u64, String)> = rows.collect::<rusqlite::Result<_>>()?;
        rows.into_iter().map(|(number, value)| Ok((number, serde_json::from_str(&value)?))).collect()
    }

    /// Returns a single value.
    pub(crate) fn value<T: DeserializeOwned>(&self, name: &str) -> Result<Option<T>> {
        Ok(self.list(name)?.pop().map(|(_, value)| value))
    }

    /// Keeps a single value.
    pub(crate) fn keep(&self, name: &str, value: &impl Serialize) -> Result<(), Unwritten> {
        self.write(|it| it.put(name, 0, value))
    }

    /// Does all of the work in one transaction, or nothing of it. After it, a kill changes nothing.
    pub(crate) fn write(
        &self,
        work: impl FnOnce(&Changes<'_>) -> rusqlite::Result<()>,
    ) -> Result<(), Unwritten> {
        let Some(mut connection) = self.lock() else { return Ok(()) };
        let changes = Changes(connection.transaction()?);
        work(&changes)?;
        Ok(changes.0.commit()?)
    }

    fn lock(&self) -> Option<MutexGuard<'_, Connection>> {
        Some(self.0.as_ref()?.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// What is written together.
pub(crate) struct Changes<'a>(Transaction<'a>);

impl Changes<'_> {
    pub(crate) fn put(&self, list: &str, number: u64, value: &impl Serialize) -> rusqlite::Result<()> {
        let value = serde_json::to_string(value);
        let value = value.map_err(|error| rusqlite::Error::ToSqlConversionFailure(error.into()))?;
        self.0.prepare_cached(PUT)?.execute((list, number, value)).map(drop)
    }

    pub(crate) fn remove(&self, list: &str, number: u64) -> rusqlite::Result<()> {
        self.0.prepare_cached(REMOVE)?.execute((list, number)).map(drop)
    }

    pub(crate) fn clear(&self, list: &str) -> rusqlite::Result<()> {
        self.0.execute(CLEAR, [list]).map(drop)
    }

    /// Clears the lists whose names are a prefix and none of these.
    pub(crate) fn clear_others(&self, prefix: &str, names: &[&str]) -> rusqlite::Result<()> {
        self.0.execute(OTHERS, (prefix, serde_json::json!(names).to_string())).map(drop)
    }
}
