//! Stores persistent state in an SQLite file in the data directory. The table and objects are stored separately.
//!
//! The file has lists of numbered JSON values. When a service starts, it reads its lists with [`Disk::list`]. Before a
//! service responds, it saves changes with [`Disk::write`]. Without a data directory, lists are empty and nothing is
//! saved.

use std::{
    fs::{self, File},
    path::Path,
    sync::{Arc, Mutex, MutexGuard},
};

use anyhow::{Context, Result};
use rusqlite::{Connection, Transaction};
use serde::{Serialize, de::DeserializeOwned};

use crate::lock::lock;

const FILE: &str = "stack.sqlite";
const LOCK: &str = "lock";

/// Schema of the file. A single value is stored as a list with one item, number 0.
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
const CLEAR_OTHERS: &str = "DELETE FROM kept WHERE list GLOB ? || '*' \
                      AND list NOT IN (SELECT ?1 || value FROM json_each(?))";

/// With these settings, commits survive a kill of the process. A crash of the system can lose the last commits, but
/// cannot corrupt the file.
const SETTINGS: &str = "PRAGMA synchronous = NORMAL;";

/// Sets the journal mode, which SQLite stores in the file.
const JOURNAL_MODE: &str = "PRAGMA journal_mode = WAL;";

/// The open SQLite file, or `None` without a data directory. Clones share the file.
#[derive(Clone, Default)]
pub(crate) struct Disk(Option<Arc<Mutex<Connection>>>);

#[derive(Debug, thiserror::Error)]
#[error("failed to write to the data directory: {0}")]
pub(crate) struct SaveFailed(#[from] rusqlite::Error);

/// Creates the directory if it is missing, and locks it until the returned file is closed.
/// Fails if a different stack uses the directory.
pub(crate) fn lock_directory(directory: &Path) -> Result<File> {
    let lock = || {
        fs::create_dir_all(directory)?;
        let file = File::create(directory.join(LOCK))?;
        file.try_lock()?;
        anyhow::Ok(file)
    };
    lock().with_context(|| format!("the data directory {} is in use", directory.display()))
}

pub(crate) fn open_sqlite(file: &Path) -> rusqlite::Result<Connection> {
    let connection = Connection::open(file)?;
    connection.execute_batch(JOURNAL_MODE)?;
    Ok(connection)
}

impl Disk {
    pub(crate) fn open(directory: &Path) -> Result<Self> {
        let open = || {
            let connection = open_sqlite(&directory.join(FILE))?;
            connection.execute_batch(SETTINGS)?;
            connection.execute_batch(TABLE)?;
            anyhow::Ok(connection)
        };
        let connection =
            open().with_context(|| format!("failed to open the data directory {}", directory.display()))?;
        Ok(Self(Some(Arc::new(Mutex::new(connection)))))
    }

    /// Returns the items of a list, ordered by number.
    pub(crate) fn list<T: DeserializeOwned>(&self, list: &str) -> Result<Vec<(u64, T)>> {
        let Some(connection) = self.lock() else { return Ok(Vec::new()) };
        let mut all = connection.prepare_cached(ALL)?;
        let rows = all.query_map([list], |row| Ok((row.get(0)?, row.get(1)?)))?;
        let rows: Vec<(u64, String)> = rows.collect::<rusqlite::Result<_>>()?;
        rows.into_iter().map(|(number, value)| Ok((number, serde_json::from_str(&value)?))).collect()
    }

    /// Returns a single value, or `None` if it was never saved.
    pub(crate) fn value<T: DeserializeOwned>(&self, name: &str) -> Result<Option<T>> {
        Ok(self.list(name)?.pop().map(|(_, value)| value))
    }

    pub(crate) fn save(&self, name: &str, value: &impl Serialize) -> Result<(), SaveFailed> {
        self.write(|changes| changes.put(name, 0, value))
    }

    /// Runs `work` in one transaction, or not at all without a data directory.
    pub(crate) fn write(
        &self,
        work: impl FnOnce(&Changes<'_>) -> rusqlite::Result<()>,
    ) -> Result<(), SaveFailed> {
        let Some(mut connection) = self.lock() else { return Ok(()) };
        let changes = Changes(connection.transaction()?);
        work(&changes)?;
        Ok(changes.0.commit()?)
    }

    fn lock(&self) -> Option<MutexGuard<'_, Connection>> {
        self.0.as_deref().map(lock)
    }
}

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

    /// Deletes the lists whose names start with `prefix`, unless the rest of the name is in `names`.
    pub(crate) fn clear_others(&self, prefix: &str, names: &[&str]) -> rusqlite::Result<()> {
        self.0.execute(CLEAR_OTHERS, (prefix, serde_json::json!(names).to_string())).map(drop)
    }
}
