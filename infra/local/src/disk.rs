//! What outlives the process beside the table: one SQLite file in the data directory, or nothing at all.
//!
//! A keeper has its table in [`TABLES`], takes what is in it with [`Disk::read`] when it starts, and writes with
//! [`Disk::write`] before it answers. Without a data directory there is nothing to read, and nothing is written.

use std::{
    fs::{self, File},
    path::Path,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use anyhow::{Context, Result};
use rusqlite::{Connection, Transaction};

const FILE: &str = "stack.sqlite";
const LOCK: &str = "lock";

/// Every table of the file. Times are microseconds since 1970.
const TABLES: &str = "
    CREATE TABLE IF NOT EXISTS aws (
        id INTEGER PRIMARY KEY,
        port INTEGER NOT NULL
    );
    CREATE TABLE IF NOT EXISTS clock (
        id INTEGER PRIMARY KEY,
        ahead_millis INTEGER NOT NULL
    );
    CREATE TABLE IF NOT EXISTS mails (
        number INTEGER PRIMARY KEY,
        mail TEXT NOT NULL
    );
    CREATE TABLE IF NOT EXISTS messages (
        queue TEXT NOT NULL,
        sequence INTEGER NOT NULL,
        id TEXT NOT NULL,
        body TEXT NOT NULL,
        attributes TEXT NOT NULL,
        sent INTEGER NOT NULL,
        first_received INTEGER,
        receives INTEGER NOT NULL,
        visible_at INTEGER NOT NULL,
        PRIMARY KEY (queue, sequence)
    ) WITHOUT ROWID;
    CREATE TABLE IF NOT EXISTS schedules (
        name TEXT PRIMARY KEY,
        expression TEXT NOT NULL,
        next INTEGER
    ) WITHOUT ROWID;
    CREATE TABLE IF NOT EXISTS stream_intents (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        rows TEXT NOT NULL
    );
    CREATE TABLE IF NOT EXISTS stream_records (
        mapping TEXT,
        sequence INTEGER,
        record TEXT NOT NULL,
        PRIMARY KEY (mapping, sequence)
    ) WITHOUT ROWID;
    CREATE TABLE IF NOT EXISTS secrets (
        name TEXT PRIMARY KEY,
        current TEXT NOT NULL,
        previous TEXT
    ) WITHOUT ROWID;
";

/// What was committed is with the system, and there after a kill. The system's own end may take the last commits, but
/// not damage the file: for that, the few syncs of NORMAL are enough.
const SETTINGS: &str = "PRAGMA synchronous = NORMAL;";

/// How a new file is laid out. A file keeps the layout that it began with.
const LAYOUT: &str = "PRAGMA journal_mode = WAL;";

/// More statements than all keepers have together.
const STATEMENTS_MAX: usize = 64;

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
            connection.set_prepared_statement_cache_capacity(STATEMENTS_MAX);
            connection.execute_batch(SETTINGS)?;
            connection.execute_batch(TABLES)?;
            anyhow::Ok(connection)
        };
        let connection = open().with_context(|| format!("the data directory {}", directory.display()))?;
        Ok(Self(Some(Arc::new(Mutex::new(connection)))))
    }

    /// Returns what the work finds in the file; nothing where there is none.
    pub(crate) fn read<T: Default>(
        &self,
        work: impl FnOnce(&Connection) -> rusqlite::Result<T>,
    ) -> rusqlite::Result<T> {
        self.lock().map_or_else(|| Ok(T::default()), |connection| work(&connection))
    }

    /// Does all of the work in one transaction, or nothing of it. After it, a kill changes nothing.
    pub(crate) fn write(
        &self,
        work: impl FnOnce(&Transaction<'_>) -> rusqlite::Result<()>,
    ) -> Result<(), Unwritten> {
        let Some(mut connection) = self.lock() else { return Ok(()) };
        let transaction = connection.transaction()?;
        work(&transaction)?;
        Ok(transaction.commit()?)
    }

    fn lock(&self) -> Option<MutexGuard<'_, Connection>> {
        Some(self.0.as_ref()?.lock().unwrap_or_else(PoisonError::into_inner))
    }
}
