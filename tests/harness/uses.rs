//! Records the permissions and variables that functions use. `make uses-check` compares them with
//! `infra/check/uses.txt`.

use std::{
    collections::BTreeSet,
    fs::OpenOptions,
    io::Write,
    sync::{Mutex, PoisonError},
};

use local::Uses;

/// Environment variable with the path of the output file. If it is unset, nothing is recorded.
const FILE: &str = "USES";

static KNOWN: Mutex<BTreeSet<String>> = Mutex::new(BTreeSet::new());

/// Permissions and variables that a stack used. On drop, new entries are appended to the output file.
pub(crate) struct Noted(pub(crate) Uses);

impl Drop for Noted {
    fn drop(&mut self) {
        let Some(file) = std::env::var_os(FILE) else { return };
        let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
        let new: String = self.0.lines().difference(&known).map(|line| format!("{line}\n")).collect();
        known.extend(new.lines().map(str::to_owned));
        let file = OpenOptions::new().append(true).create(true).open(file);
        // A panic here would hide the failure of the test.
        if file.and_then(|mut it| it.write_all(new.as_bytes())).is_err() {
            eprintln!("failed to record the used permissions and variables");
        }
    }
}
