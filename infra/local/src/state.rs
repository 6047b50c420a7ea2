//! What survives a restart beside the table: messages, mails, secrets, the clock.

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
    time::Duration,
};

use anyhow::{Context, Result};
use serde::{Deserialize, Serialize};

use crate::{secrets::Versions, ses::Mail, sqs::Message};

const FILE: &str = "state.json";

#[derive(Default, Deserialize, Serialize)]
#[serde(default)]
pub(crate) struct State {
    pub(crate) vault: BTreeMap<String, Versions>,
    pub(crate) ahead: Duration,
    pub(crate) mails: Vec<Mail>,
    pub(crate) messages: BTreeMap<String, Vec<Message>>,
}

/// The file that the state lives in, and what was last written to it.
pub(crate) struct StateFile {
    path: PathBuf,
    written: Vec<u8>,
}

impl StateFile {
    /// Opens the directory, making it if it is not there, and reads what was kept.
    pub(crate) fn open(directory: &Path) -> Result<(Self, State)> {
        fs::create_dir_all(directory)
            .with_context(|| format!("the data directory {}", directory.display()))?;
        let path = directory.join(FILE);
        let state = match fs::read(&path) {
            Ok(bytes) => {
                serde_json::from_slice(&bytes).with_context(|| format!("{} is damaged", path.display()))?
            }
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => State::default(),
            Err(error) => return Err(error).with_context(|| path.display().to_string()),
        };
        Ok((Self { path, written: Vec::new() }, state))
    }

    /// Writes what changed; a kill in between leaves the old file or the new one.
    pub(crate) fn save(&mut self, state: &State) -> Result<()> {
        let bytes = serde_json::to_vec(state)?;
        if bytes != self.written {
            let new = self.path.with_extension("new");
            fs::write(&new, &bytes)?;
            fs::rename(&new, &self.path)?;
            self.written = bytes;
        }
        Ok(())
    }
}
