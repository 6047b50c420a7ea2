//! Directories from before there was a [`Disk`]: a file `state.json` had what lies there now.

use std::{collections::BTreeMap, fs, io::ErrorKind, path::Path, time::Duration};

use anyhow::{Context, Result};
use rusqlite::Transaction;
use serde::Deserialize;

use crate::{
    clock,
    disk::Disk,
    secrets::{self, Versions},
    ses,
    sqs::{self, Message},
};

const FILE: &str = "state.json";

/// The old file.
#[derive(Default, Deserialize)]
#[serde(default)]
struct State {
    vault: BTreeMap<String, Versions>,
    ahead: Duration,
    mails: Vec<serde_json::Value>,
    messages: BTreeMap<String, Vec<Message>>,
}

/// Takes over the old file of a directory, if it has one, and removes it.
pub(crate) fn take_over(directory: &Path, disk: &Disk) -> Result<()> {
    let path = directory.join(FILE);
    let bytes = match fs::read(&path) {
        Ok(bytes) => bytes,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(error).with_context(|| path.display().to_string()),
    };
    let state: State =
        serde_json::from_slice(&bytes).with_context(|| format!("{} is damaged", path.display()))?;
    disk.write(|it| state.put(it))?;
    fs::remove_file(&path).with_context(|| path.display().to_string())
}

impl State {
    /// A kill before the old file is gone has it taken over again.
    fn put(&self, transaction: &Transaction<'_>) -> rusqlite::Result<()> {
        transaction.execute_batch("DELETE FROM mails; DELETE FROM messages; DELETE FROM secrets;")?;
        let ahead = i64::try_from(self.ahead.as_millis()).unwrap_or(0);
        clock::put(transaction, ahead)?;
        self.vault.iter().try_for_each(|(name, secret)| secrets::put(transaction, name, secret))?;
        self.mails.iter().try_for_each(|mail| ses::put(transaction, &mail.to_string()))?;
        for (queue, messages) in &self.messages {
            (1..).zip(messages).try_for_each(|(place, it)| sqs::put(transaction, queue, place, it))?;
        }
        Ok(())
    }
}
